import type { Doubt, NotSentReason, Rejection } from './reasons.ts';

/** How a run ended: a closed list that card, ledger and log share. */
export const outcomes = [
  'succeeded',
  'accepted',
  'rejected',
  'not-sent',
  'unknown',
  'denied',
  'invalid',
  'cancelled',
  'expired',
  'blocked',
  'unavailable',
] as const;
export type Outcome = (typeof outcomes)[number];

export const ends = ['finished', 'failed', 'unknown', 'stopped'] as const;
export type End = (typeof ends)[number];

/** The result of a call of the panel. `said`: text from outside. `loose`: what can be shown of another form. */
export type CallResult<T> =
  | { kind: 'yes'; data: T }
  | { kind: 'no'; reason: Rejection; status: number; said?: string }
  | { kind: 'not-sent'; reason: NotSentReason; said?: string }
  | { kind: 'unknown'; reason: Doubt; status?: number; said?: string; loose?: Loose };

/** A part of an answer that does not have the expected form: what it would be, and its content without secrets. */
export interface Unexpected {
  what: string;
  value: unknown;
}

/** What of a read's answer can be shown although it does not have the expected form. Nothing is decided by it. */
export interface Loose {
  data?: unknown;
  unexpected: readonly Unexpected[];
}

export const outcomeOf = { no: 'rejected', 'not-sent': 'not-sent', unknown: 'unknown' } as const;

/** The only error whose text people may see: an option broke a rule, which is trusted text. `meant`: probably this. */
export class Invalid extends Error {
  readonly option: string;
  readonly rule: string;
  readonly meant?: RawOptions;
  constructor(option: string, rule: string, meant?: RawOptions) {
    super(`${option}: ${rule}`);
    this.name = 'Invalid';
    this.option = option;
    this.rule = rule;
    this.meant = meant;
  }
}

/** The ledger cannot be written. Every append that did not reach the disk throws it. */
export class LedgerUnavailable extends Error {
  constructor(cause?: unknown) {
    super('the ledger cannot be written', { cause });
    this.name = 'LedgerUnavailable';
  }
}

const unreached = { problem: 'Redis cannot be reached', remedy: 'Check REDIS_URL, and that Redis is up.' };

/** Redis did not answer in time, or not as a Redis that lets us in. Neither text has anything of REDIS_URL in it. */
export class RedisUnavailable extends Error {
  readonly problem: string;
  readonly remedy: string;
  constructor(cause?: unknown, { problem, remedy } = unreached) {
    super(problem, { cause });
    this.name = 'RedisUnavailable';
    this.problem = problem;
    this.remedy = remedy;
  }
}

/** Discord did not answer the login, or broke off during a first answer. */
export class DiscordUnavailable extends Error {
  constructor(cause?: unknown) {
    super('Discord cannot be reached', { cause });
    this.name = 'DiscordUnavailable';
  }
}

/** Discord takes no such request before `until`, in ms. `words`: one sentence without secrets. */
export class Limited extends Error {
  readonly until: number;
  constructor(words: string, until: number) {
    super(`${words} It takes them again at ${new Date(until).toISOString()}.`);
    this.name = 'Limited';
    this.until = until;
  }
}

/** The bot is not in the guild, or was invited without the permission to have commands there. */
export class NotInGuild extends Error {
  constructor(cause?: unknown) {
    super('the bot is not in the guild, or may have no commands there', { cause });
    this.name = 'NotInGuild';
  }
}

/** Discord denies access to a channel: hidden, or not to be written in; or, for the audit channel, deleted. */
export class ChannelClosed extends Error {
  constructor() {
    super('the channel is closed to the bot');
    this.name = 'ChannelClosed';
  }
}

/** The check of the ledger did not finish: it took too much memory or time, or failed, with the error as cause. */
export class CheckStopped extends Error {
  readonly why: 'memory' | 'time' | 'fault';
  constructor(why: CheckStopped['why'], cause?: unknown) {
    super(`the check of the ledger was stopped (${why})`, { cause });
    this.name = 'CheckStopped';
    this.why = why;
  }
}

export interface Actor {
  id: string;
  name: string;
  roles: readonly string[];
}

/** The application that a bot's token is of, which stays when the token is replaced. Undefined if it cannot be read. */
export function applicationOf(token: string): string | undefined {
  const id = Buffer.from(token.split('.', 1).join(), 'base64').toString('latin1');
  return /^\d{17,20}$/.test(id) ? id : undefined;
}

export const botActor: Actor = { id: '0', name: 'panelops', roles: [] };

/** Where a command was typed. `parent` is the channel of a thread. */
export interface Place {
  guild: string;
  channel: string;
  parent?: string;
}

/** The channel of what was typed in the shell of the bot's machine. */
export const shellChannel = 'shell';

/** A server as people know it. Unlisted servers have no name. */
export interface Server {
  id: number;
  name?: string;
  tier?: string;
  group?: number;
  ips?: readonly string[];
  /** What the panel calls it, where nobody can type that. */
  called?: string;
  /** Its name is only the panel's, and gives nobody a right. */
  unwritten?: true;
  /** The panel lists it no more: it is known by its id alone. */
  gone?: true;
  suspended?: true;
  protected?: true;
  /** The tiers that hold it beside its own: every one, where nothing says which is its. */
  heldTo?: 'every' | readonly string[];
}

/** Whether what is said of a tier is about this server. */
export const isOfTier = ({ tier, heldTo = [] }: Pick<Server, 'tier' | 'heldTo'>, name: string): boolean =>
  heldTo === 'every' || [tier, ...heldTo].some((each) => each?.toLowerCase() === name.toLowerCase());

export const dangers = ['read', 'write', 'destructive', 'audit'] as const;
/** What a command may do to the platform; `audit` reads the ledger. */
export type Danger = (typeof dangers)[number];

/**
 * The policy's answer. `role` is the role's name, `by` the rule as written ("read", "power.*"). `missing` is the
 * command's id, `holders` the names of the roles that may (on that server), in the file's order. For a `hidden` server,
 * only the `typed` text is revealed, and what of their own it may have meant. `shift`: the schedule whose shift they lack,
 * and whether it is known who has it.
 */
export type Ruling =
  | { allowed: true; role: string; by: string }
  | {
      allowed: false;
      why: 'role' | 'server' | 'unlisted' | 'hidden' | 'shift';
      shift?: { of: string; isKnown: boolean };
      typed?: string;
      near?: readonly string[];
      missing: string;
      holders: readonly string[];
      server?: Server;
    };

/** Options as Discord sends them and the ledger stores them. */
export type RawOptions = Readonly<Record<string, string | number | boolean>>;

/** The log for operators. Never contains secrets. */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** The epoch of Discord's ids, in ms. */
const firstId = Date.UTC(2015, 0, 1);

/** The creation time of a Discord id, in ms. */
export const madeAt = (id: string): number => Number(BigInt(id) >> 22n) + firstId;

/** The Discord id for that time, in ms. */
export const idAt = (ms: number): string => String(BigInt(ms - firstId) << 22n);

/** A mark for each state, so that nobody has to tell colours apart: plain characters, which every device can show. */
export const marks = {
  ...{ working: '◌', question: '?', reminder: '♪', alert: '▲', succeeded: '✓', accepted: '◐', finished: '■' },
  ...{ failed: '✗', rejected: '⊘', 'not-sent': '⊖', unknown: '△', happened: '◆', 'did not happen': '◇' },
  ...{
    denied: '⊗',
    invalid: '✎',
    cancelled: '∅',
    expired: '◷',
    blocked: '⊠',
    unavailable: '▽',
    stopped: '□',
    read: '≡',
  },
};
