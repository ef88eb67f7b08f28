import type { Button, Markup } from '../../card.ts';
import type { Command, PreparedChange } from '../../command.ts';
import type { Actor, RawOptions, Server } from '../../outcome.ts';
import type { Records } from '../../runs/book.ts';
import type { Kind } from '../../runs/entry.ts';
import type { RunState } from '../../runs/state.ts';

/** What the last look at a job saw, times in ms; `no-read`: the panel offers no way to look at such jobs. */
export type JobLook =
  | 'no-read'
  | {
      /** The panel's word for its state, as it came. */
      word?: string;
      /** From 0 to 100. */
      progress?: number;
      message?: string;
      /** When a look last brought news, and when one last worked. */
      newsAt?: number;
      at?: number;
      /** Not seen since then, in ms: whether it was before is not kept. */
      since?: number;
      /** Looking has failed for a while. */
      blind?: true;
      /** It takes longer than its command usually does. */
      late?: true;
    };

/** What is known of one invocation: all that its card is drawn from. */
export interface Known {
  invocationId: string;
  command: string;
  /** Who asked for it. */
  actor: Actor;
  options: RawOptions;
  /** Its servers, whether their runs have begun or not. */
  servers: readonly Server[];
  /** Its runs as the ledger has them, and what the ledger could not take yet. */
  states: readonly RunState[];
  /** The last look at the job of each run that is followed. */
  looks: ReadonlyMap<string, JobLook>;
}

/** What drawing asks beside what is known of the invocation. */
export interface Drawing {
  records: Pick<Records, 'outcomes' | 'closed' | 'run'>;
  command(id: string): Command | undefined;
  /** The command of a run as it was then; undefined where the policy or the command does not let it be read any more. */
  prepare(of: { command: string; options: RawOptions }): PreparedChange | undefined;
  /** What proves that a button of a question is ours: a keyed hash of the kind, the `asked` entry and its message. */
  seal(kind: 'confirm' | 'typed' | 'cancel', asked: Kind<'asked'>): string;
}

/** Something that can still be done about the runs of a card, or what became of them since. */
export interface Offer {
  body: readonly Markup[];
  buttons: readonly Button[];
}

/** All of that. `left`: the runs of which nobody did since what they did not send. */
export interface Offers extends Offer {
  left: readonly RunState[];
}
