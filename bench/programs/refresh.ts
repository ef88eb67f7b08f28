/** Refreshes the panel's list of servers as the bot does, and a bare client reads it: prints what each took, in ms, in turn. */
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { request } from 'undici';
import { sparingly, storeIn } from '../../src/app/inventory.ts';
import { policyFor, rulesOf } from '../../src/app/rules.ts';
import { openRefresh } from '../../src/inventory/refresh.ts';
import { createPanel } from '../../src/panel/client.ts';
import { livePolicy } from '../../src/policy/live.ts';
import { fieldsOf } from '../../src/policy/source.ts';
import { guild, tokens } from '../protocol.ts';

/** The longest that it held the loop, and what it took of a processor. */
interface Took {
  hold: number;
  cpu: number;
}

export type Lap = Record<'bare' | 'ours', Took>;

const { PANEL_URL: url = '', POLICY_FILE: file = '', DATA_DIR: dataDir = '' } = process.env;
const runs = Number(process.argv[2]);
const read = policyFor(readFileSync(file, 'utf8'), guild);
if ('problems' in read) throw new Error('the policy of the bench is wrong');
const { policy } = read;
if (policy.inventory?.source !== 'panel') throw new Error('the policy of the bench lists its servers');
const fields = fieldsOf(policy.inventory);

const panel = createPanel({ url, token: tokens.panel });
const silent = (): void => undefined;
const refresh = await openRefresh({
  inForce: rulesOf(livePolicy(policy)),
  store: storeIn({ dataDir, ledger: 'file' }, { opened: new Promise(() => undefined) }, 'inventory'),
  read: sparingly(panel, () => Promise.resolve()),
  fields: () => fields,
  isHeld: () => true,
  record: silent,
  now: Date.now,
  every: 3_600_000,
  log: { debug: silent, info: silent, warn: silent, error: silent },
});

/** The same rows, and nothing done with them. */
async function bare(): Promise<void> {
  const names = new Map<number, string>();
  for (let [at, last] = [1, 1]; at <= last; at += 1) {
    const { body } = await request(`${url}${fields.path}&results=200&page=${at}`);
    // The panel of the bench answers so.
    const page = JSON.parse(await body.text()) as { last_page: number; data: { id: number; name: string }[] };
    for (const { id, name } of page.data) names.set(id, name);
    last = page.last_page;
  }
}

async function measured(work: () => Promise<unknown>): Promise<Took> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.cpuUsage();
  delay.enable();
  await work();
  delay.disable();
  const { user, system } = process.cpuUsage(before);
  // It counts the millisecond, too, that it waits between two looks.
  return { hold: delay.max / 1e6 - 1, cpu: (user + system) / 1e3 };
}

async function taken(): Promise<void> {
  const came = await refresh.now();
  if (came.kind !== 'taken') throw new Error(`the list was not taken: ${JSON.stringify(came)}`);
}

// So that the code is warm, as in a bot that has run for an hour.
for (let n = 0; n < 3; n += 1) await taken();
const figures: Lap[] = [];
for (let n = 0; n < runs; n += 1) figures.push({ bare: await measured(bare), ours: await measured(taken) });
await refresh.close();
await panel.close();
process.stdout.write(JSON.stringify(figures));
process.exit();
