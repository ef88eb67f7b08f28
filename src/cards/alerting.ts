import { botActor } from '../outcome.ts';
import { type AlertCard, firing, newestOf, serversOn, waiting } from '../runs/alerts.ts';
import { type Alerting, type Announcement, type AnnouncementParts, type Posted, placeOf } from './due.ts';

/** What is posted about alerts of other systems. Pure. */

type AlertingParts = Pick<AnnouncementParts, 'records' | 'alerting' | 'wording' | 'now'>;

/** The least time between two pings about one card, in ms. */
const pause = 60_000;

export function aboutAlerts(parts: AlertingParts): Announcement[] {
  const alerting = parts.alerting();
  if (alerting === undefined) return [];
  return parts.records.alerts.open().flatMap((card) => {
    if (card.shown === undefined) return postOf(parts, alerting, card, `alert ${card.id}`, Date.parse(card.opened));
    const isStale = (heard: number): boolean => heard + alerting.staleAfter <= parts.now();
    // What was said again is asked for only where nothing new was: a card may have thousands.
    const heard = firing(card).every((each) => isStale(each.heard)) ? alerting.heard(card) : parts.now();
    return isStale(heard) ? silence(card, heard) : (pingOf(parts, alerting, card) ?? []);
  });
}

const bot = { kind: 'alert', actor: botActor } as const;

/** The card, which pings once, even if all of it has ended by then; or below it, where it is, what still fires. */
const postOf = (
  { wording }: AlertingParts,
  alerting: Alerting,
  card: AlertCard,
  key: string,
  since: number,
): Announcement => {
  const { id } = card;
  const place = card.shown?.place;
  return {
    key,
    to: place ?? { channel: alerting.channel },
    card: () => (place === undefined ? wording.fired(id) : wording.fires(id)),
    pings: alerting.pings(serversOn(card.episodes.values())),
    since,
    entries: (posted) => [
      {
        ...bot,
        step: 'shown',
        card: id,
        upTo: toldBy(card, posted),
        ...(posted && { pings: posted.pings, place: placeOf(alerting.guild, posted) }),
      },
    ],
  };
};

/** Up to which entry people know of it now. A message that was found again told of the first that it can have told of. */
const toldBy = (card: AlertCard, posted: Posted | undefined): number =>
  posted === undefined
    ? newestOf(card)
    : Math.min(newestOf(card), posted.asOf ?? Math.max(card.told.upTo, Number.parseInt(card.id, 10)));

/** That more fires, or that something still does, and nobody has acknowledged it. */
function pingOf(parts: AlertingParts, alerting: Alerting, card: AlertCard): Announcement | undefined {
  const { id, told } = card;
  const left = waiting(card);
  const isMore = left.some(({ seq }) => seq > told.upTo);
  const wait = isMore ? pause : alerting.remind;
  // A clock that is set back must not keep a ping.
  if (left.length === 0 || wait === undefined || Math.abs(parts.now() - told.at) < wait) return undefined;
  return postOf(parts, alerting, card, `alert ${id} ping ${told.times}`, Math.min(told.at, parts.now()));
}

/** Nobody is reminded of what may have ended without a word: a source may send no ends, or be silenced. */
const silence = ({ id: card, opened }: AlertCard, heard: number): Announcement => ({
  key: `alert ${card} silent`,
  to: { channel: '' },
  card: () => undefined,
  pings: [],
  since: Date.parse(opened),
  entries: () => [{ ...bot, step: 'silent', card, heard: new Date(heard).toISOString() }],
});
