import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { commands } from '../commands/index.ts';
import { type LooseIntervals, watchLoose } from './app/loose.ts';
import { rulesOf } from './app/rules.ts';
import { asides, type Closing, inFiles, inRedis, openRedis, type Store } from './app/store.ts';
import { tell } from './app/trail.ts';
import { createPainter } from './chart/index.ts';
import type { Followed } from './command.ts';
import type { Role } from './config.ts';
import { type Bot, createBot } from './discord/bot.ts';
import { createFollowUps, type FollowUpParts, type FollowUps } from './follow-ups/index.ts';
import { createSource } from './follow-ups/source.ts';
import { createIncidents } from './incidents/index.ts';
import type { Entry } from './ledger/entry.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Log } from './outcome.ts';
import { createPanel, type Panel, type PanelOptions } from './panel/client.ts';
import type { Policy } from './policy/schema.ts';
import { questionKey, questions } from './questions/questions.ts';
import { reasons } from './reasons.ts';
import { timeline } from './record/timeline.ts';
import { sharedBudget } from './redis/budget.ts';
import { connectRedis, type RedisHandle } from './redis/connect.ts';
import { finding } from './redis/finding.ts';
import { locks } from './redis/locks.ts';
import { createRunner, type Runner } from './run/index.ts';
import type { Parts } from './run/parts.ts';
import { offersNow, retire } from './run/retire.ts';
import type { TrailIntervals } from './trail/index.ts';

export { policyFor } from './app/rules.ts';

/** All that one bot needs to know. `note` stands on every card. */
export interface AppOptions {
  discord: { token: string; guild: string; apiUrl?: string; register: boolean };
  panel: Pick<PanelOptions, 'url' | 'token' | 'ca' | 'timeouts' | 'now' | 'wait'>;
  policy: Policy;
  dataDir: string;
  /** The id of the audit channel. Left out: the ledger is posted nowhere. */
  audit?: string;
  /** What of panelops this is, for the ledger. */
  version?: string;
  /** Left out: the embedded Redis. */
  redisUrl?: string;
  /** Where the ledger is kept, and with it the cards that are not at rest; in files when left out. */
  ledger?: 'file' | 'redis';
  /** What this process does; everything when left out. */
  role?: Role;
  note: string;
  log: Log;
  onRefused(problem: string): void;
  /** By which commands and reminders go, in ms; the machine's clock when left out. */
  now?(): number;
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
  trail?: Partial<TrailIntervals>;
  loose?: Partial<LooseIntervals>;
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

/** Puts the parts together and does its work, whatever its role, when it resolves. */
export async function startApp(options: AppOptions): Promise<App> {
  const { log, discord, role = 'both' } = options;
  const owner = randomBytes(8).toString('hex');
  const closing: Closing = [];
  try {
    // Before anything is started that another process, if it has the folder, would not want.
    const files = options.ledger === 'redis' ? undefined : await inFiles(options, closing);
    const { url, connection, kill } = await openRedis(options, closing);
    const store = files ?? (await inRedis({ url, connection, owner, log, now: options.now }, closing));
    const shared = sharedBudget(connection.redis, `${options.panel.url} ${options.panel.token}`);
    const panel = createPanel({ ...options.panel, log, shared });
    closing.push(() => panel.close());
    const bot = createBot({ ...options, ...discord, commands });
    closing.push(() => bot.close());
    const { stop: lastWords, ...told } = await tell(options, { ...store, bot, connection, url, owner }, closing);
    const followUps = follow(options, { ...told, panel, bot, connection, url }, closing);

    let loose: ReturnType<typeof watchLoose> | undefined;
    const troubles = (): string[] => [
      ...trailTroubles(told.trail),
      ...followUps.troubles(),
      ...(loose?.troubles() ?? []),
    ];
    const serving = { ...store, ...told, panel, bot, connection, owner, followUps: { ...followUps, troubles } };
    const runner = role === 'worker' ? undefined : await serve(options, serving, closing);
    if (runner === undefined) await bot.connectRest();
    keepFollowing(followUps, connection, { ...usual, ...options.intervals }.reconcile, closing);
    const watched = {
      ...told,
      followUps,
      bot,
      connection,
      owner,
      guild: discord.guild,
      log,
      now: options.now ?? Date.now,
    };
    loose = watchLoose(options.policy, { ...watched, intervals: options.intervals?.loose }, closing);
    return {
      redis: withoutPassword(url),
      entries: store.ledger.entries,
      followUps: () => followUps.list(),
      ...(kill === undefined ? {} : { killRedis: kill }),
      async stop() {
        log.info({}, 'stopping');
        await runner?.stop(options.intervals?.drain ?? usual.drain);
        await lastWords();
        await close(closing, log);
      },
    };
  } catch (error) {
    await close(closing, log);
    throw error;
  }
}

/** The connection may work, and still nothing may change. */
function trailTroubles(trail: Parts['trail']): string[] {
  const [reason, words] = [trail.trouble(), trail.words()];
  return reason === undefined || words === undefined
    ? []
    : [`**Nothing may change.** ${words} ${reasons[reason].next}`];
}

/** How long each part has to close, in ms. Some would wait for a Redis or a Discord that does not answer. */
const closingTime = 1_500;

async function close(closing: Closing, log: Log): Promise<void> {
  for (const each of closing.toReversed()) {
    const closed = each().catch((error: unknown) => log.warn({ problem: String(error) }, 'something did not close'));
    await Promise.race([closed, delay(closingTime)]);
  }
}

/** Restores and power actions, followed to their end by processes whose role says so. */
function follow(options: AppOptions, { ledger, panel, bot, connection, url }: Followable, closing: Closing): FollowUps {
  const { policy, log, role = 'both', now = Date.now } = options;
  const rules = rulesOf(policy);
  const worker = role === 'gateway' ? undefined : connectRedis(url, asides(log), 'forWorker');
  if (worker !== undefined) closing.push(() => worker.close());
  const followUps: FollowUps = createFollowUps({
    ledger,
    redis: { producer: connection.redis, ...(worker === undefined ? {} : { worker: worker.redis }) },
    source: createSource(panel, policy.restoreStatus, finding(connection.redis, 'no-queue-read'), log),
    follows: { restore: true, power: policy.queueStatus, deadline: policy.followUps.deadline },
    readable: policy.restoreStatus !== undefined,
    desk: bot.followUpDesk,
    offers: (states) => offersNow({ ledger, commands, rules, now }, states),
    retire: (stem) => retire({ ledger, followUps, commands, rules, desk: bot.desk, log, now }, stem),
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

interface Serving extends Store, Pick<Parts, 'owner' | 'followUps' | 'trail'> {
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
    incidents: createIncidents({ ledger: parts.ledger, desk: bot.incidentDesk, timeline, log }),
    log,
    now: options.now ?? Date.now,
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
  warnOfMissing(policy, bot, log);
  await runner.sweep();
  closing.push(sweeping(runner, intervals.sweep));
  return runner;
}

/** A wrong id in the policy looks like a refusal to everybody. */
function warnOfMissing({ roles, channels = [] }: Policy, bot: Bot, log: Log): void {
  const missing = bot.missing({ roles: roles.map(({ role }) => role), channels });
  if (missing.roles.length > 0)
    log.warn({ roles: missing.roles }, 'the policy names roles that this guild does not have: check their ids');
  if (missing.channels.length > 0)
    log.warn({ channels: missing.channels }, 'the policy names channels that the bot does not see: check their ids');
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

function withoutPassword(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
