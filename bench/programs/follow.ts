/** Looks at so many jobs again and again for some seconds, with a timer each or with the bot's follow-ups, and says what it took. */
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { createFollowUps } from '../../src/follow-ups/index.ts';
import type { Source } from '../../src/follow-ups/source.ts';
import type { Log } from '../../src/outcome.ts';
import { connectRedis } from '../../src/redis/connect.ts';
import type { RunState } from '../../src/runs/state.ts';
import { channels, type Followed, guild, interval } from '../protocol.ts';

const [how = '', jobs = '0', seconds = '0'] = process.argv.slice(2);
const { PANEL_URL: panel = '', REDIS_URL: redis = '' } = process.env;
const count = Number(jobs);

const lags: number[] = [];
const due = new Map<number, number>();
let looks = 0;
let isCounted = false;

/** One look; `due` has when it should have been, but for the first. */
async function look(job: number): Promise<void> {
  const planned = due.get(job);
  if (planned !== undefined && isCounted) lags.push(Date.now() - planned);
  const answer = await request(`${panel}/servers/${job}/backupManager/jobs/${job}`);
  await answer.body.text();
  looks += 1;
  due.set(job, Date.now() + interval);
}

function withTimers(): void {
  const next = (job: number): void => {
    void look(job).then(() => setTimeout(() => next(job), interval));
  };
  for (let job = 1; job <= count; job += 1) setTimeout(() => next(job), (interval * job) / count);
}

const troubles: string[] = [];
const note = (fields: object, words: string): void => void troubles.push(`${words} ${JSON.stringify(fields)}`);
const log: Log = { debug: () => undefined, info: () => undefined, warn: note, error: note };

function stateOf(job: number): RunState & { followUp: object } {
  const base = {
    ...{ seq: job, hash: '', prev: '', time: new Date().toISOString(), run: `bench${job}.1` },
    ...{ actor: { id: '1', name: 'bench', roles: [] }, command: 'backup.restore', options: {} },
    ...{ server: { id: job, name: `s-${job}` }, place: { guild, channel: channels.ops } },
    ...{ kind: 'follow-up' as const, follow: 'restore' as const, job },
  };
  const deadline = new Date(Date.now() + 86_400_000).toISOString();
  return {
    run: base.run,
    followUp: { card: '1', started: { ...base, step: 'started', deadline }, notify: base.actor, reminded: 0 },
  };
}

async function withQueue(): Promise<void> {
  const states = new Map(Array.from({ length: count }, (_, at) => stateOf(at + 1)).map((state) => [state.run, state]));
  const connections = { producer: connectRedis(redis, log), worker: connectRedis(redis, log, 'forWorker') };
  await Promise.all(Object.values(connections).map((each) => each.ready()));
  // The first look of each, spread over the interval as the budget of the panel's token spreads them.
  let spread = 0;
  const source: Source = {
    ...{ unreadable: () => false, troubles: () => [] },
    turn: () => Promise.resolve(spread < count ? Date.now() + (interval * ++spread) / count : 0),
    async look({ job = 0 }) {
      await look(job);
      return { kind: 'seen', state: 'running', word: 'running' };
    },
  };
  const followUps = createFollowUps({
    ledger: {
      run: (run) => states.get(run),
      following: () => [...states.values()],
      ...{ unfollowed: () => [], subscribe: () => () => undefined },
      append: () => Promise.reject(new Error('nothing ends here')),
    },
    redis: Promise.resolve({ producer: connections.producer.redis, worker: connections.worker.redis }),
    ...{ source, follows: () => ({ restore: true, power: true, deadline: 86_400_000 }), readable: () => true },
    ...{ changed: () => undefined, stuckAfter: () => undefined },
    // The middle of the jitter: the interval itself.
    ...{ intervals: { first: interval, most: interval }, random: () => 0.5, log },
  });
  await followUps.reconcile();
}

await (how === 'timers' ? withTimers() : withQueue());
// Until each was looked at.
while (looks < count) await delay(50);
const before = { cpu: process.cpuUsage(), looks };
isCounted = true;
await delay(Number(seconds) * 1000);
const { user, system } = process.cpuUsage(before.cpu);
const told: Followed = { lags, looks: looks - before.looks, cpu: (user + system) / 1000, troubles };
process.stdout.write(JSON.stringify(told), () => process.exit(0));
