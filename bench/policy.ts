import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alternately, type Group, sound } from './group.ts';
import { createLoad, paced, type Task } from './load.ts';
import { figureOf, quantile, ratioOf, told } from './numbers.ts';
import { profiles, programOf } from './processes.ts';
import type { Lap } from './programs/refresh.ts';
import { lead } from './protocol.ts';
import { openStage, type Stage } from './stage.ts';
import type { Row } from './table.ts';

const servers = 100_000;

/** Words of which each fits some servers, as they are typed. */
const typed = (n: number) => ({ server: ['s', 's-', 's-9', 's-99', 's-4711', '10.1.2', '777'][n % 7] ?? 's' });
const typing: Task = { kind: 'keystroke', command: 'power boot', options: typed };

/** Why a row is missed, and what it would take. */
const why = {
  start:
    'each line is parsed, held against the rules of a server, and placed in the indexes by name, id, address and group, before anything is served. It takes a thread that does so while the list of the run before is in force',
  stored:
    'the list is parsed, its names are counted, and each server is placed in the indexes by name, id, address and group, 5 µs each, before anything is served. It takes a thread, or a start that serves ids before it knows names',
  keys: 'a suggestion among 100,000 servers takes 0.1 to 3 ms, of which most is a look through all names and addresses for a text that few have; the rest the bot with 12 servers takes as well. It takes an index of pieces of names, and a quiet machine',
  hold: 'its own strides take 2 ms. Longer are collections of garbage, 2 to 9 ms, and a map of names that grows, 4 ms, which is copied at once: for a list that differs, the maps of all names, ids and addresses are made anew. It takes maps that are changed where the list is other',
  cpu: 'a quarter are the requests, which a bare read makes as well; as much again is what the maps of names, ids and addresses take, which are made anew for a list that differs; the rest are the search of each page for the token, the digest, and the stored copy. It takes maps that are changed where the list is other',
};

type Name = 'few' | 'many';

/** What a bot lists, and where. */
interface Listing {
  stage: Stage;
  env: Record<string, string>;
}

/** A policy with 100,000 servers, each a line of its CSV file; and one with as many in the list of the panel. */
export const policy: Group = async ({ runs, share }, closing, say) => {
  const count = servers * share;
  const all = `${count.toLocaleString('en-US')} servers`;
  const few = await openStage(closing, { servers: 12 });
  const many = await openStage(closing, { servers: count });
  const inFile = { few: { stage: few, env: {} }, many: { stage: many, env: {} } };
  const inPanel = { few: ofPanel(few, 12), many: ofPanel(many, count) };

  const fileRow = startRow(`${all} in a CSV file: start`, await startsOf(runs, inFile, say), why.start);
  const decision = (of: Listing) => async (): Promise<number> => Number(await saidBy('decide', of));
  const decisions = await alternately(runs, { few: decision(inFile.few), many: decision(inFile.many) });
  const decided = figureOf(decisions.many);

  const laps = await refreshes(inPanel.many, runs);
  await refreshes(inPanel.few, 0);
  const storedRow = startRow('… start from the list of the run before', await startsOf(runs, inPanel, say), why.stored);

  await few.panelops();
  await many.panelops();
  const waits = (stage: Stage) => {
    const load = createLoad(stage.discord);
    return async (): Promise<number> =>
      quantile(sound(await paced(load, typing, 50, 6_000 * share), 'keystrokes').acknowledged, 0.99);
  };
  const keys = await alternately(runs, { few: waits(few), many: waits(many) });
  const key = figureOf(keys.many);
  return [
    fileRow,
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
      why: why.keys,
    },
    refreshRow(`${all} in the panel's list: the longest that a refresh holds the loop`, laps, 'hold', 4),
    refreshRow('… a refresh, of a processor', laps, 'cpu', 1_000),
    storedRow,
  ];
};

/** From the start of the process until it serves, in s. */
function startsOf(runs: number, { few, many }: Record<Name, Listing>, say: (text: string) => void) {
  const started =
    ({ stage, env }: Listing) =>
    async (): Promise<number> => {
      const bot = await stage.panelops(env);
      await bot.end();
      say(`start: ${Math.round(bot.ms)} ms`);
      return bot.ms / 1000;
    };
  return alternately(runs, { few: started(few), many: started(many) });
}

function startRow(what: string, { few, many }: Record<Name, number[]>, reason: string): Row {
  const more = figureOf(many.map((each, run) => each - (few[run] ?? 0)));
  return {
    what,
    baseline: `12 servers ${told(figureOf(few), ' s')}`,
    ours: `${told(more, ' s')} more: ${told(figureOf(many), ' s')}`,
    goal: '≤ 0.3 s more',
    isMet: more.median <= 0.3,
    why: reason,
  };
}

/** A policy whose servers the panel lists, and a folder that keeps the list. */
function ofPanel(stage: Stage, count: number): Listing {
  const [file, data] = [join(stage.dir, 'listed.yaml'), join(stage.dir, 'listed')];
  const rules = [
    `roles: [{ role: "${lead}", name: lead, allow: ["*"] }]`,
    `inventory: { source: panel, preset: virtfusion, path: "/servers?servers=${count}" }`,
    'tiers: [{ group: 1, tier: production }]',
    '',
  ];
  writeFileSync(file, rules.join('\n'), { mode: 0o600 });
  mkdirSync(data, { mode: 0o700 });
  return { stage, env: { POLICY_FILE: file, DATA_DIR: data } };
}

const refreshes = async (of: Listing, runs: number): Promise<Lap[]> =>
  JSON.parse(await saidBy('refresh', of, String(runs)));

function refreshRow(what: string, laps: readonly Lap[], kind: 'hold' | 'cpu', most: number): Row {
  const [ours, bare] = (['ours', 'bare'] as const).map((who) => laps.map((lap) => lap[who][kind])) as [
    number[],
    number[],
  ];
  const figure = figureOf(ours);
  return {
    what,
    baseline: `a bare read ${told(figureOf(bare), ' ms')}`,
    ours: told(figure, ' ms'),
    ratio: ratioOf(ours, bare),
    goal: `≤ ${most.toLocaleString('en-US')} ms`,
    isMet: figure.median <= most,
    why: why[kind],
  };
}

/** What one of the bench's programs says, in a process of its own. */
async function saidBy(program: string, { stage, env }: Listing, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [...profiles, programOf(program), ...args], {
    ...{ env: { ...stage.env, ...env }, cwd: stage.dir, stdio: ['ignore', 'pipe', 'inherit'] as const },
  });
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  await once(child, 'close');
  return said;
}
