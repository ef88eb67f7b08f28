import { onTestFinished } from 'vitest';
import { embeddedRedisOf } from '../soak/bot.ts';
import { folder } from './ledger/samples.ts';
import { until } from './messages.ts';
import type { Running } from './process.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';
import { environmentFor, run } from './stage.ts';
import type { Surroundings } from './surroundings.ts';

/** A process of the bot, as `npm start` makes it. */
export interface BotProcess extends Pick<Running, 'pid' | 'ended'> {
  dir: string;
  /** What it logged so far. */
  logged(): string;
  kill(signal: NodeJS.Signals): void;
  /** Sends SIGTERM; how it ended, and after how many ms. */
  stops(): Promise<{ how: number | string; ms: number }>;
}

export async function ownRedisServer(): Promise<RedisServer> {
  const redis = await startRedisServer();
  onTestFinished(() => redis.stop());
  return redis;
}

/** Starts a bot and waits until it is ready; it is killed with the test. */
export async function startBot(
  around: Surroundings,
  { dir = folder(), env = {}, args = [] }: { dir?: string; env?: Record<string, string>; args?: string[] } = {},
): Promise<BotProcess> {
  const own = { ...environmentFor(around, dir), LOG_LEVEL: 'debug', ...env };
  const { pid, child, ended, end, ready, stderr } = run(own, { cwd: dir, args: ['--quiet', ...args] });
  onTestFinished(async () => void (await end('SIGKILL')));
  await ready();
  return {
    ...{ pid, dir, ended },
    logged: stderr,
    kill: (signal) => void child.kill(signal),
    async stops() {
      const from = performance.now();
      child.kill('SIGTERM');
      return { how: await ended, ms: performance.now() - from };
    },
  };
}

/** The process of the embedded Redis of a bot, once there is one. */
export const redisOf = (pid: number): Promise<number> => until(() => embeddedRedisOf(pid), 'the embedded Redis');
