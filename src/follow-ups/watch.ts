import { type Markup, own } from '../card.ts';
import { postOnce } from '../cards/announce.ts';
import { lastSeen } from '../cards/render/index.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, End, Log } from '../outcome.ts';
import { type Announcing, type Cards, unlessRefused, upToDate } from './announce.ts';
import { botActor, entryOf, type FollowUp, find } from './follow-up.ts';
import type { Looks } from './looks.ts';
import { after, type Look, pause, type Seen } from './seen.ts';
import type { Source } from './source.ts';

/** In ms. */
export interface Intervals {
  first: number;
  most: number;
  /** After the start, where the panel offers no read of the job. */
  reminders: readonly number[];
  /** How soon is tried again what Discord, the ledger or Redis refused; growing to `most`. */
  again: number;
}

export interface Watching extends Pick<Announcing, 'messages' | 'now'> {
  ledger: Pick<Ledger, 'append' | 'run' | 'refresh'>;
  source: Pick<Source, 'turn' | 'look'>;
  looks: Pick<Looks, 'take' | 'forget'>;
  cards: Pick<Cards, 'reminder'>;
  /** What is left to do once a run has ended. False: not yet. */
  announce(run: string): Promise<boolean>;
  stuckAfter(command: string): number | undefined;
  intervals: Intervals;
  random(): number;
  log: Log;
}

/** When to look again and what is known then; or that nothing is left to do. */
export type Next = { at: number; seen: Seen } | 'over';

/**
 * One turn: looks at the job, notes news, ends what is over. It only reads the panel, so it may be done again: it is, later, when
 * Discord or the ledger is away. Never rejects.
 */
export async function watch(parts: Watching, run: string, before: Seen): Promise<Next> {
  const { again, most } = parts.intervals;
  try {
    const next = await turn(parts, run, before);
    if (next === 'over') parts.looks.forget(run);
    return next;
  } catch (error) {
    const cut = (before.cut ?? 0) + 1;
    parts.log.warn({ run, cut, problem: String(error) }, 'a follow-up has to be gone on with later');
    const wait = pause({ looks: cut - 1 }, { first: again, most: Math.max(again, most) }, parts.random());
    return { at: parts.now() + wait, seen: { ...before, cut } };
  }
}

async function turn(parts: Watching, run: string, before: Seen): Promise<Next> {
  const { ledger, source, looks, intervals, now } = parts;
  await ledger.refresh();
  const followUp = find(ledger, run);
  if (followUp === undefined || followUp.announced) return 'over';
  if (followUp.ended !== undefined) return conclude(parts, run, before);
  looks.take(followUp, before);
  const isOver = now() >= followUp.deadline;
  const allowed = isOver ? 0 : await turnOf(parts, followUp, before);
  if (allowed > now()) return { at: soonest(parts, followUp, allowed), seen: { ...before, turn: allowed } };
  const look = await source.look(followUp);
  const seen = look.kind === 'seen' || look.kind === 'failed' ? after(before, look, now()) : before;
  looks.take(followUp, seen);
  const ending = endingOf(followUp, look) ?? (isOver ? unseen(look, seen) : undefined);
  if (ending !== undefined) {
    await record(parts, followUp, ending);
    return conclude(parts, run, seen);
  }
  if (look.kind === 'no-read') return remind(parts, followUp, before);
  const at = look.kind === 'later' ? look.at : now() + pause(seen, intervals, parts.random());
  return { at: soonest(parts, followUp, at), seen };
}

/** Looks of all processes go out one after the other; a turn that was given is kept. */
function turnOf({ source, now }: Watching, { follow }: FollowUp, { turn: given }: Seen): Promise<number> {
  return given !== undefined && given <= now() ? Promise.resolve(given) : source.turn(follow);
}

/** Nothing is slept through: the deadline, the moment from which it takes too long, or what a person said meanwhile. */
function soonest({ ledger, stuckAfter, now }: Watching, { run, command, started, deadline }: FollowUp, at: number) {
  if (find(ledger, run)?.ended !== undefined) return now();
  const stuck = started + (stuckAfter(command) ?? Number.POSITIVE_INFINITY);
  return Math.min(at, deadline, stuck > now() ? stuck : deadline);
}

/** How a follow-up ends. `said`: the panel's words; `detail`: ours; `by`: the person who says so. */
export interface Ending {
  end: End;
  said?: string;
  detail?: Markup;
  by?: Actor;
}

/** What a look says of the end; undefined: nothing. */
function endingOf({ follow }: FollowUp, look: Look): Ending | undefined {
  if (look.kind === 'no-read') return follow === 'power' ? { end: 'stopped' } : undefined;
  if (look.kind !== 'seen' || look.state === 'running') return undefined;
  const end = look.state === 'succeeded' ? 'finished' : 'failed';
  return { end, ...(look.message === undefined ? {} : { said: look.message }) };
}

const unseen = (look: Look, seen: Seen): Ending => ({
  end: 'unknown',
  detail:
    look.kind === 'no-read' ? own('The panel offers no way to read it, and nobody said how it ended.') : lastSeen(seen),
});

/** Records an end; the ledger takes one. False: it has ended already. */
export function record(
  { ledger }: { ledger: Pick<Ledger, 'append'> },
  followUp: FollowUp,
  { end, said, detail, by = botActor }: Ending,
): Promise<boolean> {
  const why = {
    ...(said === undefined ? {} : { said }),
    ...(detail === undefined ? {} : { detail: detail.markup }),
  };
  return unlessRefused(ledger.append([{ ...entryOf(followUp, by, followUp.card), step: 'ended', end, ...why }]));
}

const conclude = async ({ announce, intervals, now }: Watching, run: string, seen: Seen): Promise<Next> =>
  (await announce(run)) ? 'over' : { at: now() + intervals.first, seen };

/** Where the panel offers no read: reminders at growing intervals, until somebody says how it ended. What was slept through is one reminder. */
async function remind(parts: Watching, followUp: FollowUp, seen: Seen): Promise<Next> {
  const { intervals, ledger, cards, now } = parts;
  const { run, started, deadline, place, card: message } = followUp;
  const due = intervals.reminders.filter((ms) => started + ms <= now()).length;
  if (due > followUp.reminded) {
    const isOpen = (): boolean => find(ledger, run)?.ended === undefined;
    const since = started + (intervals.reminders[due - 1] ?? 0);
    const card = () => (isOpen() ? cards.reminder(run, due) : undefined);
    const messages = upToDate(parts.messages, ledger);
    const posted = await postOnce(messages, { channel: place.channel, message }, { card, pings: [], since });
    if (!isOpen()) return { at: now(), seen };
    await unlessRefused(ledger.append([{ ...entryOf(followUp, botActor, posted), step: 'reminded', n: due }]));
  }
  const next = intervals.reminders[due];
  return { at: next === undefined ? deadline : Math.min(started + next, deadline), seen };
}
