import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pino, { type Logger } from 'pino';
import { type App, policyFor, startApp } from './app.ts';
import { type Config, describeProblems, exposure, readConfig } from './config.ts';
import { LedgerDamaged, LedgerLocked, LedgerMissing } from './ledger/ledger.ts';
import { lockFolder } from './ledger/lock.ts';
import { LedgerUnsafe } from './ledger/redis-safety.ts';
import { DiscordUnavailable, NotInGuild, RedisUnavailable } from './outcome.ts';
import { startConsole } from './sandbox/console.ts';
import { type SandboxDiscord, startDiscord } from './sandbox/discord/index.ts';
import { keptIn, sandboxFolder } from './sandbox/folder.ts';
import { type Page, type PageOptions, startPage } from './sandbox/page/index.ts';
import { type SandboxPanel, startPanel } from './sandbox/panel/index.ts';
import { SandboxUnreadable } from './sandbox/unreadable.ts';

const exitCodes = { fault: 1, refused: 77, configuration: 78 } as const;

/** The sandbox's guild, which policy.example.yaml is written for. */
const sandboxGuild = '1100000000000000001';

/** This file runs as dist/src/main.js; these are at the top. */
const top = fileURLToPath(new URL('../..', import.meta.url));
const examplePolicy = join(top, 'policy.example.yaml');
const packageFile = join(top, 'package.json');

const versionOf = (file: string): string => String(JSON.parse(readFileSync(file, 'utf8')).version);

/** Where the page is, unless it is taken or HTTP_PORT says otherwise. */
const usualPort = 8137;

/** The built page, beside this file's folder. */
const bundle = fileURLToPath(new URL('../page', import.meta.url));

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
  const isKept = config.ledger === 'file' && config.discord.kind === 'real' && config.panel.kind === 'real';
  const { problems, warnings } = exposure(
    { envFile, ...(isKept ? { dataDir: config.dataDir } : {}) },
    process.getuid?.(),
  );
  if (problems.length > 0) fail(describeProblems(problems), exitCodes.configuration);
  return { config, warnings };
}

interface Sandbox {
  discord?: SandboxDiscord;
  panel?: SandboxPanel;
}

type Ending = (() => Promise<unknown>)[];

/** Starts what is taken from the sandbox, as it was when it ended: the ledger remembers it, too. */
async function startSandbox({ discord, panel, dataDir }: Config, log: Logger, ending: Ending): Promise<Sandbox> {
  if (discord.kind === 'real' && panel.kind === 'real') return {};
  const folder = sandboxFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(folder);
  ending.push(lock.release);
  const onTrouble = (problem: string): void =>
    log.warn({ problem, folder }, 'what happens in the sandbox cannot be written down: killed now, it would forget it');
  const kept = {
    ...(discord.kind === 'sandbox' ? { discord: keptIn(dataDir, 'discord.jsonl', onTrouble) } : {}),
    ...(panel.kind === 'sandbox' ? { panel: keptIn(dataDir, 'panel.json', onTrouble) } : {}),
  };
  const sandbox = {
    ...(kept.discord === undefined ? {} : { discord: await startDiscord({ kept: kept.discord }) }),
    ...(kept.panel === undefined ? {} : { panel: await startPanel({ kept: kept.panel }) }),
  };
  ending.push(() => stopSandbox(sandbox));
  return sandbox;
}

/** The sandbox's Discord in the browser. `app` is there once the bot is. */
async function openPage(config: Config, sandbox: Sandbox, app: () => App | undefined): Promise<Page | undefined> {
  const { discord, panel } = sandbox;
  if (discord === undefined) return undefined;
  const options: Omit<PageOptions, 'port'> = {
    discord,
    ...(panel === undefined ? {} : { panel }),
    bundle,
    bot: {
      entries: () => app()?.entries() ?? [],
      followUps: async () => (await app()?.followUps()) ?? [],
      trail: true,
      ...(config.redisUrl === undefined ? { killRedis: () => app()?.killRedis?.() } : {}),
    },
  };
  const { httpPort } = config;
  try {
    return await startPage({ ...options, port: httpPort ?? usualPort });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!['EADDRINUSE', 'EACCES'].includes(code)) throw error;
    if (httpPort === undefined) return startPage({ ...options, port: 0 });
    const why = code === 'EACCES' ? 'must not be used by this user' : 'is taken by another program';
    return fail(`HTTP_PORT: port ${httpPort} ${why}. Set another, or 0 for any that is free.`, exitCodes.configuration);
  }
}

/** Discord's side as the bot needs it, with the channel for the trail. */
function sandboxed(discord: SandboxDiscord | undefined): {
  token: string;
  guild: string;
  apiUrl: string;
  audit?: string;
} {
  if (discord === undefined) throw new Error('the sandbox has no Discord');
  return { token: discord.token, guild: sandboxGuild, apiUrl: discord.apiUrl, audit: discord.channels.audit };
}

/** What every card says when a side is not real. */
function noteOf({ discord, panel }: Sandbox): string {
  if (discord !== undefined && panel !== undefined) return 'sandbox: nothing here is real';
  if (discord !== undefined) return 'sandbox Discord, real panel';
  return panel !== undefined ? 'sandbox panel: nothing real is touched' : '';
}

async function main(): Promise<void> {
  const ending = endOnSignals();
  const { config, warnings } = configure();
  const log = pino({ level: config.logLevel }, pino.destination(2));
  for (const warning of warnings) log.warn({}, warning);
  const sandbox = await startSandbox(config, log, ending);
  const discord = config.discord.kind === 'real' ? config.discord : sandboxed(sandbox.discord);
  const { audit } = discord;
  const panel =
    config.panel.kind === 'real' ? config.panel : { url: sandbox.panel?.url ?? '', token: sandbox.panel?.token ?? '' };
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
    ...(audit === undefined ? {} : { audit }),
    version: versionOf(packageFile),
    ledger: config.ledger,
    role: config.role,
    ...(config.newLedger === undefined ? {} : { newLedger: config.newLedger }),
    ...(config.redisUrl === undefined ? {} : { redisUrl: config.redisUrl }),
    note: noteOf(sandbox),
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
    ...(page === undefined ? {} : { page: page.url }),
  };
  process.stdout.write(`ready ${JSON.stringify(where)}\n`);
  if (sandbox.discord === undefined || page === undefined || config.quiet) return;
  process.stdout.write(`open ${page.url}\n`);
  startConsole(sandbox.discord, process.stdin, process.stdout);
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

/** Some of whose connections may still be open. */
const stopSandbox = ({ discord, panel }: Sandbox): Promise<unknown> =>
  Promise.race([Promise.all([discord?.close(), panel?.close()]), delay(1_000)]);

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
