import type { Markup } from '../card.ts';
import type { RawOptions } from '../outcome.ts';
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
