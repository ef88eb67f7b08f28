import { type Button, type Card, own } from '../card.ts';
import type { Ledger, RunState } from '../ledger/ledger.ts';
import type { Log } from '../outcome.ts';
import { lastSeen, type Offers, reminder, runningCard } from './cards.ts';
import { conclude, type Ending, record } from './conclude.ts';
import { botActor, entryOf, type FollowUp, find } from './follow-up.ts';
import { groupCard } from './group.ts';
import { after, type Look, pause, type Seen } from './seen.ts';
import type { FollowUpDesk, Shower } from './shower.ts';
import type { Source } from './source.ts';

/** In ms. */
export interface Intervals {
  first: number;
  most: number;
  /** After the start, where the panel offers no read of the job. */
  reminders: readonly number[];
  /** How long a guest has for a shutdown before the card offers to cut the power. */
  shutdown: number;
  /** How soon is tried again what Discord, the ledger or Redis refused; growing to `most`. */
  again: number;
}

export interface Watching {
  ledger: Pick<Ledger, 'append' | 'runs' | 'refresh'>;
  source: Pick<Source, 'turn' | 'look'>;
  desk: FollowUpDesk;
  shower: Shower;
  /** What can be done about the runs of a card. */
  offers(states: readonly RunState[]): Offers;
  /** After an end was recorded: cards before it may have to say something else. Never rejects. */
  retire(stem: string): Promise<void>;
  intervals: Intervals;
  now(): number;
  random(): number;
  log: Log;
}

/** When to look again and what is known then; or that nothing is left to do. */
export type Next = { at: number; seen: Seen } | 'over';

/**
 * One turn: looks at the job, shows news, ends what is over. It only reads the panel, so it may be done again: it is, later, when
 * Discord or the ledger is away. Never rejects.
 */
export async function watch(parts: Watching, run: string, before: Seen): Promise<Next> {
  try {
    return await turn(parts, run, before);
  } catch (error) {
    const { again, most } = parts.intervals;
    const cut = (before.cut ?? 0) + 1;
    parts.log.warn({ run, cut, problem: String(error) }, 'a follow-up has to be gone on with later');
    const wait = pause({ looks: cut - 1 }, { first: again, most: Math.max(again, most) }, parts.random());
    return { at: parts.now() + wait, seen: { ...before, cut } };
  }
}

async function turn(parts: Watching, run: string, before: Seen): Promise<Next> {
  const { ledger, source, intervals, now } = parts;
  await ledger.refresh();
  const followUp = find(ledger, run);
  if (followUp === undefined || followUp.announced) return 'over';
  if (followUp.ended !== undefined) {
    // An earlier turn was cut short, and perhaps after the message was posted.
    await conclude(parts, run, true);
    return 'over';
  }
  // While its command is still at work, the card is the command's.
  if (!isBegun(parts, followUp)) return { at: now() + intervals.first, seen: before };

  const late = now() >= followUp.deadline;
  const allowed = late ? 0 : await turnOf(parts, followUp, before);
  if (allowed > now()) return { at: soonest(parts, followUp, allowed), seen: { ...before, turn: allowed } };
  const look = await source.look(followUp);
  const ending = endingOf(followUp, look);
  if (ending !== undefined) return finish(parts, followUp, ending);
  const seen = look.kind === 'seen' || look.kind === 'failed' ? after(before, look, now()) : before;
  if (late) return finish(parts, followUp, { end: 'unknown', detail: unseen(look, seen) });
  if (look.kind === 'no-read') return remind(parts, followUp, before);
  if (look.kind === 'later') return { at: soonest(parts, followUp, look.at), seen };
  show(parts, followUp, seen);
  return { at: soonest(parts, followUp, now() + pause(seen, intervals, parts.random())), seen };
}

/** Every server of its command has been sent to, or never will be. */
const isBegun = ({ ledger }: Watching, { stem, width }: FollowUp): boolean =>
  ledger.runs(stem).filter(({ outcome }) => outcome !== undefined).length >= width;

/** Looks of all processes go out one after the other; a turn that was given is kept. */
function turnOf({ source, now }: Watching, { follow }: FollowUp, { turn: given }: Seen): Promise<number> {
  return given !== undefined && given <= now() ? Promise.resolve(given) : source.turn(follow);
}

/** Nothing is slept through: the deadline, or the moment from which the power may be cut. */
function soonest({ intervals, now }: Watching, followUp: FollowUp, at: number): number {
  const offer = followUp.started + intervals.shutdown;
  const awaited = isShutdown(followUp) && offer > now() ? offer : followUp.deadline;
  return Math.min(at, awaited, followUp.deadline);
}

const isShutdown = ({ command }: FollowUp): boolean => command === 'power.shutdown';

/** What a look says of the end; undefined: nothing. */
function endingOf({ follow }: FollowUp, look: Look): Ending | undefined {
  if (look.kind === 'no-read') return follow === 'power' ? { end: 'stopped' } : undefined;
  if (look.kind !== 'seen' || look.state === 'running') return undefined;
  const end = look.state === 'succeeded' ? 'finished' : 'failed';
  return { end, ...(look.message === undefined ? {} : { said: look.message }) };
}

const unseen = (look: Look, seen: Seen): ReturnType<typeof own> =>
  look.kind === 'no-read' ? own('The panel offers no way to read it, and nobody said how it ended.') : lastSeen(seen);

async function finish(parts: Watching, followUp: FollowUp, ending: Ending): Promise<Next> {
  const first = await record(parts, followUp, ending);
  await conclude(parts, followUp.run, !first);
  return 'over';
}

const show = (parts: Watching, followUp: FollowUp, seen: Seen | 'no-read'): void =>
  parts.shower.show(followUp, cardOf(parts, followUp, seen));

/** The card of what goes on, with what can be done about it. */
export function cardOf(
  parts: Pick<Watching, 'ledger' | 'intervals' | 'offers' | 'now'>,
  followUp: FollowUp,
  seen: Seen | 'no-read',
): Card {
  const offer = isShutdown(followUp) && parts.now() - followUp.started >= parts.intervals.shutdown;
  const byHand: Button[] = seen === 'no-read' ? handButtons(followUp) : [];
  const buttons: Button[] = offer ? [{ label: 'Power off', id: `off:${followUp.stem}` }] : byHand;
  const states = parts.ledger.runs(followUp.stem);
  const offers = parts.offers(states);
  return followUp.width > 1 ? groupCard(states, buttons, offers) : runningCard(followUp, seen, buttons, offers);
}

const handButtons = ({ run }: FollowUp): Button[] => [
  { label: 'Finished', id: `follow:${run}:finished` },
  { label: 'Failed', id: `follow:${run}:failed` },
  { label: 'Stop following', id: `follow:${run}:stopped` },
];

/** Where the panel offers no read: reminders at growing intervals, until somebody says how it ended. What was slept through is one reminder. */
async function remind(parts: Watching, followUp: FollowUp, seen: Seen): Promise<Next> {
  const { intervals, desk, ledger, now } = parts;
  show(parts, followUp, 'no-read');
  const due = intervals.reminders.filter((ms) => followUp.started + ms <= now()).length;
  if (due > followUp.reminded) {
    const card = reminder(followUp, due);
    const where = { channel: followUp.place.channel, message: followUp.card };
    const posted = await desk.find({ ...where, message: followUp.origin }, card);
    // To look takes time, in which somebody may have said how it ended.
    if (find(ledger, followUp.run)?.ended !== undefined) return { at: now(), seen };
    if (posted === undefined) await desk.reply(where, card);
    await ledger.append([{ ...entryOf(followUp, botActor), step: 'reminded', n: due }]);
  }
  const next = intervals.reminders[due];
  return { at: next === undefined ? followUp.deadline : Math.min(followUp.started + next, followUp.deadline), seen };
}
