import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Group } from './group.ts';
import { change, createLoad, type Load, read } from './load.ts';
import { figureOf, told } from './numbers.ts';
import { type Closing, closeAll } from './processes.ts';
import { silentServer } from './protocol.ts';
import { freePort, startRedis } from './redis.ts';
import { openStage } from './stage.ts';

const why =
  'what a takeover waits for: the lease that has to stand still for ten seconds, the ledger that is read to its end, and a connection to Discord';

/** Seconds from the signal until the next process had the lease, the run under way was UNKNOWN, and a command was answered. */
interface Taken {
  lease: number;
  unknown: number;
  answered: number;
}

interface Entry {
  kind: string;
  outcome?: string;
}

/** Calls `look` until it gives something. */
async function until<T>(look: () => Promise<T | undefined>, what: string): Promise<T> {
  for (const from = performance.now(); performance.now() - from < 60_000; await delay(20)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`a minute without ${what}`);
}

/** The newest entries of the ledger, the newest first. */
async function newest(redis: Redis, most: number): Promise<Entry[]> {
  const all = await redis.xrevrange('panelops:ledger', '+', '-', 'COUNT', most);
  // The bot writes them.
  return all.map(([, [, line = '']]) => JSON.parse(line) as Entry);
}

/** Types a read again and again until one is answered. */
async function answered(load: Load): Promise<void> {
  let isAnswered = false;
  while (!isAnswered) {
    load.type(read, 1, () => {
      isAnswered = true;
    });
    await delay(100);
  }
}

/** Two processes, of which the one that leads gets the signal: idle, or while the panel is silent about a change. */
async function takeover(signal: 'SIGTERM' | 'SIGKILL', url: string, closing: Closing): Promise<Taken> {
  const redis = new Redis(url);
  closing.push(() => redis.disconnect());
  await redis.flushall();
  const stage = await openStage(closing, { servers: silentServer });
  const shared = { LEDGER: 'redis', REDIS_URL: url };
  const leader = await stage.panelops(shared);
  const port = await freePort();
  // It is ready once it leads; it ends with the rest if it never does.
  void stage.panelops({ ...shared, HTTP_PORT: String(port) }).catch(() => undefined);
  const standby = `http://127.0.0.1:${port}/readyz`;
  await until(async () => ((await fetch(standby).catch(() => undefined))?.ok ? true : undefined), 'a standby');
  const load = createLoad(stage.discord);
  const isKilled = signal === 'SIGKILL';
  if (isKilled) load.type({ ...change, options: () => ({ server: `s-${silentServer}` }) }, 1, () => undefined);
  const last = isKilled ? 'intent' : 'started';
  await until(async () => (await newest(redis, 1)).find(({ kind }) => kind === last), last);
  const known = await redis.xlen('panelops:ledger');
  const since = performance.now();
  const seconds = (): number => (performance.now() - since) / 1000;
  const seen = (what: (entry: Entry) => boolean, name: string): Promise<number> =>
    until(async () => {
      const more = (await redis.xlen('panelops:ledger')) - known;
      return more > 0 && (await newest(redis, more)).some(what) ? seconds() : undefined;
    }, name);
  process.kill(leader.pid, signal);
  const [lease, unknown, first] = await Promise.all([
    seen(({ kind }) => kind === 'started', 'a new leader'),
    isKilled ? seen(({ outcome }) => outcome === 'unknown', 'an UNKNOWN') : Number.NaN,
    answered(load).then(seconds),
  ]);
  return { lease, unknown, answered: first };
}

/** How soon another process leads. */
export const takeovers: Group = async ({ runs }, closing, say) => {
  const url = await startRedis(closing);
  if (url === undefined) return [];
  const row = async (signal: 'SIGTERM' | 'SIGKILL', what: string, goal: number) => {
    const all: Taken[] = [];
    for (let run = 0; run < Math.min(runs, 3); run += 1) {
      const own: Closing = [];
      try {
        all.push(await takeover(signal, url, own));
      } finally {
        await closeAll(own);
      }
    }
    const of = (which: keyof Taken) => figureOf(all.map((each) => each[which]));
    const first = of('answered');
    const unknown = signal === 'SIGKILL' ? `, UNKNOWN recorded after ${told(of('unknown'), ' s')}` : '';
    say(`${what}: ${told(first, ' s')}`);
    return {
      what,
      ours: `first command answered after ${told(first, ' s')}`,
      baseline: `lease taken after ${told(of('lease'), ' s')}${unknown}`,
      ...{ goal: `≤ ${goal} s`, isMet: first.median <= goal, why },
    };
  };
  return [
    await row('SIGTERM', 'the leader of two stops, idle: the other one answers', 2),
    await row('SIGKILL', 'the leader of two is killed in a change: the other one answers', 15),
  ];
};
