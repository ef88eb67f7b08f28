import { setTimeout as delay } from 'node:timers/promises';
import { type Group, sound } from './group.ts';
import { change, counted, createLoad, read } from './load.ts';
import { figureOf, ratioOf, told } from './numbers.ts';
import { family, memoryTogether, type Running } from './processes.ts';
import { openStage } from './stage.ts';
import type { Row } from './table.ts';

/** Until a process that has just started, or just worked, has come to rest, in ms. */
const rest = 4_000;
/** How many commands wait at once. */
const inFlight = 16;
/** After so many commands, half of them changes. The last only once: it takes minutes. */
const marks = [0, 10_000, 100_000];
/** Memory varies little, and takes long to measure. */
const most = 2;
/** How much more it may be at the last mark, in MiB. */
const flat = 20;

const why =
  'the embedded Redis has 16 MiB of its own, and zod, BullMQ, ioredis and the parts of the bot are 30 MiB of code; after commands come the newest 6,000 entries of the ledger, up to four fifths more for what V8 has not collected, and for 15 minutes a kilobyte for each card, which a late edit may still change. It takes that Redis in a thread, where a trap in it ends the bot, or the queue of follow-ups without Redis';

/** What is resident, idle after the start and after commands: bot and embedded Redis together. */
export const memory: Group = async ({ runs, share }, closing, say) => {
  const stage = await openStage(closing);
  const load = createLoad(stage.discord);
  const found: Record<'bare' | 'ours', number[][]> = { bare: marks.map(() => []), ours: marks.map(() => []) };
  const measure = async (who: 'bare' | 'ours', start: () => Promise<Running>, until: number): Promise<void> => {
    const bot = await start();
    for (const [at, mark] of marks.entries()) {
      if (mark > until) break;
      const each = ((mark - (marks[at - 1] ?? 0)) / 2) * share;
      for (const task of [read, change]) if (each > 0) sound(await counted(load, task, inFlight, each), 'memory');
      await delay(rest * share);
      const mib = memoryTogether(family(bot.pid));
      found[who][at]?.push(mib);
      say(`${who}, after ${mark * share} commands: ${Math.round(mib)} MiB`);
    }
    await bot.end();
  };
  for (let run = 0; run < Math.min(runs, most); run += 1) {
    const until = run === 0 ? 100_000 : 10_000;
    await measure('bare', stage.bare, until);
    await measure('ours', () => stage.panelops(), until);
  }
  return marks.map((mark, at): Row => {
    const [theirs = [], ours = []] = [found.bare[at], found.ours[at]];
    const what = `resident memory, ${mark === 0 ? 'idle' : `after ${mark.toLocaleString('en-US')} commands`}`;
    const row = { what, ours: `${told(figureOf(ours), ' MiB')} with Redis`, why };
    if (at === 2) {
      const more = (all: number[][]): number => (all[at]?.[0] ?? Number.NaN) - (all[at - 1]?.[0] ?? Number.NaN);
      const [growth, baseline] = [more(found.ours), `bare ${Math.round(more(found.bare))} MiB more than after 10,000`];
      const grown = `${Math.round(growth)} MiB more than after 10,000: ${row.ours}`;
      return { ...row, ours: grown, baseline, goal: `as after 10,000: ≤ ${flat} MiB more`, isMet: growth <= flat };
    }
    const goal = mark === 0 ? 1.4 : 1.3;
    const ratio = ratioOf(ours, theirs);
    const baseline = `bare ${told(figureOf(theirs), ' MiB')}`;
    return { ...row, baseline, ratio, goal: `≤ × ${goal} with Redis`, isMet: ratio.median <= goal };
  });
};
