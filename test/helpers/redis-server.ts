import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { embeddedRedisOf } from '../soak/bot.ts';
import { forThis } from './lives.ts';
import { until } from './messages.ts';
import { type Running, running } from './process.ts';
import { portOf } from './tcp.ts';

/** A real redis-server of a test's own, with its data in a folder of its own. Commands that follow a kill find it gone. */
export interface RedisServer {
  /** `redis://127.0.0.1:port`; the same after a restart. */
  url: string;
  port: number;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<unknown>;
  /** Starts it again on what its folder holds, killing it first when it runs. `settings` replace the ones from before. */
  restart(settings?: Settings): Promise<void>;
  /** Forgets what is on disk. Only while it is killed. */
  wipe(): void;
  freeze(): void;
  thaw(): void;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** Settings as in redis.conf: `{ appendfsync: 'everysec' }`. A space stands between two values. */
export type Settings = Readonly<Record<string, string>>;

/** REDIS_SERVER names another program of the same kind, such as a Valkey server. */
export const redisProgram = process.env['REDIS_SERVER'] ?? 'redis-server';

export const hasRedisServer = spawnSync(redisProgram, ['--version']).status === 0;

/** Ends the titles of what is left out without redis-server; the reporter goes by it. */
const needsRedisServer = '(needs redis-server)';

/** A `describe` that is left out where there is no redis-server, and fails there with CI=true. */
export function describeWithRedisServer(title: string, body: () => void): void {
  if (!hasRedisServer && process.env['CI'] === 'true') throw new Error(`CI=true and no ${redisProgram}: install it`);
  describe.skipIf(!hasRedisServer)(`${title} ${needsRedisServer}`, body);
}

/** The same for every server of this kind that is here: what holds of one may not of the other. */
export function describeEachRedisServer(title: string, body: (program: string) => void): void {
  for (const program of new Set([redisProgram, 'valkey-server'])) {
    const isHere = spawnSync(program, ['--version']).status === 0;
    if (program === redisProgram) describeWithRedisServer(`${title} [${program}]`, () => body(program));
    else describe.skipIf(!isHere)(`${title} [${program}] (needs ${program})`, () => body(program));
  }
}

/** Starts a redis-server that has everything on disk before it answers, unless `settings` say otherwise. */
export async function startRedisServer(settings: Settings = {}, program = redisProgram): Promise<RedisServer> {
  const dir = mkdtempSync(join(tmpdir(), 'panelops-redis-'));
  let given = settings;
  const { port, server: first } = await launchAnywhere(program, dir, given);
  let server = first;
  const kill = () => server.end('SIGKILL');

  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill,
    async restart(other = given) {
      await kill();
      given = other;
      server = await launch(program, dir, port, given);
    },
    wipe: () => rmSync(join(dir, 'appendonlydir'), { recursive: true, force: true }),
    freeze: () => void server.child.kill('SIGSTOP'),
    thaw: () => void server.child.kill('SIGCONT'),
    async stop() {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** One for the test, ended with it. */
export const ownRedisServer = (): Promise<RedisServer> => forThis(startRedisServer());

/** The process of the embedded Redis of a bot, once there is one. */
export const redisOf = (pid: number): Promise<number> => until(() => embeddedRedisOf(pid), 'the embedded Redis');

/** At a free port. Another process may take it before the server does: then at another. */
async function launchAnywhere(
  program: string,
  dir: string,
  settings: Settings,
): Promise<{ port: number; server: Running }> {
  const port = await freePort();
  try {
    return { port, server: await launch(program, dir, port, settings) };
  } catch (error) {
    if (!String(error).includes('Address already in use')) throw error;
    return launchAnywhere(program, dir, settings);
  }
}

async function launch(program: string, dir: string, port: number, settings: Settings): Promise<Running> {
  const all = {
    port: String(port),
    bind: '127.0.0.1',
    dir,
    save: '',
    appendonly: 'yes',
    appendfsync: 'always',
    daemonize: 'no',
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, ...value.split(' ')]);
  const server = running([program, ...args]);
  const onExit = () => void server.child.kill('SIGKILL');
  process.once('exit', onExit);
  void server.exit.then(() => process.off('exit', onExit));
  await server.says('Ready to accept connections');
  return server;
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const port = portOf(probe);
  probe.close();
  await once(probe, 'close');
  return port;
}
