import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { alternately, type Extent, type Group, sound } from './group.ts';
import { writeLedger } from './ledger-file.ts';
import { beside, createLoad, keystroke, type Load, paced, type Task } from './load.ts';
import { figureOf, quantile, ratioOf, told } from './numbers.ts';
import { memoryOf, panelops, programOf } from './processes.ts';
import { openStage, type Stage } from './stage.ts';
import type { Row } from './table.ts';

/** A ledger of a million entries: to open it, to verify it, and to look into it while people type. */
export const ledger: Group = async (extent, closing, say) => {
  const count = Math.round(1_000_000 * extent.share ** 2);
  const stage = await openStage(closing);
  const dirs = { empty: join(stage.dir, 'empty'), large: join(stage.dir, 'large') };
  for (const dir of Object.values(dirs)) mkdirSync(dir, { mode: 0o700 });
  await writeLedger(dirs.large, count);
  say(`${count} entries are written`);
  const opened = await opening(stage, dirs, count, extent, say);
  const verified = await verifying(stage, dirs, count, extent, say);
  const looked = await looking(stage, dirs.large, count, extent, say);
  return [...opened, ...verified, ...looked];
};

const whyOpening =
  'the closed files are hashed before anything of them is used; of the rest a quarter is the placing of rows in the indexes, a fifth the current month, parsed and replayed, a tenth garbage, and no other part a twentieth. It takes indexes that lie in the checkpoint as they are used, instead of rows from which they are built';
const whyVerifying =
  'each line is parsed, held against the schema, spelled again and hashed, 5, 4, 5 and 2 of the 17 to 23 µs that an entry took of a busy processor, in as many threads as there are cores. It takes more cores than two, or a check that needs no parser';

type Dirs = Record<'empty' | 'large', string>;
type Say = (text: string) => void;

/** A start that takes longer is not repeated: its figure needs no spread. */
const longStart = 15_000;

async function opening(stage: Stage, dirs: Dirs, count: number, { runs }: Extent, say: Say): Promise<Row[]> {
  const memory: number[] = [];
  const peaks: number[] = [];
  const started = async (dir: string): Promise<{ ms: number; now: number; peak: number }> => {
    const bot = await stage.panelops({ DATA_DIR: dir });
    const figures = { ms: bot.ms, now: memoryOf(bot.pid), peak: memoryOf(bot.pid, 'VmHWM') };
    await bot.end();
    return figures;
  };
  // What an upgrade has to do once is no part of every start.
  const first = await started(dirs.large);
  say(`the first start with it: ${Math.round(first.ms)} ms`);
  const times = await alternately(first.ms > longStart ? 1 : runs, {
    read: async () => (await timed(programOf('parse'), [dirs.large, 'read'], stage)).ms,
    ours: async () => {
      const without = await started(dirs.empty);
      const withIt = await started(dirs.large);
      memory.push(withIt.now - without.now);
      peaks.push(withIt.peak - without.peak);
      say(
        `without ${Math.round(without.ms)} ms, with ${Math.round(withIt.ms)} ms, peak ${Math.round(withIt.peak)} MiB`,
      );
      return Math.max(1, withIt.ms - without.ms);
    },
  });
  const [ms, more, peak] = [figureOf(times.ours), figureOf(memory), figureOf(peaks)];
  return [
    {
      what: `open a ledger of ${count.toLocaleString('en-US')} entries`,
      baseline: `a process that reads the files ${told(figureOf(times.read), ' ms')}`,
      ours: `${told(ms, ' ms')} and ${told(more, ' MiB')} over a start without it`,
      ratio: ratioOf(times.ours, times.read),
      goal: '≤ 1 s, ≤ 60 MiB over empty',
      isMet: ms.median <= 1_000 && more.median <= 60,
      why: whyOpening,
      note: `at most ${told(peak, ' MiB')} over empty on the way; the first start after the files were put there took ${Math.round(first.ms)} ms`,
    },
  ];
}

/** Runs a program to its end. */
async function timed(program: string, args: string[], stage: Stage, more: Record<string, string> = {}) {
  const from = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    ...{ env: { ...stage.env, ...more }, cwd: stage.dir, stdio: ['ignore', 'pipe', 'inherit'] as const },
  });
  let said = '';
  let peak = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const look = setInterval(() => {
    const now = child.pid === undefined ? 0 : memoryOf(child.pid, 'VmHWM');
    // A process that has just ended has no memory.
    if (now > peak) peak = now;
  }, 50);
  const [code] = await once(child, 'close');
  clearInterval(look);
  return { ms: performance.now() - from, code, said, peak };
}

async function verifying(stage: Stage, dirs: Dirs, count: number, { runs }: Extent, say: Say): Promise<Row[]> {
  const peaks: number[] = [];
  const perSecond = async (program: string, args: string[], dir: string, nothing: number): Promise<number> => {
    const { ms, code, said, peak } = await timed(program, args, stage, { DATA_DIR: dir });
    if (code !== 0) throw new Error(`${program} ended with ${code}: ${said}`);
    if (program === panelops) peaks.push(peak);
    return count / (ms - nothing);
  };
  const idle = {
    parse: await timed(programOf('parse'), [dirs.empty], stage),
    verify: await timed(panelops, ['audit', 'verify'], stage, { DATA_DIR: dirs.empty }),
  };
  const rates = await alternately(runs, {
    parse: () => perSecond(programOf('parse'), [dirs.large], dirs.large, idle.parse.ms),
    ours: () => perSecond(panelops, ['audit', 'verify'], dirs.large, idle.verify.ms),
  });
  const ours = figureOf(rates.ours);
  const peak = figureOf(peaks);
  say(`verify ${told(ours, 'k/s')}, parse ${told(figureOf(rates.parse), 'k/s')}, at most ${told(peak, ' MiB')}`);
  return [
    {
      what: 'verify',
      baseline: `\`JSON.parse\` alone, in one thread, ${told(figureOf(rates.parse), 'k/s')}`,
      ours: `${told(ours, 'k/s')}, at most ${told(peak, ' MiB')}`,
      ratio: ratioOf(rates.ours, rates.parse),
      goal: '≥ 500k/s on two cores, flat memory',
      isMet: ours.median >= 500 && peak.median < idle.verify.peak + 150,
      why: whyVerifying,
    },
  ];
}

const whyHistory =
  'up to 5,000 entries are read to count their runs, 50 ms of the processor in strides of 2 ms; the rest is the wait for it. It takes a count by the index, without the entries';
const whyFiltered =
  'all lines are read, hashed and searched for what was asked, 4 µs of a processor an entry, in a thread; only those that have it are parsed. It takes a second thread, or more of an entry in the index: person, command and outcome';
const whyHandover =
  'it reads only what is open, in about a millisecond; the rest is the wait for the processor, which the keystrokes share';
const whyExport =
  'each entry is read to see whether this person may see it, on the main thread in strides of 2 ms, beside which others wait for the processor. It takes a thread that has the policy, too';
const whyVerify =
  'a check goes on in a thread that shares the cores with the bot and with those who type. It takes one core more';

interface Look extends Task {
  /** How long it may take, in ms; missing: as long as it likes, where nobody waits for it. */
  most?: number;
  why: string;
}

const look = (command: string, options: Task['options'], expects: string, why: string, most?: number): Look => ({
  ...{ kind: 'command', command, options, expects, why },
  ...(most === undefined ? {} : { most }),
});

const looks: readonly Look[] = [
  look('audit history', (n) => ({ server: `s-${(n % 1_000) + 1}` }), 'History', whyHistory, 200),
  look('audit history', () => ({}), 'History', whyHistory, 200),
  // Nothing in the ledger is of it.
  look('audit history', () => ({ outcome: 'unknown' }), 'History', whyFiltered, 3_000),
  look('handover', () => ({}), 'What is open', whyHandover, 200),
  // A million are more than fit into a file; they are read all the same.
  look('audit export', () => ({ format: 'csv' }), 'from no. 1,', whyExport),
  look('audit verify', () => ({}), 'Check of ledger', whyVerify),
];
/** How long a keystroke may wait for a look, in ms. */
const mostBlocked = 20;

/** As somebody types it. */
const typedOf = ({ command, options }: Task): string =>
  [command, ...Object.keys(options?.(0) ?? {}).map((name) => `${name}:`)].join(' ');

/** Each look, and how long keystrokes wait meanwhile at most: a blocked process answers none. */
async function looking(stage: Stage, dir: string, count: number, { runs, share }: Extent, say: Say): Promise<Row[]> {
  const bot = await stage.panelops({ DATA_DIR: dir });
  // Two loads on one Discord would take each other's answers, so they are one: what is typed meanwhile is told apart by kind.
  const load = createLoad(stage.discord);
  const still = quantile((await paced(load, keystroke, 100, 3_000 * share)).acknowledged, 1);
  const rows: Row[] = [];
  for (const look of looks) {
    const { times, waits } = await meanwhile(load, look, runs);
    // Where it is over before anybody types, nobody waits.
    const [p99, wait] = [quantile(times, 0.99), quantile(waits, 1) || 0];
    const blocked = Math.max(0, wait - still);
    say(`/${typedOf(look)}: p99 ${Math.round(p99)} ms, keystrokes wait ${Math.round(wait)} ms at most`);
    const { most = Number.POSITIVE_INFINITY, why } = look;
    rows.push({
      what: `/${typedOf(look)} on ${count.toLocaleString('en-US')} entries`,
      baseline: `keystrokes without it wait ${Math.round(still)} ms at most`,
      ours: `p99 ${Math.round(p99)} ms; a keystroke waits ${Math.round(blocked)} ms longer at most`,
      goal: `${Number.isFinite(most) ? `p99 ≤ ${most} ms; ` : ''}a keystroke waits ≤ ${mostBlocked} ms longer`,
      isMet: p99 <= most && blocked <= mostBlocked,
      why,
    });
  }
  await bot.end();
  return rows;
}

/** Looks one after the other, with a keystroke every 10 ms beside them. */
async function meanwhile(load: Load, look: Task, runs: number): Promise<{ times: number[]; waits: number[] }> {
  const times: number[] = [];
  const waits: number[] = [];
  const [enough, longest] = [10_000, 180_000];
  const from = performance.now();
  for (let run = 0; run < 4 * runs && performance.now() - from < enough; run += 1) {
    const both = await beside(load, look, keystroke, 10, longest);
    times.push(...sound(both.looked, look.command).final);
    waits.push(...both.typed.acknowledged);
  }
  return { times, waits };
}
