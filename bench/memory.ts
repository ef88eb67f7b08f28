import { setTimeout as delay } from 'node:timers/promises';
import { type Group, sound } from './group.ts';
import { change, createLoad, paced, read } from './load.ts';
import { figureOf, ratioOf, told } from './numbers.ts';
import { family, memoryTogether, type Running } from './processes.ts';
import { openStage } from './stage.ts';
import type { Row } from './table.ts';

/** Until a process that has just started has come to rest, in ms. */
const rest = 4_000;
/** Reads are answered faster. */
const paces = [
  { task: read, perSecond: 1_000 },
  { task: change, perSecond: 500 },
];
/** After so many commands, half of them changes; the last only once, because it takes minutes. */
const marks = [0, 10_000, 100_000];
/** Memory varies little, and takes long to measure. */
const most = 3;

const why =
  'the embedded Redis has 16 MiB of its own, and zod, BullMQ, ioredis and the parts of the bot are 30 MiB of code; after commands the rest is garbage that V8 has not collected and the newest 6,000 entries of the ledger. It takes less garbage for each command';

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
      for (const { task, perSecond } of paces)
        if (each > 0) sound(await paced(load, task, perSecond, (1_000 * each) / perSecond), 'memory');
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
  const [, before = []] = found.ours;
  return marks.map((mark, at): Row => {
    const [theirs = [], ours = []] = [found.bare[at], found.ours[at]];
    const ratio = ratioOf(ours, theirs);
    const growth = (ours[0] ?? 0) - (before[0] ?? 0);
    const isLast = at === marks.length - 1;
    return {
      what: `resident memory, ${mark === 0 ? 'idle' : `after ${mark.toLocaleString('en-US')} commands`}`,
      baseline: `bare: ${told(figureOf(theirs), ' MiB')}`,
      ours: `${told(figureOf(ours), ' MiB')} with Redis`,
      ratio,
      goal: isLast ? 'as after 10,000 (≤ + 20 MiB)' : `≤ × ${mark === 0 ? 1.4 : 1.3} with Redis`,
      isMet: isLast ? growth <= 20 : ratio.median <= (mark === 0 ? 1.4 : 1.3),
      why,
      note: isLast ? `${Math.round(growth)} MiB more than after 10,000` : undefined,
    };
  });
};
