import type { Card } from '../card.ts';
import { postOnce } from '../cards/announce.ts';
import type { Messages } from '../cards/messages.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../outcome.ts';
import type { NewEntry } from '../runs/entry.ts';
import { isStillOpen } from '../runs/history.ts';
import { invocationOf } from '../runs/ids.ts';
import type { RunState } from '../runs/state.ts';
import { unlessRefused, upToDate } from './announce.ts';
import { botActor } from './follow-up.ts';

export interface ReminderParts {
  ledger: Pick<Ledger, 'append' | 'refresh' | 'reminders' | 'runs' | 'run' | 'outcomes' | 'closed' | 'effects'>;
  messages: Pick<Messages, 'find' | 'reply'>;
  /** The message that pings about the runs of an invocation. */
  card(invocationId: string): Card | undefined;
  /** Whether it is this process that does it. */
  isLeader(): Promise<boolean>;
  /** How often is looked for what is due, in ms. */
  every: number;
  now(): number;
  log: Log;
}

/** What is tried again is tried less and less often, in ms. */
const longestPause = 300_000;

/**
 * Pings actors about what they wanted to be reminded of, where that is still open, once. The ledger says what is due, and the
 * channel is looked through before a message is posted: neither a kill nor an empty Redis makes two of it, or none.
 */
export function createReminders(parts: ReminderParts): { close(): Promise<void> } {
  const { ledger, log, now } = parts;
  const pauses = new Map<string, { until: number; ms: number }>();
  let under: Promise<void> | undefined;

  async function turn(): Promise<void> {
    await ledger.refresh();
    const isDue = (id: string): boolean => (pauses.get(id)?.until ?? 0) <= now();
    if (!due(parts).some(isDue) || !(await parts.isLeader())) return;
    // What another process did meanwhile.
    await ledger.refresh();
    for (const id of due(parts).filter(isDue)) {
      try {
        await remind(parts, id);
        pauses.delete(id);
      } catch (error) {
        const ms = Math.min(longestPause, 2 * (pauses.get(id)?.ms ?? parts.every));
        pauses.set(id, { until: now() + ms, ms });
        log.warn({ invocation: id, problem: String(error) }, 'a reminder has to be given later');
      }
    }
  }

  const timer = setInterval(() => {
    under ??= turn()
      .catch((error: unknown) => log.debug({ problem: String(error) }, 'reminders were not looked at'))
      .finally(() => {
        under = undefined;
      });
  }, parts.every);
  return {
    async close() {
      clearInterval(timer);
      await under;
    },
  };
}

const dueAt = ({ remind }: RunState): number => Date.parse(remind ?? '');

/** The invocations of which the last reminder is due: several servers share a message. */
function due({ ledger, now }: ReminderParts): string[] {
  const last = new Map<string, number>();
  for (const state of ledger.reminders()) {
    const id = invocationOf(state.run);
    last.set(id, Math.max(dueAt(state), last.get(id) ?? 0));
  }
  return [...last].flatMap(([id, at]) => (at <= now() ? [id] : []));
}

const waitingOf = ({ ledger }: ReminderParts, id: string): RunState[] =>
  ledger.runs(id).filter(({ remind, reminded }) => remind !== undefined && reminded === undefined);

async function remind(parts: ReminderParts, id: string): Promise<void> {
  const waiting = waitingOf(parts, id);
  const message = await ping(parts, id, waiting);
  const entries = waiting.flatMap((state) => entryOf(state, message) ?? []);
  await unlessRefused(parts.ledger.append(entries));
}

/** Nothing is posted about what is not open any more. */
function ping(parts: ReminderParts, id: string, waiting: readonly RunState[]): Promise<string | undefined> {
  const { ledger } = parts;
  const messages = upToDate(parts.messages, ledger);
  const first = waiting[0]?.outcome;
  const message = waiting.flatMap(({ followUp }) => followUp?.card ?? [])[0] ?? first?.place.message;
  if (first === undefined || message === undefined) return Promise.resolve(undefined);
  const isOpen = (): boolean => waitingOf(parts, id).some((state) => isStillOpen(ledger, state));
  const card = (): Card | undefined => (isOpen() ? parts.card(id) : undefined);
  // It can only have been posted once it was due: the traffic before does not matter.
  const since = Math.min(...waiting.map(dueAt));
  return postOnce(messages, { channel: first.place.channel, message }, { card, pings: [first.actor.id], since });
}

function entryOf({ run, outcome }: RunState, message: string | undefined): NewEntry | undefined {
  if (outcome === undefined) return undefined;
  const { command, server, place } = outcome;
  return {
    run,
    kind: 'reminded',
    actor: botActor,
    command,
    options: {},
    ...(server === undefined ? {} : { server }),
    place: { guild: place.guild, channel: place.channel, ...(message === undefined ? {} : { message }) },
  };
}
