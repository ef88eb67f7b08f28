import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { alternately, type Group } from './group.ts';
import { figureOf, ratioOf, told } from './numbers.ts';
import { cpuOf, family, type Running } from './processes.ts';
import { audited, openStage } from './stage.ts';

const why =
  'two thirds of a start are compiling and evaluating packages: beside those of the bare client zod, yaml and the parts of the bot. It takes less code before the first command';

/** What a start takes until it serves, in s of a processor and on the clock. */
interface Taken {
  cpu: number[];
  wall: number[];
}

/** From the start of the process until it serves. */
export const start: Group = async ({ runs }, closing, say) => {
  const stage = await openStage(closing, { servers: 12 });
  const taken: Record<string, Taken> = {};
  const timed = (name: string, starting: () => Promise<Running>) => async (): Promise<number> => {
    const bot = await starting();
    taken[name] ??= { cpu: [], wall: [] };
    taken[name].cpu.push(family(bot.pid).reduce((all, pid) => all + cpuOf(pid), 0) / 1000);
    taken[name].wall.push(bot.ms / 1000);
    await bot.end();
    return bot.ms;
  };
  const kept = (name: string): string => {
    const dir = join(stage.dir, name);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return dir;
  };
  const ways = {
    bare: timed('bare', stage.bare),
    first: timed('first', () => stage.panelops()),
    again: timed('again', () => stage.panelops({ DATA_DIR: kept('again') })),
    // One folder for all runs: the ledger must be the one whose trail is in the channel.
    audit: timed('audit', () => stage.panelops({ ...audited, DATA_DIR: kept('audited') })),
  };
  // Once before, so that the files are in memory.
  await alternately(1, ways);
  for (const name of Object.keys(taken)) delete taken[name];
  await alternately(runs === 1 ? 1 : runs + 4, ways);
  const nothing: Taken = { cpu: [], wall: [] };
  const { bare = nothing, first = nothing, again = nothing, audit = nothing } = taken;
  const isKept = 'enableCompileCache' in module;
  const row = (what: string, ours: Taken, goal: number) => {
    const ratio = ratioOf(ours.cpu, bare.cpu);
    const clock = ratioOf(ours.wall, bare.wall);
    say(`${what}: × ${told(ratio)} of a processor, × ${told(clock)} on the clock`);
    return {
      what,
      baseline: `bare discord.js client, same intents: ${told(figureOf(bare.cpu), ' s')} of a processor, ${told(figureOf(bare.wall), ' s')}`,
      ours: `${told(figureOf(ours.cpu), ' s')} of a processor, ${told(figureOf(ours.wall), ' s')}`,
      ratio,
      goal: `≤ × ${goal} of both`,
      isMet: ratio.median <= goal && clock.median <= goal,
      why,
      note: `on the clock × ${told(clock)}`,
    };
  };
  return [
    row('start to ready, the first in a folder', first, 1.3),
    row(`start to ready again${isKept ? ', with what Node kept compiled' : ''}`, again, isKept ? 1.1 : 1.3),
    row('start to ready, with an audit channel', audit, isKept ? 1.1 : 1.3),
  ];
};
