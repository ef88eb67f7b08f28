import { type Card, trusted } from '../card.ts';
import { note } from '../cards/render/parts.ts';
import type { Command } from '../command.ts';
import { changesState } from '../decide/reach.ts';
import { LedgerDamaged } from '../ledger/ledger.ts';
import { DiscordUnavailable, LedgerUnavailable, type Log, RedisUnavailable } from '../outcome.ts';
import { type Reason, reasons } from '../reasons.ts';

/** Whose fault an error is, by its reason. Only what nobody else broke is a bug. */
type Fault = 'discord-broke' | 'ledger-unavailable' | 'ledger-damaged' | 'redis-unavailable' | 'bot-fault';

/** Why a command was interrupted. `ledger-replaced`: the ledger that had it is lost. */
export type Interruption = 'bot-restarted' | 'ledger-replaced' | Fault;

export function faultOf(error: unknown): Fault {
  if (error instanceof DiscordUnavailable) return 'discord-broke';
  const isRedis = (each: unknown): boolean => each instanceof RedisUnavailable;
  if (isRedis(error) || (error instanceof LedgerUnavailable && isRedis(error.cause))) return 'redis-unavailable';
  if (error instanceof LedgerDamaged) return 'ledger-damaged';
  // Older entries are read from the disk, whose errors name a system call.
  const isDisk = error instanceof Error && 'syscall' in error;
  return error instanceof LedgerUnavailable || isDisk ? 'ledger-unavailable' : 'bot-fault';
}

/** For the log, after what failed. */
const faultWords: Readonly<Record<Fault, string>> = {
  'discord-broke': 'because Discord did not take an answer',
  'ledger-unavailable': 'because the ledger cannot be used',
  'ledger-damaged': 'because the ledger is damaged',
  'redis-unavailable': 'because Redis cannot be reached',
  'bot-fault': 'because of a bug in the bot',
};

/** The outcome where a fault ended something before it began. */
export const outcomeOfFault = (fault: Interruption): 'unavailable' | 'not-sent' =>
  fault === 'ledger-unavailable' || fault === 'ledger-damaged' || fault === 'redis-unavailable'
    ? 'unavailable'
    : 'not-sent';

/** Maps an error of the ledger or the shared Redis to an outcome. Throws any other error. */
export function unavailable(error: unknown): { outcome: 'unavailable'; reason: Reason } {
  const reason = faultOf(error);
  if (reason === 'bot-fault' || reason === 'discord-broke') throw error;
  return { outcome: 'unavailable', reason };
}

/** Logs that `what` failed: as an error where somebody has to mend the bot. */
export function logFault(log: Log, facts: object, what: string, error: unknown): void {
  const fault = faultOf(error);
  log[fault === 'bot-fault' ? 'error' : 'warn'](
    { ...facts, problem: problemOf(error) },
    `${what} ${faultWords[fault]}`,
  );
}

/** Of what others broke, what they said. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? (error.stack ?? error.message) : `${error.message}: ${String(error.cause)}`;
}

/** For a command without runs, or a click, that was broken off: nothing there offers to ask again. */
const stopped = (name: string, why: Interruption, again: string): Card => {
  const outcome = outcomeOfFault(why);
  const next = why === 'bot-fault' ? `${again}; the log has why.` : `${again}.`;
  return note(outcome, name, trusted(reasons[why].why), trusted(outcome === 'unavailable' ? reasons[why].next : next));
};

/** A read may have reached the panel by then: only of changes the ledger has what was sent. */
const cutShort: Partial<Record<Interruption, string>> = {
  'bot-restarted': 'The bot was restarted before it could answer.',
  'ledger-replaced': 'The bot was restarted before it could answer.',
  'bot-fault': 'The bot failed because of a bug, before it could answer.',
};

export function brokenOff(name: string, why: Interruption, command?: Pick<Command, 'danger'>): Card {
  const fact = command === undefined || changesState(command) ? undefined : cutShort[why];
  if (fact === undefined) return stopped(name, why, 'Type it again');
  const log = why === 'bot-fault' ? '; the log has why' : '';
  return note('unknown', name, trusted(fact), trusted(`A read changes nothing: type it again${log}.`));
}

/** For a click that failed. */
export const troubleCard = (error: unknown): Card => stopped('this button', faultOf(error), 'Press it again');
