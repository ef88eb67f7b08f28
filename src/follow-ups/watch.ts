import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { trusted } from '../card.ts';
import { lastSeen } from '../cards/render/index.ts';
import { type Ledger, Refused } from '../ledger/ledger.ts';
import { type Actor, botActor } from '../outcome.ts';
import type { Step } from '../runs/entry.ts';
import { deadlineOf, type FollowUp, followUpEntry, followUpOf, type Started, startedAt } from '../runs/follow-up.ts';
import { againIn, type Told } from '../waits.ts';
import { after, type JobStatus, type Looks, nothingSeen, pause, type Seen } from './seen.ts';
import type { Source } from './source.ts';

/** In ms. */
export interface Intervals {
  first: number;
  most: number;
  /** The first retry delay after an error of the ledger or Redis; grows to `most`. */
  retry: number;
}

export interface Watching {
  ledger: Pick<Ledger, 'append' | 'run'>;
  source: Pick<Source, 'turn' | 'look'>;
  looks: Pick<Looks, 'take' | 'forget'>;
  stuckAfter(command: string): number | undefined;
  intervals: Intervals;
  now(): number;
  random(): number;
  trouble: Told;
}

/** Looks at jobs, until each is over. `within`: runs each turn. */
export function createWatcher(parts: Watching & { within(run: string, turn: () => Promise<Next>): Promise<Next> }) {
  const { ledger, intervals, now, within } = parts;
  const following = new Map<string, Promise<void>>();
  const closing = new AbortController();
  // A thousand jobs may be watched at once.
  setMaxListeners(0, closing.signal);
  const from = now();

  async function untilOver(run: string): Promise<void> {
    const { started } = followUpOf(ledger.run(run))?.followUp ?? {};
    let seen: Seen =
      started !== undefined && startedAt(started) < from ? { ...nothingSeen, since: now() } : nothingSeen;
    while (!closing.signal.aborted) {
      const next = await within(run, () => watch(parts, run, seen));
      if (next === 'over') return;
      seen = next.seen;
      // In strides and by two clocks, so that a machine that slept, or a clock that was set, makes no look late.
      const until = performance.now() + next.at - now();
      const left = (): number => Math.min(next.at - now(), until - performance.now());
      while (!closing.signal.aborted && left() > 0)
        await delay(Math.min(left(), intervals.most), undefined, closing).catch(() => undefined);
    }
  }

  return {
    /** Resolves when the follow-up of this run is over, or watching ends. Whoever asks again waits for the same. Never rejects. */
    follow(run: string): Promise<void> {
      const known = following.get(run) ?? untilOver(run).finally(() => following.delete(run));
      following.set(run, known);
      return known;
    },
    /** Looks no more, and waits for looks that are under way, for a second at most. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.race([Promise.all(following.values()), delay(1_000, undefined, { ref: false })]);
    },
  };
}

/** When to look again, and the state to keep; or that the follow-up has ended. */
export type Next = { at: number; seen: Seen } | 'over';

/** One turn: looks at the job, keeps news, records its end. It only reads, so it is safe to repeat. Never rejects. */
export async function watch(parts: Watching, run: string, before: Seen): Promise<Next> {
  const { retry, most } = parts.intervals;
  try {
    const next = await turn(parts, run, before);
    parts.trouble.over();
    if (next === 'over') parts.looks.forget(run);
    return next;
  } catch (error) {
    const cut = (before.cut ?? 0) + 1;
    const wait = pause({ looks: cut - 1 }, { first: retry, most: Math.max(retry, most) }, parts.random());
    parts.trouble.say(String(error), { run, cut, again: againIn(wait) });
    return { at: parts.now() + wait, seen: { ...before, cut } };
  }
}

async function turn(parts: Watching, run: string, before: Seen): Promise<Next> {
  const { ledger, source, looks, now } = parts;
  const state = followUpOf(ledger.run(run));
  if (state === undefined || state.followUp.ended !== undefined) return 'over';
  const { started } = state.followUp;
  looks.take(state, before);
  const isOver = now() >= deadlineOf(started);
  // Looks of all processes go out one at a time. A reserved slot is kept, even if the job wakes a little early.
  const allowed = isOver ? 0 : (before.turn ?? (await source.turn(started.follow)));
  if (allowed > now()) return { at: wakeTime(parts, started, allowed), seen: { ...before, turn: allowed } };
  const look = await source.look(started);
  const seen = look.kind === 'seen' || look.kind === 'failed' ? after(before, look, now()) : before;
  looks.take(state, seen);
  const ending = endingOf(started, look) ?? (isOver ? endingWithoutLook(look, seen) : undefined);
  if (ending !== undefined) {
    await record(ledger, state, ending);
    return 'over';
  }
  const at = look.kind === 'later' ? look.at : now() + waitAfter(look, started, seen, parts);
  return { at: wakeTime(parts, started, at), seen };
}

/** A job that cannot be read yet stays queued, because the policy may later name a way to read it. */
function waitAfter({ kind }: JobStatus, { job }: Started, seen: Seen, { intervals, random }: Watching): number {
  if (kind !== 'no-read') return pause(seen, intervals, random());
  return job === undefined ? Number.POSITIVE_INFINITY : intervals.most;
}

/** Wakes early enough for the deadline and for the moment from which the job counts as stuck. */
function wakeTime({ stuckAfter, now }: Watching, started: Started, at: number): number {
  const stuck = startedAt(started) + (stuckAfter(started.command) ?? Number.POSITIVE_INFINITY);
  return Math.min(at, deadlineOf(started), stuck > now() ? stuck : Number.POSITIVE_INFINITY);
}

/** How a follow-up ends. `said`: the panel's words; `detail`: the bot's, as markup. */
type Ending = Pick<Step<'ended'>, 'end' | 'said' | 'detail'>;

/** How the follow-up ends after this look. Undefined: it goes on. */
function endingOf({ follow, job, given }: Started, look: JobStatus): Ending | undefined {
  // If a person said that it runs, a person says how it ends.
  const isManual = job === undefined || given === true;
  if (look.kind === 'no-read') return follow === 'power' && !isManual ? { end: 'stopped' } : undefined;
  if (look.kind !== 'seen' || look.state === 'running') return undefined;
  const end = look.state === 'succeeded' ? 'finished' : 'failed';
  return { end, said: look.message };
}

const endingWithoutLook = (look: JobStatus, seen: Seen): Ending => {
  const unread = trusted('The panel offers no way to read it, and nobody said how it ended.');
  return { end: 'unknown', detail: (look.kind === 'no-read' ? unread : lastSeen(seen)).markup };
};

/** Records the end; the ledger accepts one. False: it has already ended. */
export const record = (
  ledger: Pick<Ledger, 'append'>,
  { followUp }: FollowUp,
  ending: Ending,
  by: Actor = botActor,
): Promise<boolean> =>
  unlessRefused(ledger.append([{ ...followUpEntry(followUp, by, followUp.card), step: 'ended', ...ending }]));

/** Whether the append succeeded. False if the append rules refused it. */
export async function unlessRefused(appended: Promise<unknown>): Promise<boolean> {
  try {
    await appended;
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}
