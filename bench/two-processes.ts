import { alternately, type Group, rate, sound } from './group.ts';
import { change, closed, createLoad, type Load } from './load.ts';
import { figureOf, ratioOf, told } from './numbers.ts';
import { type Closing, cpuOf, type Running } from './processes.ts';
import { startRedis } from './redis.ts';
import { openStage } from './stage.ts';

const sliceMs = 4_000;
/** A process compiles what it runs for its first thousands of commands: each of them gets as much. */
const warmUpMs = 4_000;

const why =
  'each process receives every event of Discord, takes every entry of the other into its own view of the ledger, and judges again where the other was first; it claims what it answers and keeps its cards in Redis. It takes shards of the ledger by server, so that a process needs only its own';

/** One process and two, each with a ledger in a Redis of its own. */
export const twoProcesses: Group = async ({ runs, share }, closing, say) => {
  const one = await sharing(1, closing, share);
  const two = await sharing(2, closing, share);
  if (one === undefined || two === undefined) return [];
  const costs: Record<'one' | 'two', number[]> = { one: [], two: [] };
  const per =
    (name: keyof typeof costs, { load, bots }: typeof one) =>
    async (): Promise<number> => {
      const before = bots.map(({ pid }) => cpuOf(pid));
      const served = sound(await closed(load, change, 64, sliceMs * share), `${name} processes`);
      // The busiest process bounds what all of them can do, on a machine with a core for each.
      const used = Math.max(...bots.map(({ pid }, at) => cpuOf(pid) - (before[at] ?? 0)));
      costs[name].push(served.final.length / used);
      say(`${name}: ${Math.round(rate(served))} a second, ${used} ms of a processor in the busiest process`);
      return rate(served);
    };
  const rates = await alternately(runs, { one: per('one', one), two: per('two', two) });
  const ratio = ratioOf(costs.two, costs.one);
  return [
    {
      what: 'two processes on one Redis, changes',
      baseline: `one: ${told(figureOf(rates.one), '/s')}`,
      ours: told(figureOf(rates.two), '/s'),
      ratio,
      goal: '≥ × 1.8 by processor time',
      isMet: ratio.median >= 1.8,
      why,
      note: `the ratio is of changes in a millisecond of the busiest process: the load, Discord, Redis and both bots share two cores`,
    },
  ];
};

async function sharing(
  count: number,
  closing: Closing,
  share: number,
): Promise<{ load: Load; bots: Running[] } | undefined> {
  const redis = await startRedis(closing);
  if (redis === undefined) return undefined;
  const stage = await openStage(closing);
  const bots: Running[] = [];
  for (let at = 0; at < count; at += 1) bots.push(await stage.panelops({ LEDGER: 'redis', REDIS_URL: redis }));
  const load = createLoad(stage.discord);
  sound(await closed(load, change, 32, count * warmUpMs * share), 'warming up');
  return { load, bots };
}
