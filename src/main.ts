import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { type App, policyFor, startApp } from './app.ts';
import { type Config, describeProblems, readConfig } from './config.ts';
import { LedgerDamaged, LedgerLocked } from './ledger/ledger.ts';
import { DiscordUnavailable, RedisUnavailable } from './outcome.ts';
import { startConsole } from './sandbox/console.ts';
import { type SandboxDiscord, startDiscord } from './sandbox/discord/index.ts';
import { type SandboxPanel, startPanel } from './sandbox/panel/index.ts';

const exitCodes = { fault: 1, refused: 77, configuration: 78 } as const;

/** The sandbox's guild, which policy.example.yaml is written for. */
const sandboxGuild = '1100000000000000001';

/** This file runs as dist/src/main.js; the example policy is at the top. */
const examplePolicy = join(fileURLToPath(new URL('../..', import.meta.url)), 'policy.example.yaml');

function fail(text: string, code: number): never {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}

function configure(): Config {
  const envFile = join(process.cwd(), '.env');
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  const read = readConfig(process.env, process.argv.slice(2), { examplePolicy, cwd: process.cwd() }, (text, guild) => {
    const checked = policyFor(text, guild ?? sandboxGuild);
    return 'problems' in checked ? checked.problems : [];
  });
  return 'config' in read ? read.config : fail(describeProblems(read.problems), exitCodes.configuration);
}

interface Sandbox {
  discord?: SandboxDiscord;
  panel?: SandboxPanel;
}

async function startSandbox(config: Config): Promise<Sandbox> {
  return {
    ...(config.discord.kind === 'sandbox' ? { discord: await startDiscord() } : {}),
    ...(config.panel.kind === 'sandbox' ? { panel: await startPanel() } : {}),
  };
}

/** What every card says when a side is not real. */
function noteOf({ discord, panel }: Sandbox): string {
  if (discord !== undefined && panel !== undefined) return 'sandbox: nothing here is real';
  if (discord !== undefined) return 'sandbox Discord, real panel';
  return panel !== undefined ? 'sandbox panel: nothing real is touched' : '';
}

async function main(): Promise<void> {
  const config = configure();
  const log = pino({ level: config.logLevel }, pino.destination(2));
  const sandbox = await startSandbox(config);
  const discord =
    config.discord.kind === 'real'
      ? config.discord
      : { token: sandbox.discord?.token ?? '', guild: sandboxGuild, apiUrl: sandbox.discord?.apiUrl ?? '' };
  const panel =
    config.panel.kind === 'real' ? config.panel : { url: sandbox.panel?.url ?? '', token: sandbox.panel?.token ?? '' };
  const read = policyFor(config.policyText, discord.guild);
  if ('problems' in read) throw new Error('the policy changed while it was read');

  const app = await startApp({
    discord: { ...discord, register: config.register === 'on-start' },
    panel,
    policy: read.policy,
    dataDir: config.dataDir,
    ...(config.redisUrl === undefined ? {} : { redisUrl: config.redisUrl }),
    note: noteOf(sandbox),
    log,
    onRefused: (problem) =>
      fail(
        `Discord refused the bot: ${problem}. Check DISCORD_TOKEN, and in the developer portal the bot's intents.`,
        exitCodes.refused,
      ),
  });
  stopOnSignals(app, sandbox);
  const where = { discord: discord.apiUrl ?? 'https://discord.com/api', panel: panel.url, redis: app.redis };
  process.stdout.write(`ready ${JSON.stringify(where)}\n`);
  if (sandbox.discord !== undefined && !config.quiet) startConsole(sandbox.discord, process.stdin, process.stdout);
}

function stopOnSignals(app: App, { discord, panel }: Sandbox): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await app.stop();
    await discord?.close();
    await panel?.close();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

const folderTroubles = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC'];

/** Only name and message: a library's error may carry tokens in its other members, which node would print. */
function stopOnFault(error: unknown): never {
  const { configuration, fault } = exitCodes;
  if (!(error instanceof Error)) fail('panelops stopped: an unknown fault', fault);
  if (error instanceof LedgerLocked || error instanceof LedgerDamaged) fail(error.message, configuration);
  if (error instanceof RedisUnavailable) fail('Redis cannot be reached. Check REDIS_URL, and that Redis is up.', fault);
  if (error instanceof DiscordUnavailable)
    fail('Discord cannot be reached. Check the network, and DISCORD_API_URL where it is set.', fault);
  if ('code' in error && folderTroubles.includes(String(error.code))) {
    fail(`DATA_DIR cannot be used (${error.code}): it must be a folder that the bot may write to.`, configuration);
  }
  fail(`panelops stopped: ${error.name}: ${error.message}`, fault);
}

process.on('uncaughtException', stopOnFault);
process.on('unhandledRejection', stopOnFault);
main().catch(stopOnFault);
