import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { alternately, type Group, sound } from './group.ts';
import { createLoad, paced, type Task } from './load.ts';
import { figureOf, quantile, ratioOf, told } from './numbers.ts';
import { programOf } from './processes.ts';
import { openStage, type Stage } from './stage.ts';

const servers = 100_000;

/** Words of which each fits some servers, as they are typed. */
const typed = (n: number) => ({ server: ['s', 's-', 's-9', 's-99', 's-4711', '10.1.2', '777'][n % 7] ?? 's' });
const typing: Task = { kind: 'keystroke', command: 'power boot', options: typed };

/** Why a start takes long, and a keystroke is late; and what it would take. */
const whyStart =
  'each line is parsed, held against the rules of a server, and placed in the indexes by name, id, address and group, before anything is served. It takes a thread that does so while the list of the run before is in force';
const whyKeys =
  'of 60 keystrokes in a slice the p99 is the slowest: with 12 servers it is as late on a machine such as this. It takes longer slices on a quiet one';

/** A policy with 100,000 servers, each a line of its CSV file. */
export const policy: Group = async ({ runs, share }, closing, say) => {
  const few = await openStage(closing, { servers: 12 });
  const many = await openStage(closing, { servers: servers * share });
  const started = (stage: Stage) => async (): Promise<number> => {
    const bot = await stage.panelops();
    await bot.end();
    say(`start: ${Math.round(bot.ms)} ms`);
    return bot.ms / 1000;
  };
  const starts = await alternately(runs, { few: started(few), many: started(many) });
  const more = figureOf(starts.many.map((each, run) => each - (starts.few[run] ?? 0)));

  const decisions = await alternately(runs, { few: () => decision(few), many: () => decision(many) });
  const decided = figureOf(decisions.many);

  await few.panelops();
  await many.panelops();
  const waits = (stage: Stage) => {
    const load = createLoad(stage.discord);
    return async (): Promise<number> =>
      quantile(sound(await paced(load, typing, 20, 3_000 * share), 'keystrokes').acknowledged, 0.99);
  };
  const keys = await alternately(runs, { few: waits(few), many: waits(many) });
  const key = figureOf(keys.many);
  return [
    {
      what: `${(servers * share).toLocaleString('en-US')} servers in a CSV file: start`,
      baseline: `12 servers ${told(figureOf(starts.few), ' s')}`,
      ours: `${told(more, ' s')} more: ${told(figureOf(starts.many), ' s')}`,
      goal: '≤ 0.3 s more',
      isMet: more.median <= 0.3,
      why: whyStart,
    },
    {
      what: '… a decision',
      baseline: `12 servers ${told(figureOf(decisions.few), ' µs')}`,
      ours: told(decided, ' µs'),
      ratio: ratioOf(decisions.many, decisions.few),
      goal: '≤ 5 µs',
      isMet: decided.median <= 5,
    },
    {
      what: '… a keystroke',
      baseline: `12 servers p99 ${told(figureOf(keys.few), ' ms')}`,
      ours: `p99 ${told(key, ' ms')}`,
      ratio: ratioOf(keys.many, keys.few),
      goal: 'p99 ≤ 5 ms',
      isMet: key.median <= 5,
      why: whyKeys,
    },
  ];
};

/** Microseconds of one decision, in a process of its own. */
async function decision({ env, dir }: Stage): Promise<number> {
  const child = spawn(process.execPath, [programOf('decide')], {
    ...{ env, cwd: dir, stdio: ['ignore', 'pipe', 'inherit'] as const },
  });
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  await once(child, 'close');
  return Number(said);
}
