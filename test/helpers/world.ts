import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type App, type AppOptions, policyFor, startApp } from '../../src/app.ts';
import { silentLog } from '../../src/audit/place.ts';
import type { FetchCalendar } from '../../src/on-call/fetch.ts';
import { type Entry, isOfRun } from '../../src/runs/entry.ts';
import type { DiscordFault, DiscordOptions } from '../../src/sandbox/discord/index.ts';
import type { PanelOptions } from '../../src/sandbox/panel/index.ts';
import type { Limits } from '../../src/shell/limits.ts';
import { type RunLine, readingOf } from './ledger/reading.ts';
import { forAll, forEach, forThis } from './lives.ts';
import { until } from './messages.ts';
import { hurried, unlimited } from './pace.ts';
import { type Name, type Person, personOf } from './person.ts';
import { type RedisOptions, redisFor } from './redis/shared.ts';
import { expectNoSecrets, filesIn, openSurroundings, type Surroundings } from './surroundings.ts';

export interface WorldOptions
  extends RedisOptions,
    Pick<AppOptions, 'intervals' | 'clocks' | 'onTaken' | 'shell' | 'alerts'> {
  discord?: Omit<DiscordOptions, 'token'>;
  panel?: Omit<PanelOptions, 'token'>;
  /** policy.yaml; the example when left out. */
  policy?: string;
  /** How the calendars of who is on call are fetched. */
  calendars?: FetchCalendar;
  /** What differs from none at all. */
  limits?: Partial<Limits>;
  timeouts?: NonNullable<AppOptions['panel']['timeouts']>;
  /** The panel client's waits take no time: its clock and the panel's jump instead. */
  hurry?: true;
  /** Nobody looks how it goes with what the panel accepted: its cards stay as their command left them. */
  still?: true;
  /** Whether the bot has the panel's token. It has, when left out. */
  token?: 'wrong';
  /** The ledger is in the Redis of `redisUrl`. */
  ledger?: 'redis';
  /** The ledger is posted to #audit. */
  audit?: true;
  /** The bot's clock moves only where `timePasses`. */
  clockStands?: true;
  /** What is wrong with Discord before the bot starts. */
  broken?: readonly DiscordFault[];
}

export interface World extends Record<Name, Person>, Surroundings {
  app: App;
  /** The bot's folder, and what its ledger holds: of runs, and everything. */
  dir: string;
  ledger(): RunLine[];
  entries(): Entry[];
  /** Everything that was logged. */
  logged(): string;
  /** The clocks of the panel and of its client go on by a minute, at once: whoever was held back for a minute may go on. */
  minutePasses(): void;
  /** The bot's clock goes on by so many ms, at once. */
  timePasses(ms: number): void;
  /** Stops the bot and starts it again on the same folder. */
  restart(): Promise<void>;
  /** Stops everything, and fails when a secret was written anywhere. */
  stop(): Promise<void>;
}

/** Without pings that would come between what people click and what they see of it. */
export const examplePolicy = readFileSync(new URL('../../policy.example.yaml', import.meta.url), 'utf8').replace(
  /\b(unknown|answered|done): requester/g,
  '$1: nobody',
);

export const expander = new URL('../../dist/src/on-call/thread.js', import.meta.url);

/** Starts the bot in this process as the program does, with the compiled threads: a thread runs no TypeScript. */
export async function startIn(
  dir: string,
  { discord, panel }: Surroundings,
  policy: string,
  {
    redis,
    redisUrl,
    panel: toPanel,
    ...own
  }: RedisOptions & Omit<Partial<AppOptions>, 'policy' | 'panel'> & { panel?: object },
): Promise<App> {
  const read = policyFor(policy, discord.guildId);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  // It loads after a start, and on a busy machine the first command would wait for that.
  await import('../../src/follow-ups/queue.ts');
  const app = await startApp({
    discord: { token: discord.token, guild: discord.guildId, apiUrl: discord.apiUrl, register: true },
    panel: { url: panel.url, token: panel.token, ca: panel.ca, ...toPanel },
    policy: read.policy,
    dataDir: dir,
    redisUrl: await redisFor({ redis, redisUrl }),
    note: '',
    log: silentLog,
    checker: { program: new URL('../../dist/src/audit/thread.js', import.meta.url) },
    onRefused: () => undefined,
    limits: unlimited,
    intervals: hurried,
    ...own,
  });
  await app.ready;
  return app;
}

/** The whole bot on the sandbox: the real discord.js, real HTTP, a real Redis. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  let ahead = 0;
  let botAhead = 0;
  const clock = (): number => Date.now() + ahead;
  const jump = (ms: number): Promise<void> => {
    ahead += ms;
    return Promise.resolve();
  };
  const around = await openSurroundings({
    discord: options.discord,
    panel: { now: () => new Date(clock()), ...options.panel },
  });
  const { discord, panel } = around;
  for (const fault of options.broken ?? []) discord.order(fault);
  const begun = Date.now();
  const lines: string[] = [];
  const dir = mkdtempSync(join(tmpdir(), 'panelops-'));
  const { policy = examplePolicy, redis, redisUrl, ledger, still, shell, alerts, clocks, onTaken } = options;
  const start = async (): Promise<App> => {
    const started = await startIn(dir, around, policy, {
      ...{ redis, redisUrl, ledger, still, shell, alerts, clocks, onTaken },
      panel: {
        ...(options.token && { token: `no-longer-valid-${panel.token}` }),
        ...(options.hurry && { wait: jump }),
        ...(options.timeouts && { timeouts: options.timeouts }),
        now: clock,
      },
      audit: options.audit && discord.channels.audit,
      log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
      onCall: { fetch: options.calendars, program: expander },
      onRefused: (problem) => lines.push(`refused: ${problem}`),
      now: () => (options.clockStands ? begun : Date.now()) + botAhead,
      limits: { ...unlimited, ...options.limits },
      intervals: { ...hurried, ...options.intervals },
    });
    // The embedded one starts after the bot; who asks for one of its own means to break it.
    await until(() => started.redis !== undefined, 'Redis');
    return started;
  };
  let app = await start();
  const inFile = readingOf(dir);
  const entries = (): Entry[] => (ledger === undefined ? inFile() : [...app.entries()]);
  const person = (name: Name): Person => personOf(discord, name);
  return {
    ...{ discord, panel, dir, entries },
    ...{ alice: person('alice'), bob: person('bob'), carol: person('carol'), mallory: person('mallory') },
    get app() {
      return app;
    },
    ledger: () => entries().filter(isOfRun),
    logged: () => lines.join(''),
    minutePasses: () => void jump(60_001),
    timePasses(ms) {
      botAhead += ms;
    },
    async restart() {
      await app.stop();
      app = await start();
    },
    async stop() {
      await app.stop();
      const places = ['ops', 'audit', 'random', ...discord.threads().map(({ id }) => id)];
      const seen = places.map((place) => discord.view('alice', place));
      const written = [lines.join(''), ...seen, ...filesIn(dir).map((path) => readFileSync(path, 'utf8'))];
      await around.close();
      rmSync(dir, { recursive: true, force: true });
      expectNoSecrets(written);
    },
  };
}

/** One for the test, stopped with it. */
export const openWorld = (options?: WorldOptions): Promise<World> => forThis(startWorld(options));

/** One for all tests of a file or group, and another one for each test. */
export const worldForAll = (options?: WorldOptions): World => forAll(() => startWorld(options));
export const worldForEach = (options?: WorldOptions): World => forEach(() => startWorld(options));
