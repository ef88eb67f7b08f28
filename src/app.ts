import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { commands } from '../commands/index.ts';
import { createPainter } from './chart/index.ts';
import type { Command, Followed } from './command.ts';
import type { Role } from './config.ts';
import { type Bot, createBot } from './discord/bot.ts';
import { createFollowUps, type FollowUpParts, type FollowUps } from './follow-ups/index.ts';
import { createSource } from './follow-ups/source.ts';
import type { Entry } from './ledger/entry.ts';
import { openFileLedger } from './ledger/file-store.ts';
import type { Ledger } from './ledger/ledger.ts';
import { type OpenCardStore, openCardStore } from './ledger/open-cards.ts';
import { redisOpenCards } from './ledger/open-cards-redis.ts';
import { openRedisLedger } from './ledger/redis-store.ts';
import type { Log } from './outcome.ts';
import { createPanel, type Panel, type PanelOptions } from './panel/client.ts';
import { answersIn, decide, limit, requirements } from './policy/decide.ts';
import { inventory } from './policy/inventory.ts';
import { type Problem, readPolicy } from './policy/load.ts';
import type { Policy } from './policy/schema.ts';
import { questionKey, questions } from './questions/questions.ts';
import { alive, heartbeat } from './redis/alive.ts';
import { sharedBudget } from './redis/budget.ts';
import { connectRedis, type RedisHandle } from './redis/connect.ts';
import { startEmbeddedRedis } from './redis/embedded.ts';
import { finding } from './redis/finding.ts';
import { locks } from './redis/locks.ts';
import { createRunner, type Runner } from './run/index.ts';
import type { Parts, Rules } from './run/parts.ts';

/** All that one bot needs to know. `note` stands on every card. */
export interface AppOptions {
  discord: { token: string; guild: string; apiUrl?: string; register: boolean };
  panel: Pick<PanelOptions, 'url' | 'token' | 'ca' | 'timeouts' | 'now' | 'wait'>;
  policy: Policy;
  dataDir: string;
  /** Left out: the embedded Redis. */
  redisUrl?: string;
  /** Where the ledger is kept, and with it the cards that are not at rest; in files when left out. */
  ledger?: 'file' | 'redis';
  /** What this process does; everything when left out. */
  role?: Role;
  note: string;
  log: Log;
  onRefused(problem: string): void;
  /** In ms: how often is swept, how long questions are open, how long a stop waits for what is under way. */
  intervals?: Partial<Intervals>;
}

interface Intervals {
  sweep: number;
  open: { plain: number; typed: number };
  drain: number;
  /** How often the queue of follow-ups is held against the ledger, and the follow-ups' own. */
  reconcile: number;
  followUps?: FollowUpParts['intervals'];
}

const usual: Intervals = { sweep: 1000, open: { plain: 120_000, typed: 300_000 }, drain: 20_000, reconcile: 60_000 };

export interface App {
  /** Where Redis listens, without its password. */
  redis: string;
  /** What is in the ledger, oldest first: the same list, which grows. */
  entries(): readonly Entry[];
  /** What is followed to its end. Rejects with LedgerUnavailable. */
  followUps(): Promise<readonly Followed[]>;
  /** Ends the embedded Redis as a crash would; left out: it is not ours. */
  killRedis?(): void;
  /** Takes no new commands, waits for what is under way, and lets everything go. */
  stop(): Promise<void>;
}

/** What there is to let go of, the last first. */
type Closing = (() => Promise<unknown>)[];

/** Puts the parts together and does its work, whatever its role, when it resolves. */
export async function startApp(options: AppOptions): Promise<App> {
  const { log, discord, role = 'both' } = options;
  const owner = randomBytes(8).toString('hex');
  const closing: Closing = [];
  try {
    // Before anything is started that another process, if it has the folder, would not want.
    const files = options.ledger === 'redis' ? undefined : await inFiles(options, closing);
    const { url, connection, kill } = await openRedis(options, closing);
    const store = files ?? (await inRedis({ url, connection, owner, log }, closing));
    const shared = sharedBudget(connection.redis, `${options.panel.url} ${options.panel.token}`);
    const panel = createPanel({ ...options.panel, log, shared });
    closing.push(() => panel.close());
    const bot = createBot({ ...discord, commands, note: options.note, log, onRefused: options.onRefused });
    closing.push(() => bot.close());
    const followUps = follow(options, { ...store, panel, bot, connection, url }, closing);

    const serving = { ...store, panel, bot, connection, owner, followUps };
    const runner = role === 'worker' ? undefined : await serve(options, serving, closing);
    if (runner === undefined) await bot.connectRest();
    keepFollowing(followUps, connection, { ...usual, ...options.intervals }.reconcile, closing);
    return {
      redis: withoutPassword(url),
      entries: store.ledger.entries,
      followUps: () => followUps.list(),
      ...(kill === undefined ? {} : { killRedis: kill }),
      async stop() {
        log.info({}, 'stopping');
        await runner?.stop(options.intervals?.drain ?? usual.drain);
        await close(closing, log);
      },
    };
  } catch (error) {
    await close(closing, log);
    throw error;
  }
}

/** How long each part has to close, in ms. Some would wait for a Redis or a Discord that does not answer. */
const closingTime = 1_500;

async function close(closing: Closing, log: Log): Promise<void> {
  for (const each of closing.toReversed()) {
    const closed = each().catch((error: unknown) => log.warn({ problem: String(error) }, 'something did not close'));
    await Promise.race([closed, delay(closingTime)]);
  }
}

/** The embedded Redis or the one that was named, once commands can be sent. */
async function openRedis(
  { redisUrl, log }: AppOptions,
  closing: Closing,
): Promise<{ url: string; connection: RedisHandle; kill?: () => void }> {
  const embedded = redisUrl === undefined ? await startEmbeddedRedis(log) : undefined;
  if (embedded !== undefined) closing.push(() => embedded.close());
  const url = embedded?.url ?? redisUrl ?? '';
  const connection = connectRedis(url, log);
  closing.push(() => connection.close());
  await connection.ready();
  return { url, connection, ...(embedded === undefined ? {} : { kill: embedded.kill }) };
}

/** For connections beside the first, which says already that Redis is away, and that it is back. */
const asides = (log: Log): Log => {
  const aside: Log['debug'] = (facts, message) => log.debug(facts, message);
  return { debug: aside, info: aside, warn: aside, error: (facts, message) => log.error(facts, message) };
};

/** What outlives a process, and which other processes are at work on it. */
interface Store extends Pick<Parts, 'alive'> {
  ledger: Ledger;
  openCards: OpenCardStore;
}

async function inFiles({ dataDir, log }: AppOptions, closing: Closing): Promise<Store> {
  const ledger = await openFileLedger({ dir: dataDir, log });
  closing.push(() => ledger.close());
  // The folder is this process's alone: whoever else wrote there is no more.
  return { ledger, openCards: openCardStore(dataDir, log), alive: () => Promise.resolve(new Set()) };
}

/** After an outage, others get that long, in ms, to show that they live. */
const benefitOfDoubt = 15_000;

async function inRedis(
  { url, connection, owner, log }: { url: string; connection: RedisHandle; owner: string; log: Log },
  closing: Closing,
): Promise<Store> {
  const { redis } = connection;
  const own = connectRedis(url, asides(log));
  closing.push(() => own.close());
  await own.ready();
  const ledger = await openRedisLedger({ redis: own.redis, log });
  closing.push(() => ledger.close());
  const beating = heartbeat(redis, owner);
  closing.push(() => beating.stop());
  let judgeFrom = 0;
  connection.onReturn(() => {
    judgeFrom = Date.now() + benefitOfDoubt;
  });
  return {
    ledger,
    openCards: redisOpenCards(redis, log),
    alive: (owners) => (Date.now() < judgeFrom ? Promise.resolve(new Set(owners)) : alive(redis, owners)),
  };
}

/** Restores and power actions, followed to their end by processes whose role says so. */
function follow(options: AppOptions, { ledger, panel, bot, connection, url }: Followable, closing: Closing): FollowUps {
  const { policy, log, role = 'both' } = options;
  const worker = role === 'gateway' ? undefined : connectRedis(url, asides(log), 'forWorker');
  if (worker !== undefined) closing.push(() => worker.close());
  const followUps = createFollowUps({
    ledger,
    redis: { producer: connection.redis, ...(worker === undefined ? {} : { worker: worker.redis }) },
    source: createSource(panel, policy.restoreStatus, finding(connection.redis, 'no-queue-read'), log),
    follows: { restore: true, power: policy.queueStatus, deadline: policy.followUps.deadline },
    readable: policy.restoreStatus !== undefined,
    desk: bot.followUpDesk,
    ...(options.intervals?.followUps === undefined ? {} : { intervals: options.intervals.followUps }),
    log,
  });
  closing.push(() => followUps.close());
  return followUps;
}

/** Now, whenever Redis may have lost something, and now and then. */
function keepFollowing(followUps: FollowUps, connection: RedisHandle, every: number, closing: Closing): void {
  const reconcile = (): void => void followUps.reconcile();
  reconcile();
  connection.onReturn(reconcile);
  const timer = setInterval(reconcile, every);
  closing.push(() => Promise.resolve(clearInterval(timer)));
}

interface Followable {
  ledger: Ledger;
  panel: Panel;
  bot: Bot;
  connection: RedisHandle;
  url: string;
}

interface Serving extends Store, Pick<Parts, 'owner' | 'followUps'> {
  panel: Panel;
  bot: Bot;
  connection: RedisHandle;
}

/** The corridor: commands and clicks, from here on. */
async function serve(options: AppOptions, serving: Serving, closing: Closing): Promise<Runner> {
  const { policy, discord, log } = options;
  const { connection, bot, ...parts } = serving;
  const intervals = { ...usual, ...options.intervals };
  const runner = createRunner({
    ...parts,
    commands,
    rules: rulesOf(policy),
    locks: locks(connection.redis),
    questions: questions(connection.redis, questionKey(discord.token)),
    desk: bot.desk,
    paint: createPainter(log),
    log,
    now: Date.now,
    newId: () => randomBytes(16).toString('base64url'),
    open: intervals.open,
  });
  connection.onReturn(() => {
    // It may have come back empty.
    runner.restore().catch((error: unknown) => log.warn({ problem: String(error) }, 'questions were not put back'));
  });
  // Before the first click can come.
  await runner.restore();
  bot.serve(runner);
  await bot.connect();
  await runner.sweep();
  closing.push(sweeping(runner, intervals.sweep));
  return runner;
}

/** Sweeps again and again, one sweep at a time. The answer stops that. */
function sweeping(runner: Runner, every: number): () => Promise<void> {
  let under = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    under = runner.sweep().finally(() => {
      busy = false;
    });
  }, every);
  return async () => {
    clearInterval(timer);
    await under;
  };
}

/** The policy as the corridor asks it. */
function rulesOf(policy: Policy): Rules {
  const servers = inventory(policy);
  return {
    channels: policy.channels ?? [],
    answersIn: (place) => answersIn(policy, place),
    decide: (roles, command, server) => decide(policy, { roles, command, ...(server === undefined ? {} : { server }) }),
    requirements: (command) => requirements(policy, command),
    limit: (command) => limit(policy, command.id),
    find: (text) => servers.find(text),
    suggest: (text, may) => servers.suggest(text, may),
  };
}

/** Reads policy.yaml against the commands that there are. */
export function policyFor(text: string, guild: string): { policy: Policy } | { problems: Problem[] } {
  const limited = commands.filter((command: Command) => command.limited !== undefined).map(({ id }) => id);
  return readPolicy(text, { commands, limited, guild });
}

function withoutPassword(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
