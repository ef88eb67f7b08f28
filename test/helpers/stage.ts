import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DiscordOptions } from '../../src/sandbox/discord/index.ts';
import type { PanelOptions } from '../../src/sandbox/panel/index.ts';
import { root } from './house.ts';
import { ledgerIn, type RunLine } from './ledger/reading.ts';
import { folder } from './ledger/samples.ts';
import { forAll } from './lives.ts';
import { type Running, running, type Where } from './process.ts';
import { expectNoSecrets, filesIn, openSurroundings, type Surroundings } from './surroundings.ts';

export const program = join(root, 'dist/src/main.js');

/** The real program in a process of its own. */
export interface BotProcess extends Running {
  /** The line `ready {…}`, read; rejects when the process ends before, with what it wrote. */
  ready(): Promise<{
    version: string;
    discord: string;
    panel: { url: string; state?: string };
    redis: string;
    page?: string;
    alerts?: string;
  }>;
}

interface ProcessOptions extends Pick<Where, 'uid'> {
  cwd: string;
  args?: string[];
}

/** Starts the compiled program with nothing in its environment but what is given. */
export const run = (env: Record<string, string>, options: ProcessOptions): BotProcess => start(program, env, options);

/** The same, with the program where it was put. */
export function start(
  file: string,
  env: Record<string, string>,
  { args = ['--quiet'], ...where }: ProcessOptions,
): BotProcess {
  if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build" first`);
  const bot = running([process.execPath, file, ...args], { ...where, env });
  return { ...bot, ready: async () => JSON.parse((await bot.says(/^ready \{.*\}$/m)).slice('ready '.length)) };
}

export interface Stage extends Surroundings {
  /** An empty folder, in which the bot runs; the bot's own is `data` in it. */
  cwd: string;
  dir: string;
  env: Record<string, string>;
  /** Starts the bot and waits until it serves. */
  start(more?: Record<string, string>): Promise<BotProcess>;
  ledger(): RunLine[];
  /** Stops everything, and fails when a secret was written anywhere. */
  stop(): Promise<void>;
}

interface StageOptions {
  tls?: true;
  discord?: DiscordOptions;
  panel?: PanelOptions;
}

/** How a bot finds these two, with its policy and its folder. */
export const environmentFor = (
  { discord, panel }: { discord: Surroundings['discord']; panel: Pick<Surroundings['panel'], 'url' | 'token'> },
  dir: string,
): Record<string, string> => ({
  DISCORD_TOKEN: discord.token,
  DISCORD_GUILD_ID: discord.guildId,
  DISCORD_API_URL: discord.apiUrl,
  PANEL_URL: panel.url,
  PANEL_TOKEN: panel.token,
  POLICY_FILE: join(root, 'policy.example.yaml'),
  DATA_DIR: dir,
});

/** Discord and panel of the sandbox in this process, for a bot in another. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const around = await openSurroundings({ discord: options.discord, panel: { ...options.panel, tls: options.tls } });
  const { discord, panel } = around;
  const top = mkdtempSync(join(tmpdir(), 'panelops-stage-'));
  const cwd = join(top, 'cwd');
  for (const name of ['cwd', 'home', 'tmp']) mkdirSync(join(top, name));
  const dir = join(cwd, 'data');
  if (panel.ca !== undefined) writeFileSync(join(top, 'ca.pem'), panel.ca);
  const env = {
    ...environmentFor(around, dir),
    ...(panel.ca === undefined ? {} : { PANEL_CA_FILE: join(top, 'ca.pem') }),
    LOG_LEVEL: 'trace',
    HOME: join(top, 'home'),
    TMPDIR: join(top, 'tmp'),
  };
  const bots: BotProcess[] = [];
  return {
    ...{ discord, panel, cwd, dir, env },
    async start(more = {}) {
      const bot = run({ ...env, ...more }, { cwd });
      bots.push(bot);
      await bot.ready();
      return bot;
    },
    ledger: () => ledgerIn(dir),
    async stop() {
      await Promise.all(bots.map(({ end }) => end('SIGKILL')));
      const written = [
        ...bots.flatMap((bot) => [bot.stdout(), bot.stderr()]),
        ...filesIn(cwd).map((path) => readFileSync(path, 'utf8')),
      ];
      const outside = ['home', 'tmp'].flatMap((name) => filesIn(join(top, name)));
      await around.close();
      rmSync(top, { recursive: true, force: true });
      expectNoSecrets(written);
      if (outside.length > 0) throw new Error(`written outside of DATA_DIR: ${outside.join(', ')}`);
    },
  };
}

/** A bot with no stage but these two, once it is ready; it is killed with the test. */
export async function startBot(
  around: Surroundings,
  { dir = folder(), env = {}, args = [] }: { dir?: string; env?: Record<string, string>; args?: string[] } = {},
): Promise<BotProcess & { dir: string }> {
  const own = { ...environmentFor(around, dir), LOG_LEVEL: 'debug', ...env };
  const bot = run(own, { cwd: dir, args: ['--quiet', ...args] });
  onTestFinished(async () => void (await bot.end('SIGKILL')));
  await bot.ready();
  return { ...bot, dir };
}

/** The program, and its sandbox with it, for all tests of a file or group. */
export const botForAll = (env: Record<string, string>, cwd: string): BotProcess =>
  forAll(
    async () => {
      const bot = run(env, { cwd, args: [] });
      await bot.ready();
      return bot;
    },
    ({ end }) => end('SIGKILL'),
  );

/** One for all tests of a file or group. */
export const stageForAll = (options?: StageOptions): Stage => forAll(() => openStage(options));
