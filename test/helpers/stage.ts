import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verify } from '../../src/ledger/chain.ts';
import { type Entry, isOfRun } from '../../src/runs/entry.ts';
import { type DiscordOptions, type SandboxDiscord, startDiscord } from '../../src/sandbox/discord/index.ts';
import { type PanelOptions, type SandboxPanel, startPanel } from '../../src/sandbox/panel/index.ts';
import type { RunLine } from './ledger/reading.ts';
import { forAll } from './lives.ts';
import { until } from './messages.ts';
import { unmetered } from './pace.ts';
import { canaries } from './world.ts';

export const program = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
export const examplePolicyFile = fileURLToPath(new URL('../../policy.example.yaml', import.meta.url));

/** The real program in a process of its own. */
export interface BotProcess {
  child: ChildProcess;
  pid: number;
  stdout(): string;
  stderr(): string;
  /** The line `ready {…}`, read; rejects when the process ends before, with what it wrote. */
  ready(): Promise<{
    version: string;
    discord: string;
    panel: { url: string; state?: string };
    redis: string;
    page?: string;
    alerts?: string;
  }>;
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Sends the signal, and waits for the end. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts the compiled program with nothing in its environment but what is given. */
export const run = (env: Record<string, string>, options: ProcessOptions): BotProcess => start(program, env, options);

/** `uid`: as which account; only root can choose. */
interface ProcessOptions {
  cwd: string;
  args?: string[];
  uid?: number;
}

/** The same, with the program where it was put. */
export function start(
  file: string,
  env: Record<string, string>,
  { cwd, args = ['--quiet'], uid }: ProcessOptions,
): BotProcess {
  if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build" first`);
  const child = spawn(process.execPath, [file, ...args], { cwd, env, uid, gid: uid });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk;
  });
  // "close" comes when everything that was written has been read as well.
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return {
    child,
    // A process that could not be started ends with "error", and everything that waits for it fails.
    pid: child.pid ?? 0,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    exit,
    async ready() {
      const line = await until(
        () => /^ready (\{.*\})$/m.exec(said.stdout) ?? (child.exitCode !== null && 'ended'),
        'the ready line',
        45_000,
      );
      if (line === 'ended') throw new Error(`it ended with ${child.exitCode}: ${said.stderr}`);
      return JSON.parse(line[1] ?? '');
    },
    end(signal) {
      child.kill(signal);
      return exit;
    },
  };
}

export interface Stage {
  discord: SandboxDiscord;
  panel: SandboxPanel;
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

/** Discord and panel of the sandbox in this process, for a bot in another. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const discord = await startDiscord({ limits: unmetered, ...options.discord, token: canaries.discord });
  const panel = await startPanel({ ...options.panel, token: canaries.panel, ...(options.tls && { tls: true }) });
  const top = mkdtempSync(join(tmpdir(), 'panelops-stage-'));
  const cwd = join(top, 'cwd');
  for (const name of ['cwd', 'home', 'tmp']) mkdirSync(join(top, name));
  const dir = join(cwd, 'data');
  if (panel.ca !== undefined) writeFileSync(join(top, 'ca.pem'), panel.ca);
  const env = {
    DISCORD_TOKEN: discord.token,
    DISCORD_GUILD_ID: discord.guildId,
    DISCORD_API_URL: discord.apiUrl,
    PANEL_URL: panel.url,
    PANEL_TOKEN: panel.token,
    ...(panel.ca === undefined ? {} : { PANEL_CA_FILE: join(top, 'ca.pem') }),
    POLICY_FILE: examplePolicyFile,
    DATA_DIR: dir,
    LOG_LEVEL: 'trace',
    HOME: join(top, 'home'),
    TMPDIR: join(top, 'tmp'),
  };
  const bots: BotProcess[] = [];
  return {
    discord,
    panel,
    cwd,
    dir,
    env,
    async start(more = {}) {
      const bot = run({ ...env, ...more }, { cwd });
      bots.push(bot);
      await bot.ready();
      return bot;
    },
    ledger: () => runsIn(linesOf(dir)),
    async stop() {
      for (const { child } of bots) child.kill('SIGKILL');
      await Promise.all(bots.map(({ exit }) => exit));
      const written = [
        ...bots.flatMap((bot) => [bot.stdout(), bot.stderr()]),
        ...filesIn(cwd).map((path) => readFileSync(path, 'utf8')),
      ];
      const outside = ['home', 'tmp'].flatMap((name) => filesIn(join(top, name)));
      await discord.close();
      await panel.close();
      rmSync(top, { recursive: true, force: true });
      const leaked = Object.entries(canaries).filter(([, secret]) => written.some((text) => text.includes(secret)));
      if (leaked.length > 0) throw new Error(`secrets were written: ${leaked.map(([name]) => name).join(', ')}`);
      if (outside.length > 0) throw new Error(`written outside of DATA_DIR: ${outside.join(', ')}`);
    },
  };
}

/** One for all tests of a file or group. */
export const stageForAll = (options?: StageOptions): Stage =>
  forAll(
    () => openStage(options),
    (it) => it.stop(),
  );

/** The ledger's whole lines: while the bot lives, the last may be half written. */
function linesOf(dir: string): string[] {
  const file = join(dir, 'ledger.jsonl');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.split('\n').slice(0, -1);
}

/** What these lines hold of runs. */
export const runsIn = (lines: readonly string[]): RunLine[] =>
  lines.map((line): Entry => JSON.parse(line)).filter(isOfRun);

/** Whether the chain of the ledger in a folder is whole. */
export const chainIn = (dir: string) => verify(linesOf(dir)).ok;

/** All files below a folder, without those that go while they are listed. */
export const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false);

/** The processes that a process started, from proc(5). */
export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid);

/** Undefined when there is no such process, or nothing of it but its entry. */
function parentOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}
