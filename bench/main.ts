import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { endWithParent } from '../src/cli/signals.ts';
import { acknowledge } from './acknowledge.ts';
import { click } from './click.ts';
import { followUps } from './follow-ups.ts';
import { type Group, smoke, whole } from './group.ts';
import { ledger } from './ledger.ts';
import { memory } from './memory.ts';
import { policy } from './policy.ts';
import { type Closing, closeAll, profiles } from './processes.ts';
import { start } from './start.ts';
import { machine, type Results, type Row, results } from './table.ts';
import { takeovers } from './takeover.ts';
import { throughput } from './throughput.ts';

/** In the order of the table. */
const groups: Readonly<Record<string, Group>> = {
  ...{ start, memory, acknowledge, click, throughput, ledger, policy },
  'follow-ups': followUps,
  takeover: takeovers,
};

const top = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const args = process.argv.slice(2);
const switches = ['--smoke', '--profile', '--write'];
const extent = args.includes('--smoke') ? smoke : whole;
const asked = args.filter((arg) => !switches.includes(arg));
const strange = asked.filter((name) => !(name in groups));
/** Part of the table is kept where somebody says so. */
const isKept = extent === whole && profiles.length === 0 && (asked.length === 0 || args.includes('--write'));

const versionOf = (name: string): string =>
  String(JSON.parse(readFileSync(top(`${name === '' ? '' : `node_modules/${name}/`}package.json`), 'utf8')).version);

const node = `Node ${process.versions.node.split('.')[0]}`;
const load = loadavg()[0] ?? 0;
const date = new Date().toISOString().slice(0, 10);
const kept = top('bench/results.json');

/** All that is known, with what this group has just measured on this Node. */
function resultsWith(known: Results, name: string, minutes: number, rows: readonly Row[]): Results {
  const versions = {
    ...{ panelops: versionOf(''), Node: process.versions.node },
    ...{ 'discord.js': versionOf('discord.js'), undici: versionOf('undici') },
  };
  const measured = { ...known[node]?.groups, [name]: { date, minutes, load, rows } };
  return { ...known, [node]: { machine: machine(), versions, groups: measured } };
}

async function run(): Promise<void> {
  // Written here.
  let all: Results = isKept && existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Results) : {};
  for (const [name, group] of Object.entries(groups).filter(([each]) => asked.length === 0 || asked.includes(each))) {
    const closing: Closing = [];
    const began = performance.now();
    say(name);
    try {
      const rows = await group(extent, closing, (text) => say(`  ${text}`));
      all = resultsWith(all, name, (performance.now() - began) / 60_000, rows);
    } catch (error) {
      // The others are worth having.
      say(`  ${error instanceof Error ? error.stack : String(error)}`);
      process.exitCode = 1;
    } finally {
      await closeAll(closing);
    }
    say(`  it took ${Math.round((performance.now() - began) / 1000)} s`);
    if (!isKept) continue;
    // After each group, so that nothing is lost where a later one is stopped.
    writeFileSync(kept, `${JSON.stringify(all, undefined, 1)}\n`);
    writeFileSync(top('bench/RESULTS.md'), results(all, Object.keys(groups)));
  }
  say(`\n${results(all, Object.keys(groups))}`);
}

endWithParent();
if (strange.length > 0) {
  process.stderr.write(`no such group: ${strange.join(', ')}. There are: ${Object.keys(groups).join(', ')}\n`);
  process.exitCode = 2;
} else await run();
