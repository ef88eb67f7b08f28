import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { commands } from '../commands/index.ts';
import { type CardRenderer, cardRenderer } from './app/cards.ts';
import { startAlerts, startDuties } from './app/duties.ts';
import { follow, keepFollowing } from './app/following.ts';
import { startInventory } from './app/inventory.ts';
import { factsWith, takeLead } from './app/leading.ts';
import { type OnCall, startOnCall, withShifts } from './app/on-call.ts';
import { type AppOptions, completed, usual } from './app/options.ts';
import type { RedisSide } from './app/redis-place.ts';
import { createReload, type Reload } from './app/reload.ts';
import { rulesOf } from './app/rules.ts';
import { openShell } from './app/shell.ts';
import type { Closing, Store } from './app/store.ts';
import { startTrail } from './app/trail.ts';
import { vitalsOf } from './app/vitals.ts';
import { createSeal } from './cards/seal.ts';
import { createPainter, type Paint } from './chart/index.ts';
import { checkOutside } from './check/at-start.ts';
import { checkInside } from './check/inside.ts';
import type { Followed } from './command.ts';
import type { Rules } from './decide/rules.ts';
import { type Bot, createBot } from './discord/bot.ts';
import type { FollowUps } from './follow-ups/index.ts';
import { createBackups } from './follow-ups/source.ts';
import type { Vitals } from './health/vitals.ts';
import { createIncidents } from './incidents/index.ts';
import type { Refresh } from './inventory/refresh.ts';
import { type Observe, unobserved } from './metrics/observe.ts';
import type { Log } from './outcome.ts';
import { createPanel, type Panel } from './panel/client.ts';
import { requestLine } from './panel/endpoints.ts';
import type { PanelState } from './panel/probe.ts';
import { isOn, type LivePolicy, livePolicy, shownOf } from './policy/live.ts';
import { recipientsOf } from './policy/notify.ts';
import type { Policy } from './policy/schema.ts';
import type { Entry } from './runs/entry.ts';
import { createRunner, type Runner } from './shell/index.ts';
import { oneByOne } from './shell/limits.ts';
import type { Parts } from './shell/parts.ts';
import { createTerminalCards } from './terminal/screen.ts';
import { createSeals, sealKeyOf } from './trail/seals.ts';
import { every, type Waits } from './waits.ts';

export type { AppOptions, Standby } from './app/options.ts';
export { policyFor } from './app/rules.ts';

export interface App extends Reload {
  /** Where Redis listens, without its password. Undefined while the embedded one is still starting. */
  readonly redis: string | undefined;
  /** Once Discord is there, too: how the panel answered; undefined: it was not asked. Stopped before, it never settles. */
  ready: Promise<PanelState | undefined>;
  /** What is in the ledger, oldest first: the same list, which grows. */
  entries(): readonly Entry[];
  /** What is followed to its end. Rejects with LedgerUnavailable. */
  followUps(): Promise<readonly Followed[]>;
  /** How this process is, for whoever watches it. */
  vitals: Vitals;
  /** Ends the embedded Redis as a crash would; left out: it is not ours. */
  killRedis?: (() => void) | undefined;
  /** Takes no new commands, waits for what is under way, and lets everything go. */
  stop(): Promise<void>;
}

/** Puts the parts together. Resolves once this process is the one that acts, and does: with a shell, before Discord is there. */
export const startApp = (options: AppOptions): Promise<App> => start(completed(options));

async function start(options: Options): Promise<App> {
  const { log, waits, discord, audit, intervals, observe = unobserved, now = Date.now } = options;
  const [processId, policy] = [randomBytes(8).toString('hex'), livePolicy(options.policy)];
  const facts = factsWith(options, policy);
  const leading = { processId, policy, facts };
  const elsewhere = (): string[] => elsewhereOf(options.audit, policy.current());
  const [seal, seals] = [createSeal(discord.token), createSeals(sealKeyOf(discord.token))];
  /** What may still append is closed before the stop is recorded, so that the trail ends with it. */
  const [closing, appending]: [Closing, Closing] = [[], []];
  try {
    const served = deferred<Runner>();
    const { bot, terminals, enterDiscord, entered } = botFor(options, policy, awake(options, served.promise), closing);
    const { store, redis, panelToken } = await takeLead(options, { ...leading, bot, enterDiscord }, closing);
    reportOutcomes(store.ledger, observe);
    const sending = { token: panelToken, observe, log, onWait: waits.add, mayLeave: store.ledger.isHeld };
    const panel = createPanel({ ...options.panel, ...sending });
    closing.push(() => panel.close());
    const check = () => checkOutside(options, policy.current(), { bot, panel });
    // Commands are served meanwhile.
    const asked = check();
    const around = { ...store, bot, processId, seals, policy, audit, facts, elsewhere, log, now };
    const posting = await startTrail(options, around, closing);
    const onCall = await startOnCall(options, { ...around, redis }, appending);
    const rules = rulesOf(policy, onCall.isKnown);
    const listing = { ...around, ...posting, inForce: rules, panel, redis };
    const inventory = await startInventory(options, listing, appending);
    const drawn = cardRenderer({
      ...{ ...store, ...bot, rules, seal, now, observe, log, pace: intervals?.cards },
      mayDraw: async () => store.ledger.isHeld() || options.gate.awake().then(store.ledger.isHeld),
      ...{ elsewhere, lookOf: (run) => followUps.lookOf(run), canLook: (of) => followUps.canLook(of) },
      recipients: (news, requester) => recipientsOf(policy.current(), news, requester, onCall.pings),
    });
    const alerts = await startAlerts(options, { ...around, find: rules.find }, appending);
    const followUps: FollowUps = follow(options, { ...store, redis, panel, drawn, policy }, appending);
    const given = { intervals: intervals?.duties, pace: intervals?.announcer, rules };
    const duties = startDuties({ ...around, ...drawn, ...given, onCall, ...alerts, guild: discord.guild }, appending);
    const troubles = () => [followUps, duties, inventory, onCall].flatMap((each) => each.troubles());
    const serving = {
      ...{ ...store, ...drawn, redis, trail: posting.trail, panel, bot, inventory, onCall },
      ...{ rules, policy, seal, waits, now, paint: painterFor(log, closing) },
    };
    const parts = partsOf(options, { ...serving, followUps: { ...followUps, troubles } });
    const limits = { ...options.limits, ...(intervals?.open && { open: intervals.open }) };
    const runner = withShifts(createRunner(parts, limits), onCall);
    served.resolve(runner);
    await openShell(options, { ...store, ...drawn, policy, bot, runner, terminals, now }, closing);
    appending.push(every({ ...usual, ...intervals }.recover, runner.recover, 'at once'));
    keepFollowing(followUps, redis, { ...usual, ...intervals }.reconcile, appending);
    const drained = () => runner.stop(intervals?.drain ?? usual.drain);
    const last = [drained, () => close(appending, log), posting.stop, () => close(closing, log)];
    const rest = Promise.all([asked, entered()]).then(([state]) => state);
    return {
      ...untilStopped(rest, () => redis.begin(), last, log),
      ...createReload({ ...around, ...posting, ...drawn, panel, panelToken, check, inventory, onCall }),
      get redis() {
        return withoutPassword(redis.now()?.url);
      },
      entries: () => store.ledger.entries().slice(),
      followUps: () => followUps.list(),
      vitals: vitalsOf({ ...store, ...drawn, redis, bot, panel, followUps, trail: posting, inventory, now }),
      killRedis: options.redisUrl === undefined ? () => redis.now()?.kill?.() : undefined,
    };
  } catch (error) {
    await close([...closing, ...appending], log);
    return options.stopping?.aborted ? never : Promise.reject(error);
  }
}

/** Of a start that was stopped, nothing more is heard. */
const never = new Promise<never>(() => undefined);

/** The rest of a start that serves already, and its stop. */
function untilStopped(
  rest: Promise<PanelState | undefined>,
  begin: () => void,
  last: readonly (() => Promise<void>)[],
  log: Log,
): Pick<App, 'ready' | 'stop'> {
  let stopping: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    log.info({}, 'stopping');
    for (const each of last) await each();
  };
  const stop = (): Promise<void> => {
    stopping ??= stopAll();
    return stopping;
  };
  const ready = rest.then(
    (panelState) => {
      if (stopping !== undefined) return never;
      begin();
      return panelState;
    },
    async (error: unknown) => {
      if (stopping !== undefined) return never;
      await stop();
      throw error;
    },
  );
  ready.catch(() => undefined);
  return { ready, stop };
}

/** Once it leads, only this process records. Denials are reported where they happen. */
function reportOutcomes(ledger: Store['ledger'], { ended }: Observe): void {
  ledger.subscribe((entry) => {
    if (entry.kind === 'outcome') ended(entry.command, entry.outcome);
  });
}

function deferred<T>(): { promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** The runner, once it is there and knows whether this process still leads. */
const awake =
  ({ gate }: Pick<ReturnType<typeof completed>, 'gate'>, runner: Promise<Runner>) =>
  async (): Promise<Runner> => {
    await gate.awake();
    return runner;
  };

/** Logs in. What arrives before the runner is there waits for it. */
async function enter(bot: Bot, runner: () => Promise<Runner>): Promise<void> {
  bot.serve({
    command: async (invocation) => (await runner()).command(invocation),
    click: async (clicked) => (await runner()).click(clicked),
    suggest: async (typing) => (await runner()).suggest(typing),
  });
  await bot.connect();
}

/** The bot and its login. With a shell, people are served before Discord is there. */
function botFor(options: Options, { current }: LivePolicy, runner: () => Promise<Runner>, closing: Closing) {
  const terminals = createTerminalCards();
  const commandsOn = commands.filter(isOn(current()));
  const bot = createBot({ ...options, ...options.discord, commands: commandsOn, ...shownOf(current) });
  closing.push(() => bot.close());
  let entering = Promise.resolve();
  const enterDiscord = (): Promise<void> => {
    entering = enter(bot, runner);
    entering.catch(() => undefined);
    return current().shell === undefined ? entering : Promise.resolve();
  };
  return {
    bot: { ...bot, messages: terminals.within(bot.messages) },
    ...{ terminals, enterDiscord, entered: () => entering },
  };
}

type Options = ReturnType<typeof completed>;

/** Channels for what cannot be said where its card is: the audit channel, then the policy's first. */
const elsewhereOf = (audit: string | undefined, { channels = [] }: Policy): string[] => [
  ...(audit === undefined ? [] : [audit]),
  ...channels.slice(0, 1),
];

/** How long each part has to close, in ms. Some would wait for a Redis or a Discord that does not answer. */
const closingTime = 1_500;

async function close(closing: Closing, log: Log): Promise<void> {
  for (const each of closing.toReversed()) {
    const closed = each().catch((error: unknown) => log.warn({ problem: String(error) }, 'something did not close'));
    await Promise.race([closed, delay(closingTime)]);
  }
}

interface Serving extends CardRenderer, Pick<Parts, 'trail' | 'seal' | 'now'> {
  paint: Paint;
  redis: Pick<RedisSide, 'now'>;
  followUps: FollowUps & Parts['followUps'];
  policy: Pick<LivePolicy, 'current'>;
  panel: Panel;
  bot: Bot;
  rules: Rules;
  inventory: Refresh;
  onCall: OnCall;
  waits: Waits;
}

function painterFor(log: Log, closing: Closing): Paint {
  const { paint, close } = createPainter(log);
  closing.push(async () => close());
  return paint;
}

/** What the pipeline works with. */
function partsOf(options: AppOptions, { bot, redis, policy, paint, ...serving }: Serving): Parts {
  const { log, version } = options;
  const { ledger, inventory, onCall } = serving;
  const check = checkInside({
    ...{ ...options, ...serving, redis: () => redis.now()?.connection.redis },
    ...{ ledgerIn: options.ledger ?? 'file', lastCanary: serving.followUps.lastCanary },
    policy: policy.current,
  });
  const incidents = createIncidents({ ledger, threads: bot.incidentThreads, log });
  return {
    ...serving,
    commands: commands.filter(isOn(policy.current())),
    forCommands: {
      ...{ version, mention: bot.mention, incidents, check, inventory, onCall, paint },
      ...{ written: requestLine, walks: oneByOne() },
      backups: createBackups(serving.panel, () => policy.current().backupList),
    },
    observe: options.observe ?? unobserved,
    log,
  };
}

function withoutPassword(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
