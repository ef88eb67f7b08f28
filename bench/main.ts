import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { endWithParent } from '../src/cli/signals.ts';
import { acknowledge } from './acknowledge.ts';
import { burst } from './burst.ts';
import { click } from './click.ts';
import { followUps } from './follow-ups.ts';
import { type Group, smoke, whole } from './group.ts';
import { ledger } from './ledger.ts';
import { memory } from './memory.ts';
import { policy } from './policy.ts';
import { type Closing, closeAll } from './processes.ts';
import { start } from './start.ts';
import { type Row, results } from './table.ts';
import { throughput } from './throughput.ts';
import { trail } from './trail.ts';

/** In the order of the table. */
const groups: Readonly<Record<string, Group>> = {
  ...{ start, acknowledge, click, throughput, burst, trail, memory, ledger, policy },
  'follow-ups': followUps,
};

const top = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const args = process.argv.slice(2);
const extent = args.includes('--smoke') ? smoke : whole;
const asked = args.filter((arg) => arg !== '--smoke');
const strange = asked.filter((name) => !(name in groups));

const versionOf = (name: string): string =>
  String(JSON.parse(readFileSync(top(`${name === '' ? '' : `node_modules/${name}/`}package.json`), 'utf8')).version);

async function run(): Promise<void> {
  const load = loadavg()[0] ?? 0;
  const from = performance.now();
  const rows: Row[] = [];
  for (const [name, group] of Object.entries(groups).filter(([each]) => asked.length === 0 || asked.includes(each))) {
    const closing: Closing = [];
    const began = performance.now();
    say(`${name}`);
    try {
      rows.push(...(await group(extent, closing, (text) => say(`  ${text}`))));
    } finally {
      await closeAll(closing);
    }
    say(`  it took ${Math.round((performance.now() - began) / 1000)} s`);
  }
  const minutes = Number(((performance.now() - from) / 60_000).toFixed(1));
  const versions = {
    panelops: versionOf(''),
    Node: process.versions.node,
    'discord.js': versionOf('discord.js'),
    undici: versionOf('undici'),
  };
  const text = results(rows, { date: new Date().toISOString().slice(0, 10), minutes, versions, load });
  say(`\n${text}`);
  // Part of the table is not the table.
  if (asked.length === 0 && extent === whole) writeFileSync(top('bench/RESULTS.md'), text);
}

endWithParent();
if (strange.length > 0) {
  process.stderr.write(`no such group: ${strange.join(', ')}. There are: ${Object.keys(groups).join(', ')}\n`);
  process.exitCode = 2;
} else await run();
