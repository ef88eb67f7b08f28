import { setTimeout as delay } from 'node:timers/promises';
import { alternately, type Group, sound } from './group.ts';
import { change, createLoad, paced, read } from './load.ts';
import { figureOf, ratioOf, told } from './numbers.ts';
import { family, memoryOf, type Running } from './processes.ts';
import { openStage } from './stage.ts';

/** Until a process that has just started has come to rest, in ms. */
const rest = 2_000;
/** Reads are answered faster. */
const paces = [
  { task: read, perSecond: 1_000 },
  { task: change, perSecond: 500 },
];
const each = 5_000;
/** Memory varies little, and takes long to measure. */
const most = 3;

const why =
  'the embedded Redis is a process of Node, about 60 MiB before it holds anything, and BullMQ, ioredis, zod and the parts of the bot are 30 MiB of code; after commands the rest is garbage that V8 has not collected and the newest 6,000 entries of the ledger. It takes a Redis of your own (REDIS_URL), or one that starts with the first follow-up';

/** What is resident, idle after the start and after 10,000 commands, half of them changes. */
export const memory: Group = async ({ runs, share }, closing, say) => {
  const stage = await openStage(closing);
  const load = createLoad(stage.discord);
  const after: Record<'bare' | 'bot' | 'both', number[]> = { bare: [], bot: [], both: [] };
  const bots: number[] = [];
  const worked = async (bot: Running): Promise<void> => {
    for (const { task, perSecond } of paces)
      sound(await paced(load, task, perSecond, ((1_000 * each) / perSecond) * share), 'memory');
    await delay(rest * share);
    say(`after the commands: ${Math.round(memoryOf(bot.pid))} MiB`);
  };
  const all = (bot: Running): number => family(bot.pid).reduce((sum, pid) => sum + memoryOf(pid), 0);
  const idle = await alternately(Math.min(runs, most), {
    bare: async () => {
      const bot = await stage.bare();
      await delay(rest * share);
      const before = memoryOf(bot.pid);
      await worked(bot);
      after.bare.push(memoryOf(bot.pid));
      await bot.end();
      return before;
    },
    both: async () => {
      const bot = await stage.panelops();
      await delay(rest * share);
      const before = all(bot);
      bots.push(memoryOf(bot.pid));
      await worked(bot);
      after.bot.push(memoryOf(bot.pid));
      after.both.push(all(bot));
      await bot.end();
      return before;
    },
  });
  const row = (what: string, theirs: number[], bot: number[], both: number[]) => {
    const ratio = ratioOf(both, theirs);
    const baseline = `bare: ${told(figureOf(theirs), ' MiB')}`;
    const ours = `${told(figureOf(both), ' MiB')} with Redis, ${told(figureOf(bot), ' MiB')} without`;
    return { what, baseline, ours, ratio, goal: '≤ × 1.5 with Redis', isMet: ratio.median <= 1.5, why };
  };
  return [
    row('resident memory, idle', idle.bare, bots, idle.both),
    row('resident memory, after 10,000 commands', after.bare, after.bot, after.both),
  ];
};
