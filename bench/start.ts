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
  await alternately(runs === 1 ? 1 : runs + 2, ways);
  const nothing: Taken = { cpu: [], wall: [] };
  const { bare = nothing, first = nothing, again = nothing, audit = nothing } = taken;
  const isKept = 'enableCompileCache' in module;
  // The newer Node's goal counts a start with what one before it compiled.
  const row = (what: string, ours: Taken, goal: number, kept = goal) => {
    const most = isKept ? kept : goal;
    const ratio = ratioOf(ours.cpu, bare.cpu);
    const clock = ratioOf(ours.wall, bare.wall);
    say(`${what}: × ${told(ratio)} of a processor, × ${told(clock)} on the clock`);
    return {
      what,
      baseline: `bare client, same intents, ${told(figureOf(bare.cpu), ' s')} and ${told(figureOf(bare.wall), ' s')}`,
      ours: `of a processor, × ${told(clock)} on the clock: ${told(figureOf(ours.cpu), ' s')} and ${told(figureOf(ours.wall), ' s')}`,
      ratio,
      goal: `≤ × ${goal} of both${kept === goal ? '' : `, × ${kept} where Node keeps what it compiled`}`,
      isMet: ratio.median <= most && clock.median <= most,
      why,
    };
  };
  return [
    row('start to ready, the first in a folder', first, 1.3),
    row('start to ready again', again, 1.3, 1.1),
    row('start to ready again, with an audit channel', audit, 1.3, 1.1),
  ];
};
