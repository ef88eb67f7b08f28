import type { View } from '../discord/protocol.ts';

export type { PageMessage, View } from '../discord/protocol.ts';

/** The content of the side panel. Sent whole at every change, while it is open. */
export interface Behind {
  /** Requests to the panel, newest last, at most 100. `at` and `ms` in ms; `body` is shortened text. */
  requests: {
    at: number;
    ms?: number;
    method: string;
    path: string;
    body?: string;
    status?: number;
    note?: string;
  }[];
  /** Ledger entries, newest last, at most 100. */
  entries: { seq: number; time: string; kind: string; who: string; words: string; hash: string }[];
  followUps: { id: string; words: string }[];
  switches: Switch[];
  /** Missing: the panel is not ours to change. */
  servers?: Stocked[];
}

export interface Stocked {
  id: number;
  name: string;
  suspended: boolean;
}

/** Something to break. `watch`: one sentence on what to look at. */
export interface Switch {
  id: string;
  label: string;
  watch: string;
  kind: 'toggle' | 'once';
  on: boolean;
}

/** A message of the live connection, with the whole of what it names. In JSON the event comes first. */
export type Sent = { event: 'view'; data: View } | { event: 'behind'; data: Behind };
