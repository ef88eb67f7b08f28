import type { View } from '../discord/protocol.ts';

export type { PageMessage, View } from '../discord/protocol.ts';

/** What the side panel shows. Sent whole at every change, to those who have it open. */
export interface Behind {
  /** To the panel, newest last, at most 100. `at` and `ms` in ms; `body` is text, shortened. */
  requests: {
    at: number;
    ms?: number;
    method: string;
    path: string;
    body?: string;
    status?: number;
    note?: string;
  }[];
  /** Of the ledger, newest last, at most 100. */
  entries: { seq: number; time: string; kind: string; who: string; words: string; hash: string }[];
  followUps: { id: string; words: string }[];
  switches: Switch[];
}

/** Something to break. `watch`: one sentence on what to look at. */
export interface Switch {
  id: string;
  label: string;
  watch: string;
  kind: 'toggle' | 'once';
  on: boolean;
}

/** One message of the live connection: the whole of what it names. In JSON the event comes first. */
export type Sent = { event: 'view'; data: View } | { event: 'behind'; data: Behind };
