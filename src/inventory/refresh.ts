import type { InventoryTools, ListRefreshed } from '../command.ts';
import type { Actor, Log } from '../outcome.ts';
import { nextList, type Odd, type ServerList, serverList } from './list.ts';
import { type ReadPanel, Unreadable, walkServers } from './panel.ts';

/** The list in force: read at each use, and never kept. */
export interface LiveList {
  list?: ServerList | undefined;
}

/** Where the last good list is, so that a start without the panel knows the same names. */
export interface ListStore {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

export interface RefreshParts {
  live: LiveList;
  store: ListStore;
  read: ReadPanel;
  /** Whether the policy takes its servers from the panel. */
  isWanted(): boolean;
  /** Whether it is certain that no other process acts. */
  isHeld(): boolean;
  /** Tells the trail. */
  record(difference: readonly string[]): void;
  now(): number;
  /** How often, in ms. */
  every: number;
  log: Log;
}

export interface Refresh extends InventoryTools {
  /** Reads the list of the panel. `accept`: the digest of one that is taken on as it is; `as`: who says so, for the trail. */
  now(accepting?: { accept: string; as: string }): Promise<ListRefreshed>;
  /** What people should know: that a list waits for their word, or is old. */
  troubles(): readonly string[];
  close(): Promise<void>;
}

/** Knows the last good list at once, and refreshes it from time to time. */
export async function openRefresh(parts: RefreshParts): Promise<Refresh> {
  const { live, store, log, every, isWanted, isHeld } = parts;
  live.list = await stored(store, log);
  let odd: Odd | undefined;
  let failure: string | undefined;
  let closed = false;
  let turn: Promise<unknown> = Promise.resolve();

  async function refresh(accepting?: { accept: string; as: string }): Promise<ListRefreshed> {
    if (closed || !isWanted() || !isHeld()) return { kind: 'off' };
    try {
      const servers = await walkServers(parts.read);
      failure = undefined;
      const next = nextList(live.list, { servers, at: parts.now() }, accepting?.accept);
      odd = 'odd' in next ? next.odd : undefined;
      if ('odd' in next) {
        log.warn(next.odd, 'the list of servers waits until somebody accepts it');
        return { kind: 'odd', ...next.odd, since: live.list?.at };
      }
      const { list } = next;
      const difference = accepting?.accept === list.digest ? [accepting.as, ...next.difference] : next.difference;
      if (closed || !isHeld()) return { kind: 'off' };
      live.list = list;
      if (difference.length > 0) parts.record(difference);
      await store.write(JSON.stringify(list)).catch((error: unknown) => {
        log.warn({ problem: String(error) }, 'cannot store the list of servers');
      });
      log.info({ servers: servers.length, digest: list.digest, difference }, 'the list of servers is fresh');
      return { kind: 'taken', servers: servers.length, difference };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      failure = error.message;
      log.warn({ problem: failure }, 'the list of servers stays as it is');
      return { kind: 'failed', words: failure, since: live.list?.at };
    }
  }

  /** One after the other: each compares with what the one before left. */
  function now(accepting?: { accept: string; as: string }): Promise<ListRefreshed> {
    const mine = turn.then(() => refresh(accepting));
    turn = mine.catch((error: unknown) => log.error({ problem: String(error) }, 'the list of servers: a bug'));
    return mine;
  }

  let timer: NodeJS.Timeout | undefined;
  /** Many bots do not ask at one time. */
  function again(): void {
    timer = setTimeout(() => void now().finally(again), every * (0.9 + 0.2 * Math.random()));
    timer.unref();
  }
  void now();
  again();

  return {
    now,
    refresh: (actor, accepting) => now(accepting && { accept: accepting.accept, as: acceptance(actor, accepting) }),
    troubles() {
      if (!isWanted()) return [];
      const since = live.list && new Date(live.list.at).toISOString();
      return [
        ...(odd === undefined ? [] : [`The panel's list of servers waits: ${odd.words}. ${howToAccept(odd)}`]),
        ...(failure === undefined
          ? []
          : [
              `The panel's list of servers: ${failure} ${since === undefined ? 'No names are known.' : `The names are of ${since}.`}`,
            ]),
      ];
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await turn;
    },
  };
}

const acceptance = ({ id, name }: Actor, { accept, why }: { accept: string; why: string }): string =>
  `${accept} accepted by ${name} (${id}): ${why}`;

const howToAccept = ({ digest }: Odd): string =>
  `If that is right, type /panel refresh accept:${digest} with a reason.`;

/** What cannot be read is as if it were not there: then servers have no names until the panel answers. */
async function stored(store: ListStore, log: Log): Promise<ServerList | undefined> {
  try {
    const text = await store.read();
    return text === undefined ? undefined : serverList.parse(JSON.parse(text));
  } catch (error) {
    log.warn({ problem: error instanceof Error ? error.name : 'unknown' }, 'the stored list of servers cannot be read');
    return undefined;
  }
}
