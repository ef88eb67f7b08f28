import { botActor } from '../outcome.ts';
import { type AlertCard, firing, newestOf, serversOn, waiting } from '../runs/alerts.ts';
import type { NewEntry } from '../runs/entry.ts';
import type { Alerting, Announcement, AnnouncementParts } from './due.ts';
import type { Where } from './messages.ts';

/** What is posted about alerts of other systems. Pure. */

type AlertingParts = Pick<AnnouncementParts, 'records' | 'alerting' | 'wording' | 'now'>;

/** The least time between two pings about one card, in ms. */
const pause = 60_000;

export function aboutAlerts(parts: AlertingParts): Announcement[] {
  const alerting = parts.alerting();
  if (alerting === undefined) return [];
  return parts.records.alerts.open().flatMap((card) => {
    if (card.shown === undefined) return cardOf(parts, alerting, card);
    const isStale = (heard: number): boolean => heard + alerting.staleAfter <= parts.now();
    // What was said again is asked for only where nothing new was: a card may have thousands.
    const heard = firing(card).every((each) => isStale(each.heard)) ? alerting.heard(card) : parts.now();
    return isStale(heard) ? silence(card, heard) : (pingOf(parts, alerting, card) ?? []);
  });
}

const bot = { kind: 'alert', actor: botActor } as const;

const shown = ({ guild }: Alerting, { id: card }: AlertCard, upTo: number, posted: Where | undefined): NewEntry => ({
  ...bot,
  step: 'shown',
  card,
  upTo,
  ...(posted === undefined ? {} : { place: { guild, ...posted } }),
});

const pings = (alerting: Alerting, { episodes }: AlertCard): readonly string[] =>
  alerting.pings(serversOn(episodes.values()));

/** The card, which pings once, even if all of it has ended by then. */
const cardOf = ({ wording }: AlertingParts, alerting: Alerting, card: AlertCard): Announcement => ({
  key: `alert ${card.id}`,
  to: { channel: alerting.channel },
  card: () => wording.fired(card.id),
  pings: pings(alerting, card),
  since: Date.parse(card.opened),
  entries: (posted) => [shown(alerting, card, newestOf(card), posted)],
});

/** Below the card: that more fires, or that something still does, and nobody has acknowledged it. */
function pingOf({ wording, now }: AlertingParts, alerting: Alerting, card: AlertCard): Announcement | undefined {
  const { id, told } = card;
  const left = waiting(card);
  const isMore = left.some(({ seq }) => seq > told.upTo);
  const wait = isMore ? pause : alerting.remind;
  const place = card.shown?.place;
  if (left.length === 0 || wait === undefined || place === undefined || told.at + wait > now()) return undefined;
  return {
    key: `alert ${id} ping ${told.times}`,
    to: place,
    card: () => wording.fires(id),
    pings: pings(alerting, card),
    since: told.at,
    entries: (posted) => [shown(alerting, card, newestOf(card), posted)],
  };
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
