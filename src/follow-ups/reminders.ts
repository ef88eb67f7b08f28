import type { Card } from '../card.ts';
import type { NewRunEntry, RunEntry } from '../ledger/entry.ts';
import type { Ledger, RunState } from '../ledger/ledger.ts';
import { idAt, type Log } from '../outcome.ts';
import { clockSkew } from './conclude.ts';
import { botActor, stemOf } from './follow-up.ts';
import type { FollowUpDesk } from './shower.ts';

export interface ReminderParts {
  ledger: Pick<Ledger, 'append' | 'refresh' | 'reminders' | 'runs'>;
  desk: Pick<FollowUpDesk, 'find' | 'reply'>;
  /** The message that pings about the runs of an invocation. */
  card(stem: string): Card | undefined;
  /** Whether what a run left on its server is still so. */
  isLoose(state: RunState): boolean;
  /** After the runs of an invocation had their reminder: their card has to say so. Never rejects. */
  reminded(stem: string): Promise<void>;
  /** Whether it is this process that does it. */
  mine(): Promise<boolean>;
  /** How often is looked for what is due, in ms. */
  every: number;
  now(): number;
  log: Log;
}

/** What is tried again is tried less and less often, in ms. */
const longestPause = 300_000;

/**
 * Pings actors about what they wanted to be reminded of, where that is still loose, once. The ledger says what is due, and the
 * channel is looked through before a message is posted: neither a kill nor an empty Redis makes two of it, or none.
 */
export function createReminders(parts: ReminderParts): { close(): Promise<void> } {
  const { ledger, desk, log, now } = parts;
  const pauses = new Map<string, { until: number; ms: number }>();
  let under: Promise<void> | undefined;

  /** The invocations of which the last reminder is due: several servers share a message. */
  function due(): string[] {
    const stems = new Map<string, number>();
    for (const { run, remind } of ledger.reminders()) {
      const at = Date.parse(remind ?? '');
      stems.set(stemOf(run), Math.max(at, stems.get(stemOf(run)) ?? 0));
    }
    return [...stems].flatMap(([stem, at]) => (at <= now() && (pauses.get(stem)?.until ?? 0) <= now() ? [stem] : []));
  }

  /** As the ledger has it now. */
  const stillLoose = (waiting: readonly RunState[]): boolean =>
    waiting.some(({ run }) => ledger.runs(stemOf(run)).some((state) => state.run === run && parts.isLoose(state)));

  async function remind(stem: string): Promise<void> {
    const waiting = ledger.runs(stem).filter((state) => state.remind !== undefined && !state.reminded);
    const message = stillLoose(waiting) ? await ping(stem, waiting) : undefined;
    const entries = waiting.flatMap(({ outcome }) => (outcome === undefined ? [] : [entryOf(outcome, message)]));
    await ledger.append(entries);
    await parts.reminded(stem);
  }

  async function ping(stem: string, waiting: readonly RunState[]): Promise<string | undefined> {
    const known = parts.card(stem);
    const first = waiting[0]?.outcome;
    const message = waiting.flatMap(({ followUp }) => followUp?.card ?? [])[0] ?? first?.place.message;
    if (known === undefined || first === undefined || message === undefined) return undefined;
    const { channel } = first.place;
    const pings = [first.actor.id];
    // It can only have been posted once it was due: the traffic before does not matter.
    const since = Math.min(...waiting.map((state) => Date.parse(state.remind ?? '')));
    const posted = await desk.find({ channel, message: idAt(since - clockSkew) }, known, pings);
    if (posted !== undefined) return posted;
    // To look takes time, in which it may have been undone.
    await ledger.refresh();
    const card = stillLoose(waiting) ? parts.card(stem) : undefined;
    return card === undefined ? undefined : desk.reply({ channel, message }, card, pings);
  }

  async function turn(): Promise<void> {
    await ledger.refresh();
    if (due().length === 0 || !(await parts.mine())) return;
    // What another process did meanwhile.
    await ledger.refresh();
    for (const stem of due()) {
      try {
        await remind(stem);
        pauses.delete(stem);
      } catch (error) {
        const ms = Math.min(longestPause, 2 * (pauses.get(stem)?.ms ?? parts.every));
        pauses.set(stem, { until: now() + ms, ms });
        log.warn({ run: stem, problem: String(error) }, 'a reminder has to be given later');
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

const entryOf = (
  { run, command, server, place: { guild, channel } }: RunEntry,
  message: string | undefined,
): NewRunEntry => ({
  run,
  kind: 'reminded',
  actor: botActor,
  command,
  options: {},
  ...(server === undefined ? {} : { server }),
  place: { guild, channel, ...(message === undefined ? {} : { message }) },
});
