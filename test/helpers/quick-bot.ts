import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type AppOptions, policyFor } from '../../src/app.ts';
import { ledgerIn, type RunLine } from './ledger/reading.ts';
import { folder } from './ledger/samples.ts';
import { unlimited } from './pace.ts';
import { type Running, running } from './process.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { examplePolicy } from './world.ts';

/** A process of the bot with short waits. */
export interface QuickBot extends Running {
  /** SIGKILL, and waits for the end. */
  kill(): Promise<unknown>;
}

type Options = Pick<AppOptions, 'dataDir' | 'intervals' | 'audit' | 'redisUrl' | 'ledger'> & {
  /** Of its clock, in ms. */
  ahead?: number;
  /** Not waited for until it serves, because another one leads. */
  standsBy?: true | undefined;
};

/** Starts the built bot with these intervals, and waits until it serves; it is killed with the test. */
export async function startQuickBot(
  { discord, panel }: Surroundings,
  { standsBy, ...options }: Options,
): Promise<QuickBot> {
  const read = policyFor(examplePolicy, discord.guildId);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const all = {
    discord: { token: discord.token, guild: discord.guildId, apiUrl: discord.apiUrl, register: true },
    panel: { url: panel.url, token: panel.token },
    policy: read.policy,
    limits: unlimited,
    ...options,
  };
  const program = fileURLToPath(new URL('quick-bot.mjs', import.meta.url));
  const bot = running([process.execPath, program, JSON.stringify(all)], {});
  const kill = () => bot.end('SIGKILL');
  onTestFinished(async () => void (await kill()));
  await bot.says(standsBy ? /./ : /^ready$/m);
  return { ...bot, kill };
}

/** The Discord and panel of a bot that is killed, and the folder for the next one. */
export interface Scene extends Surroundings {
  dir: string;
  ledger(): RunLine[];
  /** Discord's clock goes on by that many ms. */
  forget(ms: number): void;
  /** Starts a bot that looks, posts and announces quickly. */
  start(own?: Partial<Options>): Promise<QuickBot>;
}

/** All gone with the test. `audit`: the ledger is posted to #audit. */
export async function openScene({ restoreMs, audit }: { restoreMs?: number; audit?: true } = {}): Promise<Scene> {
  let ahead = 0;
  const around = await surroundings({ restoreMs, requestsPerMinute: 6_000 }, { now: () => Date.now() + ahead });
  const dir = folder();
  return {
    ...{ ...around, dir },
    ledger: () => ledgerIn(dir),
    forget(ms) {
      ahead += ms;
    },
    start: (own = {}) =>
      startQuickBot(around, {
        dataDir: dir,
        audit: audit && around.discord.channels.audit,
        intervals: {
          ...{ recover: 50, reconcile: 500, cards: { looks: 100 } },
          followUps: { first: 100, most: 300, retry: 100 },
          announcer: { every: 50, retry: 100 },
          trail: { between: 20, retry: 100, look: 100 },
        },
        ...own,
      }),
  };
}
