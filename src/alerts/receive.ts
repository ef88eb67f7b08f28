import type { Ledger } from '../ledger/ledger.ts';
import { botActor, type Log, type Server } from '../outcome.ts';
import type { AlertRules } from '../policy/alerts.ts';
import { namesAny } from '../policy/pattern.ts';
import { isNews, type Said } from '../runs/alerts.ts';
import type { NewEntry } from '../runs/entry.ts';
import type { AlertNews } from '../runs/entry-events.ts';
import { serversIn, type Told } from './parse.ts';

export interface ReceiveParts {
  ledger: Pick<Ledger, 'append' | 'alerts' | 'isHeld'>;
  /** Undefined: the policy has no alerts, and none are taken. */
  rules(): AlertRules | undefined;
  find(text: string): Server | undefined;
  now(): number;
  log: Log;
  /** The least time between two entries, in ms. */
  pause?: number | undefined;
}

/** How many alerts wait for the next entry: of one source, and in one entry; and of how many of a source anything is remembered. */
const most = { waiting: 500, entry: 200, remembered: 50_000 };
/** New cards in a minute: what comes beyond that shares one card for each source. */
const cards = { most: 20, minute: 60_000 };

interface Waiting {
  source: string;
  said: readonly Said[];
  done(taken: boolean): void;
}

/**
 * Takes alerts into the ledger, in one entry a second at most: those that came meanwhile share it. So a flood has 60
 * entries a minute, and nothing of it is lost.
 */
export function createReceive(parts: ReceiveParts) {
  const { ledger, log, pause = 1_000 } = parts;
  const repeats = createRepeats(parts);
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let written = Number.NEGATIVE_INFINITY;
  let closed = false;
  const sieve = createSieve(parts);
  const pending = createPending();

  function schedule(): void {
    if (writing !== undefined || timer !== undefined || waiting.length === 0) return;
    // Timers drop what is less than a millisecond.
    const wait = Math.ceil(Math.max(0, written + pause - performance.now()));
    timer = setTimeout(() => {
      timer = undefined;
      writing = write().finally(() => {
        writing = undefined;
        schedule();
      });
    }, wait);
  }

  async function write(): Promise<void> {
    const taken = nextOf(waiting);
    const said = taken.flatMap((each) => each.said);
    waiting = waiting.slice(taken.length);
    try {
      const news = sieve.newsIn(said);
      if (news.length > 0) {
        const entry: NewEntry = { kind: 'alert', actor: botActor, step: 'received', news };
        await ledger.append([entry]);
        sieve.took();
        written = performance.now();
      }
      for (const { done } of taken) done(true);
    } catch (error) {
      log.warn({ problem: String(error) }, 'alerts could not be recorded: their source sends them again');
      for (const { done } of taken) done(false);
    } finally {
      pending.count(said, -1);
    }
  }

  return {
    receive(source: string, told: readonly Told[]): Promise<boolean> {
      const rules = parts.rules();
      if (closed || rules === undefined || !ledger.isHeld()) return no;
      const all = told
        .filter(({ name }) => !rules.ignore.includes(name))
        .map((each) => saidOf(source, each, rules, parts.find));
      // What follows something that is not written yet is judged after that.
      const said = all.filter((each) => pending.has(each) || sieve.isNew(each));
      repeats.take(all);
      if (said.length === 0) return yes;
      const theirs = waiting.filter((each) => each.source === source).reduce((sum, each) => sum + each.said.length, 0);
      // An end makes room, and is never too much.
      const isMore = said.some((each) => ledger.alerts.last(each) === undefined);
      if (theirs > 0 && theirs + said.length > most.waiting) return no;
      if (isMore && ledger.alerts.size(source) > most.remembered) return no;
      return new Promise((done) => {
        waiting.push({ source, said, done });
        pending.count(said, 1);
        schedule();
      });
    },
    heard: repeats.last,
    /** What waits is sent again by its source. */
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await writing;
      for (const { done } of waiting.splice(0)) done(false);
    },
  };
}

/** The first of what waits, as much as an entry takes. */
function nextOf(waiting: readonly Waiting[]): readonly Waiting[] {
  let size = 0;
  const fit = waiting.findIndex(({ said }, at) => {
    size += said.length;
    return at > 0 && size > most.entry;
  });
  return waiting.slice(0, fit === -1 ? undefined : fit);
}

/** How many of each alert wait, or are being written. */
function createPending() {
  const all = new Map<string, number>();
  return {
    has: (said: Said): boolean => all.has(nameOf(said)),
    count(said: readonly Said[], by: 1 | -1): void {
      for (const each of said) {
        const left = (all.get(nameOf(each)) ?? 0) + by;
        if (left > 0) all.set(nameOf(each), left);
        else all.delete(nameOf(each));
      }
    },
  };
}

/** When the same was said again, in ms: it changes nothing, but it was heard. */
function createRepeats({ ledger, now }: ReceiveParts) {
  const heard = new Map<string, number>();
  return {
    take(all: readonly Said[]): void {
      if (heard.size > most.remembered) heard.clear();
      for (const each of all) {
        if (each.state === 'firing' && ledger.alerts.last(each)?.card !== undefined) heard.set(nameOf(each), now());
        else heard.delete(nameOf(each));
      }
    },
    last: (of: { source: string; key: string }): number => heard.get(nameOf(of)) ?? 0,
  };
}

const nameOf = ({ source, key }: { source: string; key: string }): string => JSON.stringify([source, key]);

const [yes, no] = [Promise.resolve(true), Promise.resolve(false)];

/** Leaves out what the ledger has, and gathers a flood. */
function createSieve({ ledger, now }: ReceiveParts) {
  /** When cards began; and the same with those of an entry that may not be written. */
  let [begun, trying]: [number[], number[]] = [[], []];
  const isNew = (said: Said): boolean => isNews(said, ledger.alerts, now());

  /** In their order: each is news to what the ledger has and those before say. */
  function newsIn(said: readonly Said[]): AlertNews[] {
    const { last, card } = ledger.alerts;
    const before = new Map<string, ReturnType<typeof last>>();
    const groups = new Map<string, string>();
    const at = now();
    const time = new Date(at).toISOString();
    trying = begun.filter((each) => at - each < cards.minute);
    return said.flatMap((each) => {
      const heard = before.get(nameOf(each)) ?? last(each);
      if (!isNews(each, { last: () => heard, card }, at)) return [];
      const { until: _, since = time, ...rest } = each;
      const isEnd = each.state === 'resolved';
      before.set(nameOf(each), {
        ...heard,
        since: isEnd ? (heard?.since ?? since) : since,
        ended: isEnd ? time : undefined,
      });
      const name = JSON.stringify([each.source, each.group]);
      if (isEnd) return [{ ...rest, since }];
      const group = groups.get(name) ?? groupOf(each);
      groups.set(name, group);
      return [{ ...rest, since, group }];
    });
  }

  /** Its own, or in a flood the one for all. */
  function groupOf({ source, group }: Said): string {
    if (ledger.alerts.hasCard(source, group)) return group;
    if (trying.length >= cards.most) return 'flood';
    trying.push(now());
    return group;
  }

  return {
    isNew,
    newsIn,
    took() {
      begun = trying;
    },
  };
}

/** With its server, and only the links that the policy allows. */
function saidOf(
  source: string,
  { name: _, labels, link, runbook, ...told }: Told,
  rules: AlertRules,
  find: ReceiveParts['find'],
): Said {
  const { named, servers } = serversIn(labels, rules, find);
  const bound = rules.sources.filter((each) => each.source === source).flatMap(({ servers }) => servers);
  const isTheirs = bound.length === 0 ? () => true : namesAny(bound);
  const ours = (url: string | undefined): string | undefined => allowed(url, rules['link-hosts']);
  return {
    ...{ source, ...told, link: ours(link), runbook: ours(runbook) },
    ...(servers.length > 0 && servers.every(isTheirs) ? { servers: servers.map(entryServer) } : { named }),
  };
}

const entryServer = ({ id, name, tier, called, heldTo }: Server) => ({ id, name, tier, called, heldTo });

function allowed(text: string | undefined, hosts: readonly string[]): string | undefined {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined;
  return hosts.includes(url.hostname) && url.href.length <= 500 ? url.href : undefined;
}
