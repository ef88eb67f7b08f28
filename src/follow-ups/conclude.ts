import type { Markup } from '../card.ts';
import type { Ledger, RunState } from '../ledger/ledger.ts';
import { type Actor, type End, idAt } from '../outcome.ts';
import { announcement, endedCard, type Offers } from './cards.ts';
import { botActor, entryOf, type FollowUp, find } from './follow-up.ts';
import { groupCard } from './group.ts';
import type { FollowUpDesk, Shower } from './shower.ts';

interface Concluding {
  ledger: Pick<Ledger, 'append' | 'runs'>;
  desk: FollowUpDesk;
  shower: Shower;
  /** What can be done about the runs of a card. */
  offers(states: readonly RunState[]): Offers;
  /** After an end was recorded: cards before it may have to say something else. Never rejects. */
  retire(stem: string): Promise<void>;
}

/** How a follow-up ends. `said`: the panel's words; `detail`: ours; `by`: the person who says so. */
export interface Ending {
  end: End;
  said?: string;
  detail?: Markup;
  by?: Actor;
}

/** Records an end; the ledger takes one. False: it has ended already. */
export async function record(
  { ledger, retire }: Concluding,
  followUp: FollowUp,
  { end, said, detail, by = botActor }: Ending,
): Promise<boolean> {
  const told = {
    ...(said === undefined ? {} : { said }),
    ...(detail === undefined ? {} : { detail: detail.markup }),
  };
  try {
    await ledger.append([{ ...entryOf(followUp, by), step: 'ended', end, ...told }]);
    // Not waited for: other cards than this one's.
    void retire(followUp.stem);
    return true;
  } catch (error) {
    if (find(ledger, followUp.run)?.ended === undefined) throw error;
    return false;
  }
}

/**
 * The terminal card, then the one message that pings, then the entry that says it was posted. `resumed`: an earlier attempt may have
 * posted it. Rejects where Discord or the ledger is away: then it has to be done again.
 */
export async function conclude(parts: Concluding, run: string, resumed: boolean): Promise<void> {
  const { ledger, shower } = parts;
  const followUp = find(ledger, run);
  if (followUp?.ended === undefined || followUp.announced) return;
  const states = ledger.runs(followUp.stem);
  const alone = followUp.width === 1;
  let message: string | undefined;
  if (!isLast(parts, followUp)) {
    shower.show(followUp, groupCard(states, [], parts.offers(states)));
  } else {
    const offers = parts.offers(states);
    await shower.settle(followUp, alone ? endedCard(followUp, followUp.ended, offers) : groupCard(states, [], offers));
    message = await announce(parts, followUp, resumed);
  }
  try {
    await ledger.append([{ ...entryOf(followUp, botActor, message), step: 'announced' }]);
  } catch (error) {
    if (!find(ledger, run)?.announced) throw error;
  }
}

/** Whether it is the one on its card that ended last: that one speaks for all. */
function isLast({ ledger }: Concluding, { stem, width, ended }: FollowUp): boolean {
  const states = ledger.runs(stem);
  const begun = states.filter(({ outcome }) => outcome !== undefined).length >= width;
  const later = states.some(
    ({ followUp }) => followUp !== undefined && (followUp.ended?.seq ?? Number.POSITIVE_INFINITY) > (ended?.seq ?? 0),
  );
  return begun && !later;
}

/** How far the clocks of bot and Discord may differ, in ms. */
export const clockSkew = 60_000;

/** Nobody is pinged about what nobody follows. */
async function announce(
  { ledger, desk }: Concluding,
  followUp: FollowUp,
  resumed: boolean,
): Promise<string | undefined> {
  const states = ledger.runs(followUp.stem);
  const told = states.flatMap(({ followUp: each }) => (each?.ended?.end === 'stopped' ? [] : (each?.notify.id ?? [])));
  const { channel } = followUp.place;
  if (told.length === 0 || followUp.ended === undefined) return undefined;
  const card = followUp.width === 1 ? announcement(followUp, followUp.ended) : { ...groupCard(states), buttons: [] };
  const pings = [...new Set(told)];
  // It can only have been posted after the end: looking from there on, the traffic before does not matter.
  const since = idAt(Date.parse(followUp.ended.time) - clockSkew);
  const posted = resumed ? await desk.find({ channel, message: since }, card, pings) : undefined;
  return posted ?? desk.reply({ channel, message: find(ledger, followUp.run)?.card ?? followUp.card }, card, pings);
}
