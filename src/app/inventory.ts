import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { ReadPanel } from '../inventory/panel.ts';
import { type ListInForce, type ListStore, openRefresh, type Refresh } from '../inventory/refresh.ts';
import { replaceWhole } from '../ledger/journal.ts';
import { isFile } from '../ledger/kept-out.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../outcome.ts';
import type { Panel } from '../panel/client.ts';
import type { LivePolicy } from '../policy/live.ts';
import { fieldsOf } from '../policy/source.ts';
import type { AppOptions, InventoryPace } from './options.ts';
import type { RedisSide } from './redis-place.ts';
import type { Closing } from './store.ts';
import type { TrailPart } from './trail.ts';

const usual: InventoryPace = { every: 600_000, wait: (ms) => delay(ms, undefined, { ref: false }) };

interface Around extends Pick<TrailPart, 'facts' | 'reconfigured'> {
  inForce: ListInForce;
  panel: Pick<Panel, 'look' | 'budgetLeft'>;
  policy: Pick<LivePolicy, 'current'>;
  redis: Pick<RedisSide, 'opened'>;
  ledger: Pick<Ledger, 'isHeld'>;
  now(): number;
  log: Log;
}

/** The panel's list of servers, where the policy wants it. */
export async function startInventory(
  { dataDir, ledger, intervals }: Pick<AppOptions, 'dataDir' | 'ledger' | 'intervals'>,
  { panel, policy, redis, ledger: { isHeld }, ...around }: Around,
  closing: Closing,
): Promise<Refresh> {
  const { every, wait } = { ...usual, ...intervals?.inventory };
  const refresh = await openRefresh({
    ...around,
    isHeld,
    every,
    store: storeIn({ dataDir, ledger }, redis, 'inventory'),
    read: sparingly(panel, wait),
    fields() {
      const { inventory } = policy.current();
      return inventory?.source === 'panel' ? fieldsOf(inventory) : undefined;
    },
    record: (difference) =>
      void around.reconfigured({ changed: ['inventory'], facts: around.facts(), difference: [...difference] }),
  });
  closing.push(() => refresh.close());
  return refresh;
}

/** Where the last good copy of what others keep is. */
export const storeIn = (
  { dataDir, ledger }: Pick<AppOptions, 'dataDir' | 'ledger'>,
  redis: Pick<RedisSide, 'opened'>,
  name: 'inventory' | 'on-call',
): ListStore => (ledger === 'redis' ? inRedis(redis, `panelops:${name}`) : inFile(join(dataDir, `${name}.json`)));

const inFile = (path: string): ListStore => ({
  // To open a named pipe would wait for ever.
  read: async () => ((await isFile(path)) ? await readFile(path, 'utf8') : undefined),
  write: (pieces) => replaceWhole(path, pieces),
});

function inRedis({ opened }: Pick<RedisSide, 'opened'>, key: string): ListStore {
  const redis = async (): Promise<Redis> => (await opened).connection.redis;
  return {
    read: async () => (await (await redis()).get(key)) ?? undefined,
    write: async (pieces) => void (await (await redis()).set(key, pieces.join(''))),
  };
}

/** Requests a minute where the panel has not said yet how many it takes; and the share of them that the list may have. */
const unknownLimit = 60;
const share = 1 / 10;
const mostTries = 20;
/** The least time between two tries, in ms. */
const pause = 1_000;

const minute = 60_000;

/** After everybody else, and with a tenth of the token's requests in any minute, or another share. `now`: in ms. */
export function sparingly(
  { look, budgetLeft }: Around['panel'],
  wait: InventoryPace['wait'],
  part = share,
  now = (): number => performance.now(),
): ReadPanel {
  /** When the last ones were sent, as many as a minute may have. */
  let sent: number[] = [];
  return async (parts, query) => {
    for (let n = 1; ; n += 1) {
      const most = Math.max(1, Math.floor((budgetLeft().limit ?? unknownLimit) * part));
      sent = sent.slice(-most);
      const [oldest = 0] = sent;
      if (sent.length === most && oldest + minute > now()) await wait(oldest + minute - now());
      sent.push(now());
      const answer = await look(parts, { kind: 'follow-up' }, query);
      if (answer.kind !== 'not-sent' || answer.again === undefined || n === mostTries) return answer;
      await wait(Math.max(pause, answer.again - Date.now()));
    }
  };
}
