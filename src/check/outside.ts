import { judgeRedis } from '../app/redis.ts';
import { readPlace, silentLog } from '../audit/place.ts';
import type { Config, ConfigProblem } from '../config.ts';
import { openAuditChannel } from '../discord/audit-channel.ts';
import { type DiscordFound, probeDiscord } from '../discord/probe.ts';
import { createCanary } from '../follow-ups/canary.ts';
import { keptOut, remedyOf } from '../ledger/kept-out.ts';
import { NotAFile } from '../ledger/ledger.ts';
import type { Reading } from '../ledger/reading.ts';
import { tryFolder } from '../ledger/try-folder.ts';
import type { HowToRead } from '../on-call/refresh.ts';
import { ChannelClosed, RedisUnavailable } from '../outcome.ts';
import { createPanel, type Panel } from '../panel/client.ts';
import { atOnce, probePanel } from '../panel/probe.ts';
import type { Policy } from '../policy/schema.ts';
import { connectRedis, type RedisHandle } from '../redis/connect.ts';
import { type RedisFound, unusable } from '../redis/probe.ts';
import { type Entries, eventsIn, lastOf } from '../runs/entries.ts';
import { isRestoreJob } from '../runs/follow-up.ts';
import { codeOf } from '../system.ts';
import { check } from '../trail/check.ts';
import { sealKeyOf } from '../trail/seals.ts';
import { guildOf } from './about-discord.ts';
import { isLeft, type Left, type Looked } from './line.ts';
import {
  alertsIn,
  backupsIn,
  commandsIn,
  diskOf,
  noPanel,
  once,
  portOf,
  restoreIn,
  trailIn,
  tryCalendars,
  tryInventory,
  withTimeout,
} from './looks.ts';
import { type Bounds, type LedgerFound, type Probes, type TrailFound, usualBounds } from './probes.ts';
import { together } from './run.ts';
import { waysOf } from './ways.ts';

/** The configuration and its problems. In `config`, an invalid value is an empty string. */
export interface ConfigFound {
  config: Config;
  problems: readonly ConfigProblem[];
  warnings: readonly string[];
  /** Missing if the policy has problems. */
  policy?: Policy;
}

export interface OutsideOptions extends ConfigFound {
  bounds?: Partial<Bounds>;
  now?(): number;
  /** How calendars are fetched and read; left out: as the bot does it. */
  calendars?: Pick<HowToRead, 'fetch' | 'expand'>;
}

/** Reads the ledger, once. */
type Read = () => Promise<Reading | 'late'>;

const noLedger: Left = { left: 'It needs a ledger that can be read.' };
const noPolicy: Left = { left: 'It needs a policy without problems.' };
const noTime: Left = { left: 'There was no time to compare it: use panelops audit verify.' };
const seeConfiguration: Left = { left: 'What it needs is wrong in the configuration.' };
const fromSandbox = (side: string): Left => ({ left: `${side} is the sandbox's, which is there while the bot runs.` });

/** The probes of the command line. They look from outside, and do not disturb a running bot. */
export function outsideProbes(options: OutsideOptions): { probes: Probes; close(): Promise<void> } {
  const { config, problems, warnings, policy, now = Date.now } = options;
  const panel = panelOf(config, now);
  const handle = redisOf(config);
  const reading: Read = once(() => withTimeout<Reading | 'late'>(readingOf(config), 'late', 7_000));
  const answeringPanel = async (): Promise<Looked<{ panel: Panel }>> => {
    const answered = await probes.panel();
    return 'left' in panel || isLeft(answered) || answered.state !== 'ok' ? noPanel : { panel };
  };
  const probes: Probes = {
    configuration: () =>
      Promise.resolve({ problems, warnings, ...(problems.length > 0 ? {} : { ways: waysOf(config) }) }),
    policy: () => Promise.resolve(policy ?? noPolicy),
    audit: () => Promise.resolve(auditOf(config)),
    discord: once(() => discordOf(config, now)),
    async commands() {
      const guild = await guildOf(probes);
      if (isLeft(guild)) return guild;
      if (policy === undefined) return noPolicy;
      const changes = commandsIn(guild, policy);
      const entries = await entriesOf(reading);
      const isPending = config.register === 'on-start' && entries !== undefined && !isRunning(entries);
      return changes === 'not-allowed' ? changes : { ...changes, isPending };
    },
    panel: once(async () => ('left' in panel ? panel : probePanel(panel, asPerson))),
    redis: async () => ('left' in handle ? handle : redisFound(handle, config)),
    ledger: once(() => ledgerFound(config, handle, reading)),
    trail: () => withTimeout<Looked<TrailFound>>(trailFound(probes, config, reading, now), noTime),
    canary: () => canaryFound(handle, reading, now),
    async restore() {
      const answering = await answeringPanel();
      if (isLeft(answering)) return answering;
      if (policy === undefined) return noPolicy;
      const entries = await entriesOf(reading);
      if (entries === undefined) return noLedger;
      return restoreIn(policy, lastOf(entries, isRestoreJob), { ...answering, caller: asPerson, now: now() });
    },
    async backups() {
      if (policy?.backupList === undefined) return undefined;
      const answering = await answeringPanel();
      if (isLeft(answering)) return answering;
      return backupsIn(policy, policy.servers[0]?.id, { ...answering, caller: asPerson });
    },
    async inventory() {
      if (policy?.inventory === undefined) return undefined;
      const answering = await answeringPanel();
      return isLeft(answering) ? answering : tryInventory(policy, answering.panel, asPerson, now());
    },
    calendars: async () => (policy === undefined ? [] : tryCalendars(policy, { now, ...options.calendars })),
    async alerts() {
      const { alerts } = config;
      if (problems.some(({ what }) => what.startsWith('ALERTS_'))) return seeConfiguration;
      if (policy === undefined) return alerts && noPolicy;
      return alertsIn(policy, alerts && (await portOf(alerts)));
    },
    disk: () => diskOf(config.dataDir),
    waits: () => Promise.resolve([]),
    bounds: { ...usualBounds, ...options.bounds },
    now,
  };
  const close = async (): Promise<void> => {
    if (!('left' in panel)) await panel.close();
    if (!('left' in handle)) await handle.close();
  };
  return { probes, close };
}

const asPerson = { kind: 'person', id: 'check' } as const;

function auditOf({ discord }: Config): Looked<{ channel?: string }> {
  if (discord.kind === 'sandbox') return fromSandbox('Discord');
  return discord.audit === '' ? seeConfiguration : { channel: discord.audit };
}

function discordOf({ discord }: Config, now: () => number): Promise<Looked<DiscordFound>> {
  if (discord.kind === 'sandbox') return Promise.resolve(fromSandbox('Discord'));
  const { token, guild, apiUrl } = discord;
  if (token === '' || apiUrl === '') return Promise.resolve(seeConfiguration);
  const place = { token, now, apiUrl, guild: guild === '' ? undefined : guild };
  return withTimeout<DiscordFound>(probeDiscord(place), { state: 'unreachable' });
}

function panelOf({ panel }: Config, now: () => number): Panel | Left {
  if (panel.kind === 'sandbox') return fromSandbox('The panel');
  const { url, token, ca } = panel;
  if (url === '' || token === '' || ca === '') return seeConfiguration;
  return createPanel({ ...atOnce, url, token, now, ca });
}

function redisOf({ redisUrl }: Config): RedisHandle | Left {
  if (redisUrl === undefined)
    return { left: 'The embedded Redis belongs to the running bot: /panel check looks at it.' };
  return redisUrl === '' ? seeConfiguration : connectRedis(redisUrl, silentLog);
}

/** How long to wait for Redis, in ms. */
const redisTimeout = 5_000;

async function redisFound({ redis, ready }: RedisHandle, { ledger, discord }: Config): Promise<RedisFound> {
  try {
    await ready(redisTimeout);
    return await judgeRedis(redis, { ledgerIn: ledger, token: discord.kind === 'real' ? discord.token : undefined });
  } catch (error) {
    return unusable(error);
  }
}

/** A missing folder counts as an empty ledger. */
async function readingOf({ ledger, dataDir, redisUrl }: Config): Promise<Reading> {
  // ioredis would take an empty address for a Redis on this machine.
  if (ledger === 'redis' && redisUrl === '') throw new RedisUnavailable();
  try {
    return await readPlace({ dataDir, ...(ledger === 'redis' && redisUrl !== undefined ? { redisUrl } : {}) });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { entries: [], head: { seq: 0, hash: '' } };
    throw error;
  }
}

async function ledgerFound(
  { ledger, dataDir }: Config,
  handle: RedisHandle | Left,
  reading: Read,
): Promise<Looked<LedgerFound>> {
  const inRedis = ledger === 'redis';
  if (inRedis && 'left' in handle) return handle;
  try {
    const read = await reading();
    if (read === 'late') return { entries: 0, late: true };
    const { entries, problem } = read;
    const found = { entries: entries.length, problem: problem?.words };
    if (inRedis) return { ...found, untried: true };
    const unfit = await tryFolder(dataDir);
    if (unfit === undefined) return found;
    const { code, path, what = 'write' } = unfit;
    return { ...found, unwritable: `${code}, to ${what} in ${path}`, remedy: remedyOf(unfit) };
  } catch (error) {
    // Redis's own line says why.
    if (inRedis) return { left: 'It needs Redis.' };
    if (error instanceof NotAFile) return { entries: 0, unreadable: error.problem, remedy: error.remedy };
    const path = error instanceof Error && 'path' in error ? String(error.path) : dataDir;
    return { entries: 0, unreadable: codeOf(error), remedy: keptOut({ code: codeOf(error), path }) };
  }
}

/** How many pages of a hundred messages to compare, newest first. */
const pages = 5;

async function trailFound(probes: Probes, config: Config, reading: Read, now: () => number) {
  const { discord } = config;
  const looked = await together({ audit: probes.audit(), guild: guildOf(probes), ledger: probes.ledger() });
  if (isLeft(looked)) return looked;
  if (discord.kind === 'sandbox') return fromSandbox('Discord');
  const { audit, guild, ledger } = looked;
  const channel = guild.channels.find(({ id }) => id === audit.channel);
  if (channel === undefined) return { left: 'The audit channel is not there.' };
  if (channel.lacks.some((right) => right === 'View Channel' || right === 'Read Message History'))
    return { left: 'The bot may not read the audit channel.' };
  if (ledger.problem !== undefined || ledger.unreadable !== undefined || ledger.late === true)
    return { left: 'It needs an intact ledger.' };
  const compared = { ...openAuditChannel({ ...discord, channel: channel.id }), sealKey: sealKeyOf(discord.token) };
  try {
    const checked = await check(() => readingOf(config), compared, pages);
    return trailIn(checked, (await entriesOf(reading)) ?? [], now());
  } catch (error) {
    if (!(error instanceof ChannelClosed)) throw error;
    const nothing = { messages: 0, waiting: 0, waitingFor: 0, isContradicted: false, open: 0 };
    return { ...nothing, closed: 'Discord refuses the bot in the audit channel.' };
  }
}

async function canaryFound(handle: RedisHandle | Left, reading: Read, now: () => number) {
  if ('left' in handle) return handle;
  const entries = await entriesOf(reading);
  if (entries === undefined) return noLedger;
  if (!isRunning(entries)) return { left: 'The ledger says that no bot runs.' };
  try {
    await handle.ready(redisTimeout);
    return { last: await createCanary(handle.redis, now).last() };
  } catch (error) {
    if (error instanceof RedisUnavailable) return { left: 'It needs Redis.' };
    throw error;
  }
}

/** Undefined if the ledger cannot be read in time, which its own line reports. */
const entriesOf = (reading: Read): Promise<Entries | undefined> =>
  reading().then(
    (read) => (read === 'late' ? undefined : read.entries),
    () => undefined,
  );

/** Whether a process recorded its start and not its stop. */
function isRunning(entries: Entries): boolean {
  const last = eventsIn(entries).findLast(({ kind }) => kind === 'started' || kind === 'stopped');
  return last?.kind === 'started';
}
