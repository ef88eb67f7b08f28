import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draw, placeOf } from '../../../src/cards/draw.ts';
import { openCardFile } from '../../../src/cards/file-store.ts';
import { type Cards, createReconciler, type Pace } from '../../../src/cards/reconciler.ts';
import type { CardStore } from '../../../src/cards/record.ts';
import type { JobLook } from '../../../src/cards/render/index.ts';
import { openFileLedger } from '../../../src/ledger/file-store.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Entry } from '../../../src/runs/entry.ts';
import { notes } from '../ledger/samples.ts';
import type { Discord } from './discord.ts';
import { drawParts, start } from './story.ts';

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
  /** Gets each entry before the cards do, including existing ones. */
  hear?(entry: Entry): void;
}

/** The same on an existing ledger and store. */
function cardsOn(
  { discord, clock, pace = { looks: 0, retry: 0, most: 0 } }: ProcessParts,
  { ledger, store }: { ledger: Ledger; store: CardStore },
): Pick<CardProcess, 'cards' | 'looks' | 'log'> & { cut(): void } {
  const looks = new Map<string, JobLook>();
  const log = notes();
  const { messages, threads, cut } = discord.connect();
  const parts = drawParts(ledger, looks);
  const cards = createReconciler({
    ...{ messages, threads, elsewhere: () => [], ledger, store, pace, log },
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
export const clockAt = (now = start): Clock => ({ now });
