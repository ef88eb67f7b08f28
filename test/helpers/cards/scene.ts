import { beforeEach, onTestFinished, vi } from 'vitest';
import type { Pace } from '../../../src/cards/reconciler.ts';
import { createDiscord, type Discord, type Reaction } from './discord.ts';
import { type CardProcess, fastFolder, startProcess } from './process.ts';
import * as story from './story.ts';

const { bob, channel, ends, follows, openedOf, sends, typed } = story;

const clock = {
  get now() {
    return Date.now();
  },
};
/** For a test file: time passes only when a test moves it. */
export const standingClock = (): void =>
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: story.start });
    return () => vi.useRealTimers();
  });
export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Lets pending promises settle. */
export async function rest(): Promise<void> {
  for (let at = 0; at < 10; at += 1) await new Promise((resolve) => setImmediate(resolve));
}

const pace: Pace = { looks: 15_000, retry: 200, most: 1_000, patience: 600_000, late: 900_000 };

export async function scene(discord = createDiscord(), dir = fastFolder()) {
  const bot = await startProcess(dir, { discord, clock, pace });
  onTestFinished(() => bot.bury());
  return { ...bot, discord };
}

/** The message with the card of a command, as Discord has it after the command was typed. */
export const posted = (discord: Discord, of: story.Typed, at = channel): story.Typed => ({
  ...of,
  message: discord.post({
    channel: at,
    card: story.firstCard(of.id, openedOf(of)),
    answers: openedOf(of).interaction.id,
  }),
});

/** The first lines of the edits, in order. */
export const headlines = ({ edits }: Discord): string[] => edits.map(({ card }) => story.textOf(card)[0] ?? '');
export const firstLine = (discord: Discord, message: string | undefined): string => {
  const card = discord.shown(message ?? '');
  return card === undefined ? '' : (story.textOf(card)[0] ?? '');
};
/** Answers the next edits in turn, then accepts all. */
export function reactions(discord: Discord, ...list: Reaction[]): void {
  discord.react = () => list.shift() ?? 'edited';
}
/** Holds edits until each is released. */
export function holding(discord: Discord): (() => Promise<void>)[] {
  const held: (() => Promise<void>)[] = [];
  discord.react = () =>
    new Promise((resolve) =>
      held.push(() => {
        resolve('edited');
        return rest();
      }),
    );
  return held;
}

export const flush = typed('flush', '/firewall flush server:101 interface:primary sync:yes');
export const restore = typed('restore', '/backup restore server:101 disks:0');
export const disable = typed('off', '/firewall disable server:101,102 interface:primary sync:yes');
export const enable = typed('on', '/firewall enable server:101,102 interface:primary sync:yes', { by: bob });
export const enabling = (server: number) => ({
  undo: { command: 'firewall.enable', options: { server: String(server), interface: 'primary', sync: true } },
});

/** A running restore whose card shows it. */
export async function running(bot: Pick<CardProcess, 'ledger' | 'cards'>, of: story.Typed): Promise<void> {
  await bot.ledger.append([sends(of)]);
  await bot.ledger.append([ends(of, 'accepted'), follows(of, 17)]);
  await rest();
}
