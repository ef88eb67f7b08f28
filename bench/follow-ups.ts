import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { alternately, type Group } from './group.ts';
import { figureOf, quantile, ratioOf, told } from './numbers.ts';
import { type Closing, programOf } from './processes.ts';
import { type Followed, interval } from './protocol.ts';
import { startRedis } from './redis.ts';
import { openStage, type Stage } from './stage.ts';
import type { Row } from './table.ts';

/** So many jobs that run for long, each looked at every five seconds. */
const jobs = 1_000;
const seconds = 6;

/** Follow-ups, queued by BullMQ on a Redis that has everything on disk, beside a timer for each job that nothing outlives. */
export const followUps: Group = async ({ runs, share }, closing, say) => {
  const stage = await openStage(closing);
  const count = Math.round(jobs * share);
  let troubles = 0;
  const lags: Record<How, number[]> = { timers: [], queue: [] };
  const per = (how: How) => async (): Promise<number> => {
    const followed = await following(how, count, { stage, closing, say });
    if (followed === undefined) return Number.NaN;
    lags[how].push(quantile(followed.lags, 0.99));
    troubles += followed.troubles.length;
    const each = followed.cpu / followed.looks;
    say(`${count} by ${how}: ${followed.looks} looks, ${each.toFixed(2)} ms of a processor each`);
    return each;
  };
  const costs = await alternately(Math.min(runs, 3), { timers: per('timers'), queue: per('queue') });
  return lags.queue.length === 0 ? [] : [rowOf(count, costs, lags, troubles)];
};

type How = 'timers' | 'queue';

const why =
  'beside the request that a timer makes, a look judges what it saw against the ledger, and BullMQ renews the locks of all jobs twice a minute';

interface Around {
  stage: Stage;
  closing: Closing;
  say: (text: string) => void;
}

function rowOf(count: number, costs: Record<How, number[]>, lags: Record<How, number[]>, troubles: number): Row {
  const ratio = ratioOf(costs.queue, costs.timers);
  const lag = figureOf(lags.queue);
  return {
    what: `follow-ups: ${count.toLocaleString('en-US')} jobs, a look at each every ${interval / 1000} s`,
    baseline: `a timer each, lag p99 ${told(figureOf(lags.timers), ' ms')}, ${told(figureOf(costs.timers), ' ms')} of a processor a look`,
    ours: `${told(figureOf(costs.queue), ' ms')} of a processor a look, lag p99 ${told(lag, ' ms')}, ${troubles} locks lost`,
    ratio,
    goal: `lag p99 ≤ ${interval / 1000} s; ≤ × 1.2 of a processor; no lock lost`,
    isMet: lag.median <= interval && ratio.median <= 1.2 && troubles === 0,
    why,
  };
}

/** One slice in a process of its own; undefined where there is no redis-server. */
async function following(how: How, count: number, { stage, closing, say }: Around): Promise<Followed | undefined> {
  const redis = await startRedis(closing);
  if (redis === undefined) return undefined;
  const child = spawn(process.execPath, [programOf('follow'), how, String(count), String(seconds)], {
    ...{ env: { ...stage.env, REDIS_URL: redis }, cwd: stage.dir, stdio: ['ignore', 'pipe', 'inherit'] as const },
  });
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  await once(child, 'close');
  // The program's own words.
  const followed = JSON.parse(said) as Followed;
  const [first] = followed.troubles;
  if (first !== undefined) say(`${followed.troubles.length} troubles, such as ${first}`);
  return followed;
}
