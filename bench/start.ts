import { join } from 'node:path';
import { alternately, type Group } from './group.ts';
import { figureOf, ratioOf, told } from './numbers.ts';
import { cpuOf, family, type Running } from './processes.ts';
import { audited, openStage } from './stage.ts';

const why =
  'two thirds of a start are compiling and evaluating packages: beside those of the bare client BullMQ, ioredis, zod and the parts of the bot, and an embedded Redis starts on the same cores. It takes a compile cache (Node 22), or a Redis that starts with the first follow-up';

/** From the start of the process until it serves. */
export const start: Group = async ({ runs }, closing, say) => {
  const stage = await openStage(closing, { servers: 12 });
  const cpu: number[] = [];
  const timed = async (starting: () => Promise<Running>, isOurs = false): Promise<number> => {
    const bot = await starting();
    if (isOurs) cpu.push(family(bot.pid).reduce((all, pid) => all + cpuOf(pid), 0));
    await bot.end();
    return bot.ms / 1000;
  };
  const ways = {
    bare: () => timed(stage.bare),
    plain: () => timed(() => stage.panelops(), true),
    // One folder for all runs: the ledger must be the one whose trail is in the channel.
    audit: () => timed(() => stage.panelops({ ...audited, DATA_DIR: join(stage.dir, 'audited') })),
  };
  // Once before, so that the files are in memory.
  await alternately(1, ways);
  cpu.length = 0;
  const { bare, plain, audit } = await alternately(runs === 1 ? 1 : runs + 4, ways);
  say(
    `bare ${told(figureOf(bare), ' s')}, panelops ${told(figureOf(plain), ' s')}, with audit channel ${told(figureOf(audit), ' s')}`,
  );
  const baseline = `bare discord.js client, same intents: ${told(figureOf(bare), ' s')}`;
  const row = (what: string, ours: number[], goal: number, note?: string) => {
    const ratio = ratioOf(ours, bare);
    const isMet = ratio.median <= goal;
    return {
      what,
      baseline,
      ours: told(figureOf(ours), ' s'),
      ratio,
      goal: `≤ × ${goal}`,
      isMet,
      why,
      note,
    };
  };
  return [
    row('start to ready, embedded Redis', plain, 1.5, `processor time, Redis included: ${told(figureOf(cpu), ' ms')}`),
    row('start to ready, with an audit channel', audit, 1.8),
  ];
};
