import { onTestFinished } from 'vitest';
import type { AppOptions } from '../../src/app.ts';
import { readLedger } from '../../src/audit/place.ts';
import { verify } from '../../src/audit/verify.ts';
import type { SandboxDiscord, SeenMessage } from '../../src/sandbox/discord/index.ts';
import { words } from './card-text.ts';
import { readRoot } from './house.ts';
import { folder } from './ledger/samples.ts';
import { answerTo, textOf } from './messages.ts';
import { hurried } from './pace.ts';
import type { Surroundings } from './surroundings.ts';
import { startIn } from './world.ts';

/** A bot in the process of its test. */
export interface BotHere {
  dir: string;
  stops(): Promise<unknown>;
}

/**
 * Starts the bot as the program does, with its trail in #audit, but in this process: for what comes of its ledger, in a tenth
 * of the time that a process takes. It is stopped with the test.
 */
export async function startHere(
  around: Surroundings,
  {
    dir = folder(),
    policy = readRoot('policy.example.yaml'),
    ...own
  }: Pick<AppOptions, 'newLedger' | 'shell'> & { dir?: string; policy?: string } = {},
): Promise<BotHere> {
  const { audit } = around.discord.channels;
  const app = await startIn(dir, around, policy, { audit, intervals: { trail: hurried.trail }, limits: {}, ...own });
  onTestFinished(app.stop);
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
