import { endWithParent } from '../../src/cli/signals.ts';
import { leftOut, modeOf, type Options, readOptions, usage } from './options.ts';
import { randomOf } from './random.ts';
import { type Result, soak } from './run.ts';
import type { Mode } from './stage.ts';
import { sum, type Tally } from './tally.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** The share of a seed's time in which things break; the rest is for coming to rest. */
const stormy = 0.6;
const longestRest = 120_000;
const longestLinger = 15_000;

const described = ({ ledger, redis, processes, audit, tls }: Mode): string =>
  [`ledger ${ledger}`, `redis ${redis}`, `processes ${processes}`, audit && 'trail', tls && 'tls']
    .filter((word) => word !== false)
    .join(', ');

/** Runs one seed in its share of the time that is left. */
async function runSeed(options: Options, seed: number, ms: number): Promise<Result> {
  const random = randomOf(seed);
  const mode = modeOf(options, random);
  const plan = {
    seed,
    mode,
    commands: random.between(60, 150),
    ms: ms * stormy,
    linger: longestLinger,
    rest: longestRest,
  };
  const from = performance.now();
  const result = await soak(plan);
  const [commands, runs, lives] = ['commands', 'runs', 'lives of the bot'].map((of) => result.tally.counts.get(of));
  const seconds = Math.round((performance.now() - from) / 1000);
  say(
    `seed ${seed} (${described(mode)}): ${commands} commands, ${runs} runs, ${lives} lives, ${seconds} s, ${result.findings.length} findings`,
  );
  for (const story of result.stories)
    say(`\nFINDING, seed ${seed} (${described(mode)})\n  again: ${again(options, seed)}\n${story}\n`);
  return result;
}

const again = ({ ledger, processes, minutes, seeds }: Options, seed: number): string =>
  [
    `npm run soak -- --seed ${seed} --minutes ${Math.max(1, Math.ceil(minutes / seeds.length))} --ledger ${ledger}`,
    ...(processes === undefined ? [] : [`--processes ${processes}`]),
  ].join(' ');

const table = (title: string, counts: ReadonlyMap<string, number>): string[] => [
  title,
  ...[...counts].sort(([a], [b]) => a.localeCompare(b)).map(([name, count]) => `  ${name.padEnd(28)} ${count}`),
];

function summarize(results: readonly Result[], asked: number): void {
  const all = (of: keyof Tally) => sum(results.map(({ tally }) => tally[of]));
  const seeds = results.length < asked ? `${results.length} of ${asked}: the time was over` : `${results.length}`;
  say(`${'seeds'.padEnd(30)} ${seeds}`);
  say(table('deeds', all('counts')).join('\n'));
  say(table('faults', all('faults')).join('\n'));
  say(table('outcomes', all('outcomes')).join('\n'));
  say(`${'findings'.padEnd(30)} ${results.flatMap(({ findings }) => findings).length}`);
  for (const each of leftOut()) say(`left out: ${each}`);
}

async function run(options: Options): Promise<number> {
  const end = performance.now() + options.minutes * 60_000;
  const results: Result[] = [];
  for (const [index, seed] of options.seeds.entries()) {
    const left = end - performance.now();
    if (left <= 0) break;
    results.push(await runSeed(options, seed, left / (options.seeds.length - index)));
  }
  summarize(results, options.seeds.length);
  return results.some(({ findings }) => findings.length > 0) ? 1 : 0;
}

function asked(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\nusage: ${usage}\n`);
    return undefined;
  }
}

endWithParent();
const options = asked();
process.exitCode = options === undefined ? 2 : await run(options);
