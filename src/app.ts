import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { commands } from '../commands/index.ts';
import { type CardRoom, cardRoom } from './app/cards.ts';
import { startDuties } from './app/duties.ts';
import { type AppOptions, usual } from './app/options.ts';
import { rulesOf } from './app/rules.ts';
import { type Closing, inFiles, inRedis, openRedis, quietLog, type RedisPlace, type Store } from './app/store.ts';
import { startTrail } from './app/trail.ts';
import { createSeal } from './cards/seal.ts';
import { createPainter } from './chart/index.ts';
import type { Followed } from './command.ts';
import { defined } from './defined.ts';
import { type Bot, createBot } from './discord/bot.ts';
import { createFollowUps, type FollowUps } from './follow-ups/index.ts';
import { createSource } from './follow-ups/source.ts';
import { createIncidents } from './incidents/index.ts';
import type { Log } from './outcome.ts';
import { createPanel, type Panel } from './panel/client.ts';
import { isGiven } from './policy/decide.ts';
import type { Policy } from './policy/schema.ts';
import { reasons } from './reasons.ts';
import { timeline } from './record/timeline.ts';
import { connectRedis, type RedisHandle } from './redis/connect.ts';
import { inTurn } from './run/in-turn.ts';
import { createRunner, type Runner } from './run/index.ts';
import type { Parts, Rules } from './run/parts.ts';
import type { Entry } from './runs/entry.ts';
import { createSeals, sealKeyOf } from './trail/seals.ts';

export type { AppOptions } from './app/options.ts';
export { policyFor } from './app/rules.ts';

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
  const { log, discord, role = 'both', intervals } = options;
  const processId = randomBytes(8).toString('hex');
  const now = options.now ?? Date.now;
  const rules = rulesOf(options.policy);
  const seal = createSeal(discord.token);
  const seals = createSeals(sealKeyOf(discord.token));
  const closing: Closing = [];
  /** What may still append: closed before the stop is recorded, so that the trail ends with it. */
  const appending: Closing = [];
  try {
    // Before anything is started that another process, if it has the folder, would not want.
    const files = options.ledger === 'redis' ? undefined : await inFiles({ ...options, processId }, closing);
    const bot = createBot({ ...options, ...discord, commands, isGiven: (command) => isGiven(options.policy, command) });
    closing.push(() => bot.close());
    // The file ledger needs no Redis: commands wait for neither the one nor the other twice.
    const served = deferred<Runner>();
    const [redis] = await Promise.all([openRedis(options, closing), enter(options, bot, served.promise)]);
    const panelId = `${options.panel.url} ${options.panel.token}`;
    const own = { panel: panelId, processId, log, now: options.now, ...defined({ life: intervals?.alive }) };
    const store = files ?? (await inRedis({ ...redis, ...own }, closing));
    const { ledger, budget } = store;
    const panel = createPanel({ ...options.panel, log, ...defined({ shared: budget }) });
    closing.push(() => panel.close());
    if (options.tryPanel) void tryPanel(panel, log);
    const { stop: farewell, trail } = await startTrail(options, { ...store, bot, processId, seals }, closing);
    const room = cardRoom({
      ...{ ...store, ...bot, rules, seal, processId, now, log, pace: intervals?.cards },
      ...{ elsewhere: elsewhereOf(options), lookOf: (run) => followUps.lookOf(run) },
    });
    const followUps: FollowUps = follow(options, { ...redis, ledger, panel, room }, appending);
    const duties = startDuties(
      options.policy,
      {
        ...{ ...store, ...room, bot, audit: options.audit, elsewhere: elsewhereOf(options) },
        guild: discord.guild,
        seals,
        log,
        now,
        intervals: intervals?.duties,
        pace: intervals?.announcer,
      },
      appending,
    );
    const troubles = (): string[] => [...followUps.troubles(), ...duties.troubles()];
    const serving = { ...store, ...room, trail, panel, bot, rules, seal, processId, now };
    const runner = createRunner(partsOf(options, { ...serving, followUps: { ...followUps, troubles } }));
    if (role !== 'worker') served.resolve(runner);
    appending.push(recovering(runner, { ...usual, ...intervals }.recover));
    keepFollowing(followUps, redis.connection, { ...usual, ...intervals }.reconcile, appending);
    return {
      redis: withoutPassword(redis.url),
      entries: ledger.entries,
      followUps: () => followUps.list(),
      ...defined({ killRedis: redis.kill }),
      async stop() {
        log.info({}, 'stopping');
        await runner.stop(intervals?.drain ?? usual.drain);
        await close(appending, log);
        await farewell();
        await close(closing, log);
      },
    };
  } catch (error) {
    await close([...closing, ...appending], log);
    throw error;
  }
}

function deferred<T>(): { promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Logs in. What arrives before the runner is there waits for it. */
async function enter({ role, policy, log }: AppOptions, bot: Bot, runner: Promise<Runner>): Promise<void> {
  if (role === 'worker') return bot.connectRest();
  bot.serve({
    command: async (invocation) => (await runner).command(invocation),
    click: async (clicked) => (await runner).click(clicked),
    suggest: async (typing) => (await runner).suggest(typing),
  });
  await bot.connect();
  void warnOfMissing(policy, bot, log);
}

/** Nothing waits for it, and as a look of a follow-up it takes nothing from people. */
async function tryPanel(panel: Panel, log: Log): Promise<void> {
  const answer = await panel.call('connect', {}, { kind: 'follow-up' });
  // Where the token's requests are used up, somebody else is served.
  if (answer.kind === 'yes' || answer.reason === 'waited-too-long') return;
  const check = 'Check PANEL_URL and PANEL_TOKEN; /panel check tries again.';
  log.warn({ reason: answer.reason }, `the panel cannot be used: ${reasons[answer.reason].why} ${check}`);
}

/** Channels for what cannot be said where its card is: the audit channel, then the policy's first. */
const elsewhereOf = ({ audit, policy }: AppOptions): string[] => [
  ...(audit === undefined ? [] : [audit]),
  ...(policy.channels ?? []).slice(0, 1),
];

/** How long each part has to close, in ms. Some would wait for a Redis or a Discord that does not answer. */
const closingTime = 1_500;

async function close(closing: Closing, log: Log): Promise<void> {
  for (const each of closing.toReversed()) {
    const closed = each().catch((error: unknown) => log.warn({ problem: String(error) }, 'something did not close'));
    await Promise.race([closed, delay(closingTime)]);
  }
}

interface Followable extends RedisPlace, Pick<Store, 'ledger'> {
  panel: Panel;
  room: CardRoom;
}

/** Restores and power actions, followed to their end by processes whose role says so. */
function follow(
  options: AppOptions,
  { ledger, panel, connection, url, room }: Followable,
  closing: Closing,
): FollowUps {
  const { policy, log, role = 'both' } = options;
  const worker = role === 'gateway' ? undefined : connectRedis(url, quietLog(log), 'forWorker');
  if (worker !== undefined) closing.push(() => worker.close());
  const followUps = createFollowUps({
    ledger,
    redis: { producer: connection.redis, ...defined({ worker: worker?.redis }) },
    source: createSource(panel, policy.restoreStatus, log),
    follows: { restore: true, power: policy.queueStatus, deadline: policy.followUps.deadline },
    readable: policy.restoreStatus !== undefined,
    changed: (id) => room.cards.mark(id, 'later'),
    stuckAfter(id) {
      const { ifStuck } = commands.find((command) => command.id === id) ?? {};
      return ifStuck === undefined ? undefined : (options.intervals?.stuck ?? ifStuck.after);
    },
    ...defined({ intervals: options.intervals?.followUps }),
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

interface Serving extends Store, CardRoom, Pick<Parts, 'processId' | 'followUps' | 'trail' | 'seal' | 'now'> {
  panel: Panel;
  bot: Bot;
  rules: Rules;
}

/** What the pipeline works with. */
function partsOf(options: AppOptions, { bot, ...serving }: Serving): Parts {
  const { log, intervals } = options;
  return {
    ...serving,
    commands,
    paint: createPainter(log),
    walks: inTurn(),
    incidents: createIncidents({ ledger: serving.ledger, threads: bot.incidentThreads, timeline, log }),
    log,
    open: { ...usual, ...intervals }.open,
    limits: options.limits,
  };
}

/** A wrong id in the policy looks like a refusal to everybody. */
async function warnOfMissing({ roles, channels = [] }: Policy, bot: Bot, log: Log): Promise<void> {
  const missing = await bot.missing({ roles: roles.map(({ role }) => role), channels });
  if (missing.roles.length > 0)
    log.warn({ roles: missing.roles }, 'the policy names roles that this guild does not have: check their ids');
  if (missing.channels.length > 0)
    log.warn({ channels: missing.channels }, 'the policy names channels that the bot does not see: check their ids');
}

/** Looks again and again for what is left to do, one look at a time. The answer stops that. */
function recovering(runner: Runner, every: number): () => Promise<void> {
  let under = Promise.resolve();
  let busy = false;
  const look = (): void => {
    if (busy) return;
    busy = true;
    under = runner.recover().finally(() => {
      busy = false;
    });
  };
  look();
  const timer = setInterval(look, every);
  return async () => {
    clearInterval(timer);
    await under;
  };
}

function withoutPassword(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
