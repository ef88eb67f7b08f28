import type { Markup } from '../card.ts';
import type { CallResult, RawOptions, Server } from '../outcome.ts';
import type { Data, EndpointName, endpoints, Input } from '../panel/endpoints.ts';
import type { Kept } from '../runs/kept.ts';

type Raw = string | number | boolean;

/** The current settings of one server: `facts` must still hold when the change is sent; the question shows `says`. */
export interface Preview {
  facts?: Readonly<Record<string, Raw>>;
  /** What else a later look compares with. It need not hold. */
  before?: Readonly<Record<string, Raw>>;
  /** What the change would remove. */
  kept?: Kept;
  /** From the ledger: the options of the last run that gave exactly that. */
  gave?: RawOptions;
  says: readonly Markup[];
}

/** What the ledger knows of what was set before a change, each the options of an earlier run on that server. */
export interface Past {
  /** The last one of the same command that succeeded. */
  remembered?: RawOptions;
  /** The last one that gave exactly what the change removes. */
  gave?: RawOptions;
}

export type Before = Readonly<Record<string, Raw>>;

/** What a look at a server says of a run that ended unknown. */
export interface Verdict {
  /** Undefined: it cannot tell. */
  happened?: boolean;
  fact: Markup;
  /** What was before, where that was read; and what is now. */
  says: readonly Markup[];
}

export type ReadEndpoint = {
  [E in EndpointName]: (typeof endpoints)[E]['method'] extends 'GET' ? E : never;
}[EndpointName];
/** Reads from the panel, or throws ReadFailed. */
export type Read<R extends ReadEndpoint = ReadEndpoint> = <E extends R>(
  endpoint: E,
  input: Input<E>,
) => Promise<NonNullable<Data<E>>>;
/** When a server's backups were made, in ms, newest first. Undefined: nobody knows where the panel lists them. */
export type Backups = readonly number[] | 'unread' | undefined;
export type ReadBackups = (server: Server) => Promise<Backups>;
export type Call = <E extends EndpointName>(endpoint: E, input: Input<E>) => Promise<CallResult<Data<E>>>;

/** A read returned no data. The result says why. */
export class ReadFailed extends Error {
  readonly result: Exclude<CallResult<never>, { kind: 'yes' }>;
  /** Additional lines for the card. */
  readonly beside: readonly Markup[];
  constructor(result: Exclude<CallResult<never>, { kind: 'yes' }>, beside: readonly Markup[] = []) {
    super(`read failed: ${result.reason}`);
    this.name = 'ReadFailed';
    this.result = result;
    this.beside = beside;
  }
}

/** Another command with its options, for a button that runs it like a typed command. */
export interface Step {
  command: string;
  options: RawOptions;
}

/** A button: it undoes or applies what one run did, closes a review, cancels a terminal's question, shows what a read shows, or what a change would send. */
export type ViewOffer = { label: string } & (
  | { does: 'undo' | 'apply' | 'review' | 'cancel'; run: string }
  | { does: 'show' | 'trial'; step: Step }
);
