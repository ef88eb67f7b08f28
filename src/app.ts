import { randomBytes } from 'node:crypto';
import { commands } from '../commands/index.ts';
import type { Command } from './command.ts';
import { type Bot, createBot } from './discord/bot.ts';
import { openFileLedger } from './ledger/file-store.ts';
import { openCardStore } from './ledger/open-cards.ts';
import type { Log } from './outcome.ts';
import { createPanel, type PanelOptions } from './panel/client.ts';
import { answersIn, decide, limit, requirements } from './policy/decide.ts';
import { inventory } from './policy/inventory.ts';
import { type Problem, readPolicy } from './policy/load.ts';
import type { Policy } from './policy/schema.ts';
import { questionKey, questions } from './questions/questions.ts';
import { connectRedis } from './redis/connect.ts';
import { startEmbeddedRedis } from './redis/embedded.ts';
import { locks } from './redis/locks.ts';
import { createRunner, type Runner } from './run/index.ts';
import type { Rules } from './run/parts.ts';

/** All that one bot needs to know. `note` stands on every card. */
export interface AppOptions {
  discord: { token: string; guild: string; apiUrl?: string; register: boolean };
  panel: Pick<PanelOptions, 'url' | 'token' | 'ca' | 'timeouts' | 'now' | 'wait'>;
  policy: Policy;
  dataDir: string;
  /** Left out: the embedded Redis. */
  redisUrl?: string;
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
}

const usual: Intervals = { sweep: 1000, open: { plain: 120_000, typed: 300_000 }, drain: 20_000 };

export interface App {
  /** Where Redis listens, without its password. */
  redis: string;
  /** Takes no new commands, waits for what is under way, and lets everything go. */
  stop(): Promise<void>;
}

/** Puts the parts together and serves commands when it resolves. */
export async function startApp(options: AppOptions): Promise<App> {
  const { log, discord, policy, dataDir } = options;
  const intervals = { ...usual, ...options.intervals };
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const each of closing.toReversed())
      await each().catch((error: unknown) => log.warn({ problem: String(error) }, 'something did not close'));
  };
  try {
    const ledger = await openFileLedger({ dir: dataDir, log });
    closing.push(() => ledger.close());
    const embedded = options.redisUrl === undefined ? await startEmbeddedRedis(log) : undefined;
    if (embedded !== undefined) closing.push(() => embedded.close());
    const redisUrl = embedded?.url ?? options.redisUrl ?? '';
    const connection = connectRedis(redisUrl, log);
    closing.push(() => connection.close());
    await connection.ready();
    const panel = createPanel({ ...options.panel, log });
    closing.push(() => panel.close());
    const bot = createBot({ ...discord, commands, note: options.note, log, onRefused: options.onRefused });
    closing.push(() => bot.close());

    const runner = createRunner({
      commands,
      rules: rulesOf(policy),
      panel,
      ledger,
      locks: locks(connection.redis),
      questions: questions(connection.redis, questionKey(discord.token)),
      openCards: openCardStore(dataDir, log),
      desk: bot.desk,
      log,
      now: Date.now,
      newId: () => randomBytes(16).toString('base64url'),
      open: intervals.open,
      owner: randomBytes(8).toString('hex'),
    });
    await serve(bot, runner);
    // It may have restarted, and forgotten.
    connection.redis.on('ready', () => {
      runner
        .restore()
        .catch((error: unknown) => log.warn({ problem: String(error) }, 'open questions were not put back'));
    });
    closing.push(sweeping(runner, intervals.sweep));
    closing.push(() => runner.idle(intervals.drain));
    return { redis: withoutPassword(redisUrl), stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What Redis forgot is put back before the first click can come; cards are settled as soon as Discord is there. */
async function serve(bot: Bot, runner: Runner): Promise<void> {
  await runner.restore();
  bot.serve(runner);
  await bot.connect();
  await runner.recover();
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
  return readPolicy(text, { commands: commands.map(({ id, danger }) => ({ id, danger })), limited, guild });
}

function withoutPassword(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
