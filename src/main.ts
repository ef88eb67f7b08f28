import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino, { type Logger } from 'pino';
import { type App, policyFor, startApp } from './app.ts';
import { type Config, describeProblems, exposure, readConfig } from './config.ts';
import { defined } from './defined.ts';
import { LedgerDamaged, LedgerLocked, LedgerMissing } from './ledger/ledger.ts';
import { lockFolder } from './ledger/lock.ts';
import { LedgerUnsafe } from './ledger/redis-safety.ts';
import { DiscordUnavailable, NotInGuild, RedisUnavailable } from './outcome.ts';
import type { Sandbox } from './sandbox/index.ts';
import { SandboxUnreadable } from './sandbox/unreadable.ts';

const exitCodes = { fault: 1, refused: 77, configuration: 78 } as const;

/** The sandbox's guild, which policy.example.yaml is written for. */
const sandboxGuild = '1100000000000000001';

/** This file runs as dist/src/main.js; these are at the top. */
const top = fileURLToPath(new URL('../..', import.meta.url));
const examplePolicy = join(top, 'policy.example.yaml');
const packageFile = join(top, 'package.json');

const versionOf = (file: string): string => String(JSON.parse(readFileSync(file, 'utf8')).version);

function fail(text: string, code: number): never {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}

/** `warnings`: what should be said once there is a log. */
function configure(): { config: Config; warnings: readonly string[] } {
  const envFile = join(process.cwd(), '.env');
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  const read = readConfig(process.env, process.argv.slice(2), { examplePolicy, cwd: process.cwd() }, (text, guild) => {
    const checked = policyFor(text, guild ?? sandboxGuild);
    return 'problems' in checked ? checked.problems : [];
  });
  if ('problems' in read) fail(describeProblems(read.problems), exitCodes.configuration);
  const { config } = read;
  // What is tried in the sandbox, anybody may change.
  const isReal = config.discord.kind === 'real' && config.panel.kind === 'real';
  const { caFile, dataDir, ledger, policyFile } = config;
  const kept = { policyFile, ...defined({ caFile, dataDir: ledger === 'file' ? dataDir : undefined }) };
  const { problems, warnings } = exposure({ envFile, ...(isReal ? kept : {}) }, process.getuid?.());
  if (problems.length > 0) fail(describeProblems(problems), exitCodes.configuration);
  return { config, warnings };
}

type Ending = (() => Promise<unknown>)[];

/** What is taken from the sandbox. It is loaded here and nowhere else, so that a real bot never pays for it. */
async function startSandbox({ discord, panel, dataDir }: Config, log: Logger): Promise<Sandbox | undefined> {
  if (discord.kind === 'real' && panel.kind === 'real') return undefined;
  const sandbox = await import('./sandbox/index.ts');
  return sandbox.startSandbox({
    discord: discord.kind === 'sandbox',
    panel: panel.kind === 'sandbox',
    dataDir,
    lock: lockFolder,
    onTrouble: (problem, folder) =>
      log.warn(
        { problem, folder },
        'what happens in the sandbox cannot be written down: killed now, it would forget it',
      ),
  });
}

/** The sandbox's Discord in the browser. `app` is there once the bot is. */
async function openPage({ httpPort, redisUrl }: Config, sandbox: Sandbox | undefined, app: () => App | undefined) {
  const bot = {
    entries: () => app()?.entries() ?? [],
    followUps: async () => (await app()?.followUps()) ?? [],
    trail: true as const,
    ...(redisUrl === undefined ? { killRedis: () => app()?.killRedis?.() } : {}),
  };
  try {
    return await sandbox?.openPage({ bot, ...defined({ port: httpPort }) });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!['EADDRINUSE', 'EACCES'].includes(code)) throw error;
    const why = code === 'EACCES' ? 'must not be used by this user' : 'is taken by another program';
    return fail(`HTTP_PORT: port ${httpPort} ${why}. Set another, or 0 for any that is free.`, exitCodes.configuration);
  }
}

type RealDiscord = Omit<Extract<Config['discord'], { kind: 'real' }>, 'kind'>;
type RealPanel = Omit<Extract<Config['panel'], { kind: 'real' }>, 'kind'>;

/** A side as it was configured, or as the sandbox gives it. */
function sideOf<T>(configured: ({ kind: 'real' } & T) | { kind: 'sandbox' }, sandboxed: T | undefined): T {
  if (configured.kind === 'real') return configured;
  if (sandboxed === undefined) throw new Error('the sandbox was started without this side');
  return sandboxed;
}

async function main(): Promise<void> {
  const ending = endOnSignals();
  const { config, warnings } = configure();
  const log = pino({ level: config.logLevel }, pino.destination(2));
  for (const warning of warnings) log.warn({}, warning);
  const sandbox = await startSandbox(config, log);
  ending.push(() => Promise.resolve(sandbox?.stop()));
  const discord = sideOf<RealDiscord>(config.discord, sandbox?.discord);
  const panel = sideOf<RealPanel>(config.panel, sandbox?.panel);
  const read = policyFor(config.policyText, discord.guild);
  if ('problems' in read) throw new Error('the policy changed while it was read');

  const bot: { app?: App } = {};
  // Before the bot, which would have to be stopped again if the port cannot be had.
  const page = await openPage(config, sandbox, () => bot.app);
  ending.push(() => Promise.resolve(page?.close()));
  const app = await startApp({
    discord: { ...discord, register: config.register === 'on-start' },
    panel,
    tryPanel: config.panel.kind === 'real',
    policy: read.policy,
    dataDir: config.dataDir,
    ...defined({ audit: discord.audit }),
    version: versionOf(packageFile),
    ledger: config.ledger,
    role: config.role,
    ...defined({ newLedger: config.newLedger, redisUrl: config.redisUrl }),
    note: sandbox?.note ?? '',
    log,
    onRefused: (problem) =>
      fail(
        `Discord refused the bot: ${problem}. Check DISCORD_TOKEN, and in the developer portal the bot's intents.`,
        exitCodes.refused,
      ),
    onTaken: (problem) => fail(problem, exitCodes.fault),
  });
  bot.app = app;
  ending.push(() => app.stop());
  const where = {
    discord: discord.apiUrl ?? 'https://discord.com/api',
    panel: panel.url,
    redis: app.redis,
    ...defined({ page: page?.url }),
  };
  process.stdout.write(`ready ${JSON.stringify(where)}\n`);
  if (page === undefined || config.quiet) return;
  process.stdout.write(`open ${page.url}\n`);
  sandbox?.startConsole(process.stdin, process.stdout);
}

/** On the first SIGTERM, SIGINT or SIGHUP does what was handed in until then, the last first, and leaves. Later ones change nothing. */
function endOnSignals(): Ending {
  const ending: Ending = [];
  let begun = false;
  const end = async (): Promise<void> => {
    if (begun) return;
    begun = true;
    // A connection that breaks late must not keep the rest from coming to its end.
    for (const event of faults) process.off(event, stopOnFault).on(event, reportFault);
    for (const each of ending.toReversed()) await each().catch(reportFault);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  return ending;
}

const faults = ['uncaughtException', 'unhandledRejection'] as const;
const refusals = [LedgerLocked, LedgerDamaged, LedgerMissing, LedgerUnsafe, SandboxUnreadable] as const;
const folderTroubles = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC'];

/** Only name and message: a library's error may carry tokens in its other members, which node would print. */
function stopOnFault(error: unknown): never {
  const { configuration, fault } = exitCodes;
  if (!(error instanceof Error)) fail('panelops stopped: an unknown fault', fault);
  if (refusals.some((refusal) => error instanceof refusal)) fail(error.message, configuration);
  if (error instanceof RedisUnavailable) fail('Redis cannot be reached. Check REDIS_URL, and that Redis is up.', fault);
  if (error instanceof DiscordUnavailable)
    fail('Discord cannot be reached. Check the network, and DISCORD_API_URL where it is set.', fault);
  if (error instanceof NotInGuild)
    fail(
      'DISCORD_GUILD_ID: the bot is not in this guild, or was invited without applications.commands. Check the id, and invite the bot again with the link in docs/install.md.',
      configuration,
    );
  if ('code' in error && folderTroubles.includes(String(error.code))) {
    fail(`DATA_DIR cannot be used (${error.code}): it must be a folder that the bot may write to.`, configuration);
  }
  fail(`panelops stopped: ${error.name}: ${error.message}`, fault);
}

function reportFault(error: unknown): void {
  const fault = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
  process.stderr.write(`a fault while stopping: ${fault}\n`);
}

for (const event of faults) process.on(event, stopOnFault);
void main();
