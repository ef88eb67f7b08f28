import type { Markup } from '../card.ts';
import type { PreparedChange } from '../command.ts';
import type { Actor, RawOptions, Server } from '../outcome.ts';
import type { EntryPlace, NewRunEntry } from '../runs/entry.ts';

export type Facts = Readonly<Record<string, string | number | boolean>>;

/** One run to execute. `facts`: the settings that the question was based on, which must still hold. */
export interface Run {
  run: string;
  server: Server;
  facts?: Facts;
}

/** Break-glass: why somebody goes on, and the invocation that waits for others and is closed by that. */
export interface BreakGlass {
  why: string;
  over?: string;
}

/** One after the other: the servers that are left, and the question about all of them, which is closed by that. */
export interface InTurn {
  rest?: string;
  over?: string;
}

/** A line about a run that was not over, for the card of a later one. */
export interface Warning {
  run: string;
  says: Markup;
}

export interface Work {
  invocationId: string;
  command: string;
  actor: Actor;
  place: EntryPlace;
  options: RawOptions;
  prepared: PreparedChange;
  runs: readonly Run[];
  isConfirmed?: true;
  /** The roles by which it was allowed last, at Confirm. Default: those of the requester. */
  roles?: readonly string[];
  /** The roles that those who approved have now, by their ids. Default: those by which they approved. */
  approverRoles?: ReadonlyMap<string, readonly string[]>;
  /** The invocation that this undoes. Parts that were undone meanwhile are not undone again. */
  undoes?: string;
  /** `seq` of the entry whose button began it: what was done since is not done again. */
  since?: number;
  breakGlass?: BreakGlass;
  /** See Typed. */
  isSuggested?: true;
  inTurn?: InTurn;
  /** The freezes, `seq`, of which its question told. */
  overriddenFreezes?: readonly number[];
  /** Shown on the card beside the outcome. */
  says?: readonly Markup[];
  warns?: readonly Warning[];
}

export type Ending = Pick<NewOutcome, 'outcome' | 'reason' | 'said' | 'undo' | 'remind' | 'ends'> & { detail?: Markup };
export type NewOutcome = Extract<NewRunEntry, { kind: 'outcome' }>;
