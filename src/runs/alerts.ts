import type { RawOptions } from '../outcome.ts';
import type { Entry, EntryPlace, EntryServer, Kind } from './entry.ts';
import type { AlertNews } from './entry-events.ts';

/** One alert from firing to resolved. */
export interface Episode {
  /** What was said when it began to fire. */
  news: AlertNews;
  /** The entry with which it began, and when something new was heard of it last, in ms. */
  seq: number;
  heard: number;
  /** Since when it fires, in ms: as its source says, but no later than that entry, for its clock may be wrong. */
  since: number;
  /** When its end came, ISO. */
  ended?: string;
}

/** What fires, or did, in one group of a source: one card, until all of it has ended. */
export interface AlertCard {
  id: string;
  source: string;
  group: string;
  /** By key; it grows with the card. */
  episodes: ReadonlyMap<string, Episode>;
  /** When it began, ISO. */
  opened: string;
  truncated: number;
  /** Where it was posted, once that was tried: no place, there was no channel, and it is tried again with a ping. */
  shown?: { place: EntryPlace | undefined; pings?: readonly string[] | undefined };
  /** Up to which entry people were told, when last, in ms, and how often. */
  told: { upTo: number; at: number; times: number };
  acknowledged: readonly Extract<Kind<'alert'>, { step: 'acknowledged' }>[];
  /** Since when nothing was heard of it, ISO, once that was too long. */
  silent?: string | undefined;
}

export interface Alerts {
  /** Cards with something that fires, as far as is heard of it, and those that nobody has heard of yet; oldest first. */
  open(): readonly AlertCard[];
  card(id: string): AlertCard | undefined;
  /** The cards that an entry changes. */
  changedBy(entry: Entry): readonly string[];
  /** The last that was heard of an alert. */
  last(of: Pick<AlertNews, 'source' | 'key'>): Heard | undefined;
  /** Whether this group has a card on which something fires. */
  hasCard(source: string, group: string): boolean;
  /** Of how many alerts of a source something is remembered. */
  size(source: string): number;
}

/** `card`: left out if it was never seen to fire. */
type Heard = { since: string; ended?: string | undefined; card?: string };

/** What a card of alerts is called among the cards of commands, and on it. */
export const alertName = (id: string): string => `alert ${id}`;
/** Its id; undefined: it is the name of a command's card. */
export const alertNamed = (name: string): string | undefined => /^alert (\d+-\d+)$/.exec(name)?.[1];

/** How many cards that are over are remembered, and of each source how many alerts that do not fire. */
const most = { over: 1_000, quiet: 10_000 };

export const firing = ({ episodes }: Pick<AlertCard, 'episodes'>): Episode[] =>
  [...episodes.values()].filter(({ ended }) => ended === undefined);

/** What fires, and nobody has acknowledged. */
export const waiting = (card: AlertCard): Episode[] => {
  const upTo = Math.max(0, ...card.acknowledged.map((each) => each.upTo));
  return firing(card).filter(({ seq }) => seq > upTo);
};

/** The newest entry with which something of it began to fire. */
export const newestOf = ({ episodes }: AlertCard): number =>
  [...episodes.values()].reduce((newest, { seq }) => Math.max(newest, seq), 0);

/** Each server that its alerts name, once. A card may have thousands: it stops where `enough` are known. */
export function serversOn(episodes: Iterable<Episode>, enough = Number.POSITIVE_INFINITY): EntryServer[] {
  const found = new Map<number, EntryServer>();
  for (const { news } of episodes) {
    for (const server of news.servers ?? []) found.set(server.id, server);
    if (found.size >= enough) break;
  }
  return [...found.values()];
}

/** The one server that all of it is about; undefined: there are several, or none, or nobody knows which. */
export function serverOn({ episodes }: AlertCard): EntryServer | undefined {
  const [only, ...more] = serversOn(episodes.values(), 2);
  return more.length === 0 ? only : undefined;
}

/** A command that the policy suggests for an alert. */
export interface Suggestion {
  id: string;
  options: RawOptions;
}

/** How many commands a card suggests. */
const mostSuggested = 3;

/** What to run for what fires on a card: of the alert, nothing but the id of its one server is in it. */
export function suggestionsOn(card: AlertCard, suggested: (alert: string) => readonly Suggestion[]): Suggestion[] {
  const server = serverOn(card);
  const clear = firing(card).filter(({ news }) => news.servers !== undefined);
  return server === undefined
    ? []
    : [...new Set(clear.map(({ news }) => news.title))]
        .flatMap(suggested)
        .map(({ id, options }) => ({ id, options: { ...options, server: String(server.id) } }))
        .slice(0, mostSuggested);
}

const isOpen = (card: AlertCard): boolean =>
  card.shown === undefined || (card.silent === undefined && firing(card).length > 0);

type Card = AlertCard & { episodes: Map<string, Episode> };

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

/** What a step changes of a card. */
export function stepOf(
  { told, shown, acknowledged }: AlertCard,
  entry: Exclude<Kind<'alert'>, { step: 'received' }>,
): Partial<AlertCard> {
  if (entry.step === 'silent') return { silent: entry.heard };
  if (entry.step === 'acknowledged') return { acknowledged: [...acknowledged, entry] };
  const { upTo, time, place, pings } = entry;
  return {
    told: { upTo, at: Date.parse(time), times: told.times + 1 },
    shown: shown?.place === undefined ? { place, pings } : shown,
  };
}

/** All alerts, by what the ledger says of them. */
export function openAlerts(): Alerts & { take(entry: Kind<'alert'>): void } {
  const kept: Kept = { cards: new Map(), open: new Map(), current: new Map(), heard: new Map() };
  const { cards, open, current, heard } = kept;

  function begin(id: string, { source, group }: AlertNews, opened: string): Card {
    const card: Card = {
      ...{ id, source, group, opened, episodes: new Map(), truncated: 0 },
      ...{ told: { upTo: 0, at: 0, times: 0 }, acknowledged: [] },
    };
    cards.set(id, card);
    current.set(keyOf(source, group), id);
    return card;
  }

  /** The card that it changes. */
  function takeNews(news: AlertNews, at: number, { seq, time }: Entry): Card | undefined {
    const { source, group, key, since, state } = news;
    const before = last(news);
    const isOver = before === undefined || before.ended !== undefined;
    if (state === 'resolved' && isOver) {
      renew(news, { since, ended: time });
      return undefined;
    }
    const known = isOver ? current.get(keyOf(source, group)) : before.card;
    const card = cards.get(known ?? '') ?? begin(`${seq}-${at}`, news, time);
    const continues = !isOver && (state === 'resolved' || Date.parse(since) <= Date.parse(before.since));
    const began = { news, seq, since: Math.min(Date.parse(since), Date.parse(time)) };
    const { news: first, seq: from, since: begun } = (continues && card.episodes.get(key)) || began;
    const ended = state === 'resolved' ? { ended: time } : {};
    card.episodes.set(key, { news: first, seq: from, since: begun, heard: Date.parse(time), ...ended });
    card.truncated = news.truncated ?? card.truncated;
    card.silent = undefined;
    renew(news, { since: state === 'firing' ? since : (before?.since ?? since), ...ended, card: card.id });
    return card;
  }

  /** The last heard of is the last to be forgotten. */
  function renew({ source, key }: AlertNews, now: Heard): void {
    const its = heard.get(source) ?? new Map<string, Heard>();
    heard.set(source, its);
    its.delete(key);
    its.set(key, now);
  }

  const last: Alerts['last'] = ({ source, key }) => heard.get(source)?.get(key);

  return {
    open: () => [...open.values()],
    size: (source) => heard.get(source)?.size ?? 0,
    hasCard: (source, group) => current.has(keyOf(source, group)),
    card: (id) => cards.get(id),
    last,
    changedBy(entry) {
      if (entry.kind !== 'alert') return [];
      if (entry.step !== 'received') return [entry.card];
      return [...new Set(entry.news.flatMap((each) => last(each)?.card ?? []))];
    },
    take(entry) {
      const named = entry.step === 'received' ? [] : (cards.get(entry.card) ?? []);
      const touched = new Set(
        entry.step === 'received' ? entry.news.flatMap((each, at) => takeNews(each, at, entry) ?? []) : [named].flat(),
      );
      for (const card of touched) {
        if (entry.step !== 'received') Object.assign(card, stepOf(card, entry));
        if (firing(card).length === 0) current.delete(keyOf(card.source, card.group));
        if (isOpen(card)) open.set(card.id, card);
        else open.delete(card.id);
      }
      prune(kept);
    },
  };
}

interface Kept {
  /** `open`: those of `cards` that are. `current`: the card of each group that is not over. `heard`: of each alert, by source. */
  cards: Map<string, Card>;
  open: Map<string, Card>;
  current: Map<string, string>;
  heard: Map<string, Map<string, Heard>>;
}

/** Forgets the oldest of what is over. */
function prune({ cards, open, current, heard }: Kept): void {
  for (const [id, card] of cards) {
    if (cards.size - open.size <= most.over) break;
    if (open.has(id)) continue;
    cards.delete(id);
    const group = keyOf(card.source, card.group);
    if (current.get(group) === id) current.delete(group);
  }
  for (const its of heard.values())
    for (const [key, { card = '', ended }] of its) {
      if (its.size <= most.quiet) break;
      if (ended !== undefined || cards.get(card)?.silent !== undefined || !cards.has(card)) its.delete(key);
    }
}

/** What a source says, before its time is known: some say no `since`. `until`: when an end came. */
export type Said = Omit<AlertNews, 'since'> & { since?: string; until?: string };

/** How long after an end its start may still be repeated, in ms: whoever says it later means that it fires again. */
const late = 600_000;

/**
 * Whether it says something new: a start, an end, or that something still fires of which nothing was heard for long. An end
 * of what fired before is stale, and so is soon after its end a start. Of a pair, each may know another start.
 */
export function isNews(
  { state, since, until, ...said }: Said,
  { last, card }: Pick<Alerts, 'last' | 'card'>,
  now: number,
): boolean {
  const before = last(said);
  if (before === undefined) return true;
  const begun = Date.parse(before.since);
  const later = since === undefined ? 0 : Date.parse(since) - begun;
  if (state === 'resolved')
    return before.ended === undefined ? later >= 0 || Date.parse(until ?? '') >= begun : later > 0;
  if (before.ended === undefined) return later > 0 || card(before.card ?? '')?.silent !== undefined;
  return since === undefined || later > 0 || now - Date.parse(before.ended) > late;
}
