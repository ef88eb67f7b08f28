import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, onTestFinished, vi } from 'vitest';
import { draw, placeOf } from '../../../src/cards/draw.ts';
import { openCardFile } from '../../../src/cards/file-store.ts';
import type { Pace } from '../../../src/cards/reconciler.ts';
import { type Cards, createReconciler } from '../../../src/cards/reconciler.ts';
import type { CardStore } from '../../../src/cards/record.ts';
import type { JobLook } from '../../../src/cards/render/index.ts';
import { openFileLedger } from '../../../src/ledger/file-store.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Entry } from '../../../src/runs/entry.ts';
import { notes } from '../ledger/samples.ts';
import { createDiscord, type Discord, type Reaction } from './discord.ts';
import * as story from './story.ts';

/** A fast folder that survives a kill: in memory, if the machine has one. */
const fast = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
export const fastFolder = (): string => mkdtempSync(join(fast, 'panelops-cards-'));

export interface Clock {
  now: number;
}

/** The part of the bot that draws cards, as one process has it. */
export interface CardProcess {
  ledger: Ledger;
  cards: Cards;
  looks: Map<string, JobLook>;
  log: ReturnType<typeof notes>;
  /**
   * Ends it as a crash does: what is on disk at this moment is in the folder that is answered, and from now on nothing of this
   * process arrives anywhere.
   */
  kill(): string;
  /** Frees what a killed process still holds, and its folder. */
  bury(): Promise<void>;
}

export interface ProcessParts {
  discord: Discord;
  clock: Clock;
  pace?: Partial<Pace>;
  /** Left out: no other process draws. */
  mayDraw?(): Promise<boolean>;
  /** Left out: there is no other channel. */
  elsewhere?(): readonly string[];
  /** Gets each entry before the cards do, including existing ones. */
  hear?(entry: Entry): void;
}

/** The same on an existing ledger and store. */
function cardsOn(
  { discord, clock, pace = { looks: 0, retry: 0, most: 0 }, ...own }: ProcessParts,
  { ledger, store }: { ledger: Ledger; store: CardStore },
): Pick<CardProcess, 'cards' | 'looks' | 'log'> & { cut(): void } {
  const looks = new Map<string, JobLook>();
  const log = notes();
  const { messages, threads, cut } = discord.connect();
  const parts = story.drawParts(ledger, looks);
  const cards = createReconciler({
    ...{ messages, threads, elsewhere: own.elsewhere ?? (() => []), ledger, store, pace, log },
    mayDraw: own.mayDraw ?? (() => Promise.resolve(true)),
    placeOf: (id, opened) => placeOf(parts, id, opened),
    draw: (id, opened) => draw(parts, id, opened),
    now: () => clock.now,
  });
  return { cards, looks, log, cut };
}

export async function startProcess(dir: string, parts: ProcessParts): Promise<CardProcess> {
  const { clock, hear } = parts;
  const ledger = await openFileLedger({ dir, now: () => new Date(clock.now), log: notes() });
  let isDead = false;
  if (hear !== undefined) {
    for (const entry of ledger.entries()) hear(entry);
    ledger.subscribe((entry) => (isDead ? undefined : hear(entry)));
  }
  const store = await openCardFile(dir, notes());
  const { cut, ...made } = cardsOn(parts, { ledger, store });
  return {
    ledger,
    ...made,
    kill() {
      isDead = true;
      cut();
      const next = fastFolder();
      for (const file of ['cards.jsonl', 'ledger.jsonl'])
        if (existsSync(join(dir, file))) copyFileSync(join(dir, file), join(next, file));
      return next;
    },
    async bury() {
      await made.cards.close(0);
      await store.close();
      await ledger.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A clock that moves only when told to. */
export const clockAt = (now = story.start): Clock => ({ now });

const { channel, ends, follows, openedOf, sends, typed } = story;

const machineClock = {
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

export async function scene(
  discord = createDiscord(),
  dir = fastFolder(),
  more: Pick<ProcessParts, 'mayDraw' | 'elsewhere'> = {},
) {
  const bot = await startProcess(dir, { discord, clock: machineClock, pace, ...more });
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
export const enabling = (server: number) => ({
  undo: { command: 'firewall.enable', options: { server: String(server), interface: 'primary', sync: true } },
});

/** A running restore whose card shows it. */
export async function running(bot: Pick<CardProcess, 'ledger' | 'cards'>, of: story.Typed): Promise<void> {
  await bot.ledger.append([sends(of)]);
  await bot.ledger.append([ends(of, 'accepted'), follows(of, 17)]);
  await rest();
}
