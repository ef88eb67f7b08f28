import type { EndpointName } from '../../../src/panel/endpoints.ts';
import { contract } from '../../panel/contract.ts';

/** A request as the panel receives it, below its base URL. */
export interface Sent {
  method: string;
  path: string;
  body: unknown;
}

/** What is typed for a command that reads, and what the panel is then asked for. */
export interface Reading {
  kind: 'reading';
  line: string;
  reads: readonly string[];
  /** It reads all of them at once, and shows what it got: one that fails does not fail the card. */
  gathers?: true;
  /** A piece of its card. */
  says: string;
}

/** What is typed for a command that changes something, and the one request that comes of it. */
export interface Changing {
  kind: 'changing';
  line: string;
  /** How it is asked about. */
  asks: 'no' | 'button' | 'typed';
  /** Held back when what is set now cannot be read. */
  looks?: true;
  /** What it has set is read right after it. */
  readsBack?: true;
  /** It takes several servers, by itself or by the example policy. */
  several?: true;
  endpoint: EndpointName;
  sends: Sent;
  /** What its question says of what would happen. */
  would: RegExp;
  outcome: 'succeeded' | 'accepted';
  /** What is followed to its end once the panel has accepted it. */
  follows?: 'restore' | 'power';
  /** A piece of its last card. */
  says: string;
  /** The path when `sync:false` is typed too. */
  stored?: string;
}

/** What is typed for a command that decides about a follow-up, and never reaches the panel. */
export interface Deciding {
  kind: 'deciding';
  /** Typed before it. */
  first?: string;
  line: string;
  /** The steps of the follow-up that are recorded for it. */
  steps: readonly string[];
  /** A piece of its card. */
  says: string;
}

/** What is looked up after web-1 was booted, whose run's id stands for RUN in the line. */
export interface Looking {
  kind: 'looking';
  line: string;
  /** A piece of its card. */
  says: string;
}

/** What is done about incidents and findings, which are in the ledger alone: a line, or what is picked from the menu of a message. */
export type Recording = { kind: 'recording' } & ({ line: string } | { menu: string });

export type Row = Reading | Changing | Deciding | Looking | Recording;

export const reading = (row: Omit<Reading, 'kind'>): Reading => ({ kind: 'reading', ...row });
export const changing = (row: Omit<Changing, 'kind'>): Changing => ({ kind: 'changing', ...row });
export const deciding = (row: Omit<Deciding, 'kind'>): Deciding => ({ kind: 'deciding', ...row });
export const looking = (line: string, says: string): Looking => ({ kind: 'looking', line, says });
export const recording = (of: { line: string } | { menu: string }): Recording => ({ kind: 'recording', ...of });

/** The document's own sample of an endpoint, where `other` does not say otherwise. */
export function sends(endpoint: EndpointName, other: Partial<Sent> = {}): Pick<Changing, 'endpoint' | 'sends'> {
  const { method, sample, body } = contract[endpoint];
  return { endpoint, sends: { method, path: sample, body, ...other } };
}

/** What all power actions share. */
export const power = (word: string, endpoint: EndpointName, asks: Changing['asks'], would: RegExp): Changing =>
  changing({
    line: `/power ${word} server:web-1`,
    asks,
    several: true,
    ...sends(endpoint),
    would,
    outcome: 'accepted',
    follows: 'power',
    says: 'not done yet',
  });
