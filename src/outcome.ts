import type { Doubt, Hold, Rejection } from './reasons.ts';

/** How a run ended: the closed list that card, ledger and log share. */
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
/** How a follow-up ends. */
export type End = (typeof ends)[number];

/**
 * What the panel, or the attempt to reach it, came to. `said` is the panel's own message: text from outside.
 * `data` is undefined when a yes came with details that could not be read.
 */
export type Answer<T> =
  | { kind: 'yes'; data: T | undefined }
  | { kind: 'no'; reason: Rejection; status: number; said?: string }
  | { kind: 'not-sent'; reason: Hold; said?: string }
  | { kind: 'unknown'; reason: Doubt; status?: number };

/** The outcome of an answer that was not a yes. */
export const outcomeOf = { no: 'rejected', 'not-sent': 'not-sent', unknown: 'unknown' } as const;

/** The only error whose text may be shown to a person: an option broke a rule. `rule` is text of ours, `option` its name. */
export class Invalid extends Error {
  readonly option: string;
  readonly rule: string;
  constructor(option: string, rule: string) {
    super(`${option}: ${rule}`);
    this.name = 'Invalid';
    this.option = option;
    this.rule = rule;
  }
}

/** The ledger could not write. Thrown by every append that did not reach the disk. */
export class LedgerUnavailable extends Error {
  constructor(cause?: unknown) {
    super('the ledger cannot be written', { cause });
    this.name = 'LedgerUnavailable';
  }
}

/** Redis did not answer in time or at all. */
export class RedisUnavailable extends Error {
  constructor(cause?: unknown) {
    super('Redis cannot be reached', { cause });
    this.name = 'RedisUnavailable';
  }
}

/** Discord did not answer when the bot logged in, or broke off when the bot gave its first answer to somebody. */
export class DiscordUnavailable extends Error {
  constructor(cause?: unknown) {
    super('Discord cannot be reached', { cause });
    this.name = 'DiscordUnavailable';
  }
}

/** The bot is not in the guild, or was invited without the right to have commands there. */
export class NotInGuild extends Error {
  constructor(cause?: unknown) {
    super('the bot is not in the guild, or may have no commands there', { cause });
    this.name = 'NotInGuild';
  }
}

/**
 * Discord refuses the bot in a channel: it is hidden from the bot; of the audit channel also: it is gone, or a right is
 * missing.
 */
export class ChannelClosed extends Error {
  constructor() {
    super('the channel is closed to the bot');
    this.name = 'ChannelClosed';
  }
}

/** The check of the ledger did not come to its end: it took too much memory or time, or met a fault, which is the cause. */
export class CheckStopped extends Error {
  readonly why: 'memory' | 'time' | 'fault';
  constructor(why: CheckStopped['why'], cause?: unknown) {
    super(`the check of the ledger was stopped (${why})`, { cause });
    this.name = 'CheckStopped';
    this.why = why;
  }
}

/** Who acts, with the role ids of this moment. */
export interface Actor {
  id: string;
  name: string;
  roles: readonly string[];
}

/** Who acts when nobody does. */
export const botActor: Actor = { id: '0', name: 'panelops', roles: [] };

/** Where a command was typed. `parent` is the channel of a thread. */
export interface Place {
  guild: string;
  channel: string;
  parent?: string;
}

/** A server as people know it. Unlisted servers have no name. */
export interface Server {
  id: number;
  name?: string;
  tier?: string;
  group?: number;
  ips?: readonly string[];
}

export const dangers = ['read', 'write', 'destructive', 'audit'] as const;
/** What a command may do to a platform; `audit` looks into the ledger. */
export type Danger = (typeof dangers)[number];

/**
 * The policy's answer. `role` is the role's name, `by` the rule as written ("read", "power.*"). `missing` is the command's id,
 * `holders` the names of the roles that may (on that server), in the file's order. Of a server that is `hidden`, no more is told than
 * what was `typed` for it.
 */
export type Decision =
  | { allowed: true; role: string; by: string }
  | {
      allowed: false;
      why: 'role' | 'server' | 'unlisted' | 'hidden';
      typed?: string;
      missing: string;
      holders: readonly string[];
      server?: Server;
    };

/** Options as Discord delivers them and as the ledger keeps them. */
export type RawOptions = Readonly<Record<string, string | number | boolean>>;

/** Where the parts write what an operator should know. Never a secret. */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Discord's ids begin with the ms since then. */
const firstId = Date.UTC(2015, 0, 1);

/** When Discord made something, in ms, as its id tells. */
export const madeAt = (id: string): number => Number(BigInt(id) >> 22n) + firstId;

/** The id that a message of that moment, in ms, would have. */
export const idAt = (ms: number): string => String(BigInt(ms - firstId) << 22n);
