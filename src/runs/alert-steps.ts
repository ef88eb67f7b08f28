import type { Actor } from '../outcome.ts';
import type { Entry, EventEntry, Kind } from './entry.ts';
import type { AlertNews } from './entry-events.ts';
import type { Incident } from './incident.ts';

/** What the ledger has of alerts, by server and by incident. */

const nameOf = ({ source, group }: AlertNews): string => JSON.stringify([source, group]);

/** The entry with which a card began, and which of its news that was. */
const beginOf = (card: string): readonly [seq: number, nth: number] => {
  const [seq = 0, nth = 0] = card.split('-').map(Number);
  return [seq, nth];
};

export const newsIn = (entry: Entry | undefined): readonly AlertNews[] =>
  entry?.kind === 'alert' && entry.step === 'received' ? entry.news : [];

/** The alert with which a card began. `read`: gives an entry by its `seq`. */
export function firstOf(card: string, read: (seq: number) => Entry | undefined): AlertNews | undefined {
  const [seq, nth] = beginOf(card);
  return newsIn(read(seq))[nth];
}

/** By `seq`, what is recorded of alerts on a server: their news, and the steps of cards that had it by then. */
export function aboutServer(server: number, events: readonly EventEntry[]): ReadonlySet<number> {
  const received = new Map<number, EventEntry>();
  /** The last entry in which a group named it. */
  const named = new Map<string, number>();
  const isAbout = (entry: Kind<'alert'>): boolean => {
    if (entry.step !== 'received') {
      const first = firstOf(entry.card, (seq) => received.get(seq));
      return first !== undefined && (named.get(nameOf(first)) ?? 0) >= beginOf(entry.card)[0];
    }
    received.set(entry.seq, entry);
    const its = entry.news.filter((news) => isOn(news, server));
    for (const each of its) named.set(nameOf(each), entry.seq);
    return its.length > 0;
  };
  return new Set(events.flatMap((entry) => (entry.kind === 'alert' && isAbout(entry) ? [entry.seq] : [])));
}

export const isOn = ({ servers = [] }: AlertNews, server: number): boolean => servers.some(({ id }) => id === server);

/** News of an alert, or who saw to it, `by`; and its entry. */
export type AlertStep = { seq: number; time: string } & (
  | { news: AlertNews; by?: undefined }
  | { news?: undefined; by: Actor }
);

/** What was heard of the alerts with which an incident began until its end, and who saw to them. */
export function alertsOf(
  { opened, ended }: Pick<Incident, 'opened' | 'ended'>,
  events: readonly EventEntry[],
): AlertStep[] {
  const { alert: card } = opened;
  if (card === undefined) return [];
  const [from] = beginOf(card);
  const its = events.flatMap((entry) =>
    entry.kind === 'alert' && entry.seq >= from && entry.seq <= (ended?.seq ?? entry.seq) ? [entry] : [],
  );
  const of = firstOf(card, (seq) => its.find((entry) => entry.seq === seq));
  const keys = new Set<string>();
  return its.flatMap((entry): AlertStep[] => {
    const { seq, time } = entry;
    if (entry.step === 'acknowledged') return entry.card === card ? [{ seq, time, by: entry.actor }] : [];
    const news = newsIn(entry).filter(
      ({ source, group, key }) => source === of?.source && (group === of.group || keys.has(key)),
    );
    for (const { key } of news) keys.add(key);
    return news.map((each) => ({ seq, time, news: each }));
  });
}
