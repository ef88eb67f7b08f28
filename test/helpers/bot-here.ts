import { onTestFinished } from 'vitest';
import type { AppOptions } from '../../src/app.ts';
import type { SandboxDiscord, SeenMessage } from '../../src/sandbox/discord/index.ts';
import { words } from './card-text.ts';
import { readRoot } from './house.ts';
import { folder } from './ledger/samples.ts';
import { textOf, typed } from './messages.ts';
import { hurried } from './pace.ts';
import type { Surroundings } from './surroundings.ts';
import { envOf, run } from './trail/program.ts';
import { startIn } from './world.ts';

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
): Promise<{ dir: string; stops(): Promise<unknown> }> {
  const { audit } = around.discord.channels;
  const app = await startIn(dir, around, policy, { audit, intervals: { trail: hurried.trail }, limits: {}, ...own });
  onTestFinished(app.stop);
  return { dir, stops: app.stop };
}

/** What `npm run audit -- verify` says of the ledger in a folder and of #audit, and its exit code. */
export const verified = (discord: SandboxDiscord, dir: string): Promise<{ code: number; out: string[] }> =>
  run(['verify'], envOf(discord, dir));

/** What a command is answered with, once it says how it ended. */
export async function types({ discord }: Pick<Surroundings, 'discord'>, line: string): Promise<string> {
  return textOf(
    await typed({ discord }, line, ['SUCCEEDED', 'UNAVAILABLE', 'DENIED', 'INVALID', 'FAILED', 'ACCEPTED']),
  );
}

/** The messages that ping about a ledger or a channel that somebody changed. */
export const alerts = ({ discord }: Pick<Surroundings, 'discord'>): SeenMessage[] =>
  discord.messages('alice', 'ops').filter(({ content }) => words(content).startsWith('ALERT'));
