import type { Button, Markup } from '../../card.ts';
import type { Command, PreparedChange } from '../../command.ts';
import type { Actor, RawOptions, Server } from '../../outcome.ts';
import type { Records } from '../../runs/book.ts';
import type { Kind } from '../../runs/entry.ts';
import type { News } from '../../runs/news.ts';
import type { RunState } from '../../runs/state.ts';

/** What was last seen of a job, since this process follows it. Times in ms. */
export interface JobSeen {
  /** The panel's word for the state, unchanged. */
  word?: string;
  /** From 0 to 100. */
  progress?: number;
  message?: string;
  /** When a look last found news, and when one last succeeded. */
  newsAt?: number;
  at?: number;
  /** Set until the first look, if another process followed it before: since when this one does. */
  since?: number;
}

/** `blind`: looks have failed for a while. `late`: it takes longer than usual. `no-read`: the panel cannot read such jobs. */
export type JobLook = 'no-read' | (JobSeen & { blind?: true; late?: true });

/** Everything that the card of one invocation is drawn from. */
export interface Known {
  invocationId: string;
  command: string;
  actor: Actor;
  options: RawOptions;
  servers: readonly Server[];
  /** Its runs from the ledger and the outbox. */
  states: readonly RunState[];
  /** The last look at the job of each followed run. */
  looks: ReadonlyMap<string, JobLook>;
}

export interface Drawing {
  records: Pick<Records, 'outcomes' | 'closed' | 'run' | 'freezes'>;
  command(id: string): Command | undefined;
  /** Whether the panel offers a read of such jobs. */
  canLook(follow: 'restore' | 'power'): boolean;
  /** The command of an earlier run. Undefined if the policy or the command no longer accepts its options. */
  prepare(of: { command: string; options: RawOptions }): PreparedChange | undefined;
  /** Whom the policy pings about such news: ids of users, and of roles with the prefix `&`. */
  recipients(news: readonly News[], requester: string): readonly string[];
  /** Whether these roles may run the command with break-glass on all of these servers. */
  mayBreakGlass(roles: readonly string[], command: string, servers: readonly Server[]): boolean;
  /** The ids of the roles that may approve on all of these servers; with a command's id, that may run it there. */
  approvers(servers: readonly Server[], command?: string): readonly string[];
  thawers(): readonly string[];
  /** Their names, where the policy lets people ask others. */
  thawersToAsk(): readonly string[];
  /** The seal of a question's button: a keyed hash of the kind, the `asked` entry and its message. */
  seal(
    kind: 'confirm' | 'typed' | 'cancel' | 'approve' | 'accept' | 'decline',
    asked: Kind<'asked' | 'requested'>,
  ): string;
}

/** What can still be done about the runs of a card, or what happened to them since. */
export interface Offer {
  body: readonly Markup[];
  next?: readonly Markup[];
  buttons: readonly Button[];
}

/** All offers of a card. `left`: runs that were not sent and not done since. `undone`: by whom all was undone. */
export interface Offers extends Offer {
  left: readonly RunState[];
  undone?: Markup;
}
