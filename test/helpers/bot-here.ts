import { onTestFinished } from 'vitest';
import { type AppOptions, policyFor, startApp } from '../../src/app.ts';
import { readLedger, silentLog } from '../../src/audit/place.ts';
import { verify } from '../../src/audit/verify.ts';
import type { SandboxDiscord, SeenMessage } from '../../src/sandbox/discord/index.ts';
import { folder, type Surroundings } from './bot-process.ts';
import { words } from './card-text.ts';
import { readRoot } from './house.ts';
import { answerTo, textOf } from './messages.ts';
import { hurried } from './pace.ts';
import { redisFor } from './redis/shared.ts';
import { checker } from './world.ts';

/** A bot in the process of its test. */
export interface BotHere {
  dir: string;
  stops(): Promise<unknown>;
}

interface HereOptions {
  dir?: string;
  newLedger?: boolean;
  /** policy.yaml; the example when left out. */
  policy?: string;
  shell?: AppOptions['shell'];
}

/**
 * Starts the bot as the program does, with its trail in #audit, but in this process: for what comes of its ledger, in a tenth
 * of the time that a process takes. It is stopped with the test.
 */
export async function startHere(
  { discord, panel }: Surroundings,
  { dir = folder(), newLedger = false, policy = readRoot('policy.example.yaml'), shell }: HereOptions = {},
): Promise<BotHere> {
  const read = policyFor(policy, discord.guildId);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const redisUrl = await redisFor({});
  const app = await startApp({
    discord: { token: discord.token, guild: discord.guildId, apiUrl: discord.apiUrl, register: true },
    panel: { url: panel.url, token: panel.token },
    policy: read.policy,
    dataDir: dir,
    audit: discord.channels.audit,
    newLedger,
    redisUrl,
    note: '',
    shell,
    log: silentLog,
    checker,
    intervals: { trail: hurried.trail },
    onRefused: () => undefined,
  });
  onTestFinished(app.stop);
  await app.ready;
  return { dir, stops: app.stop };
}

/** What `npm run audit -- verify` says of the ledger in a folder and of #audit, and its exit code. */
export async function verified(discord: SandboxDiscord, dir: string): Promise<{ code: number; out: string[] }> {
  const said: string[] = [];
  const code = await verify({
    read: () => readLedger({ dataDir: dir }),
    channel: { token: discord.token, apiUrl: discord.apiUrl, id: discord.channels.audit },
    out: (text) => said.push(text),
  });
  return { code, out: said.join('').trimEnd().split('\n') };
}

/** What a command is answered with, once it says how it ended. */
export async function types(
  { discord }: Pick<Surroundings, 'discord'>,
  line: string,
  who: 'alice' | 'bob' = 'alice',
): Promise<string> {
  const interaction = await discord.type(who, 'ops', line);
  const states = ['SUCCEEDED', 'UNAVAILABLE', 'DENIED', 'INVALID', 'FAILED', 'ACCEPTED'];
  return textOf(await answerTo({ discord }, interaction, states, who));
}

/** The messages that ping about a ledger or a channel that somebody changed. */
export const alerts = ({ discord }: Pick<Surroundings, 'discord'>): SeenMessage[] =>
  discord.messages('alice', 'ops').filter(({ content }) => words(content).startsWith('ALERT'));
