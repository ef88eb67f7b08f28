import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type PanelOptions, type SandboxPanel, startPanel } from '../../../src/sandbox/panel/index.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { ask } from '../../helpers/sandbox/panel/asking.ts';

const november = Date.parse('2026-11-20T03:00:00Z');

/** A folder in which panels are started, each on what one of the others, the last when left out, has written so far. */
function panelsInTurn() {
  const dir = folder();
  let lives = 0;
  return async (options: PanelOptions = {}, from = lives): Promise<SandboxPanel> => {
    lives += 1;
    const path = join(dir, `${lives}.json`);
    if (from > 0) copyFileSync(join(dir, `${from}.json`), path);
    const kept = { path, onTrouble: (problem: string) => expect.fail(problem) };
    const panel = await startPanel({ now: () => new Date(november), ...options, kept });
    onTestFinished(() => panel.close());
    return panel;
  };
}

const changes: [method: string, path: string, body?: object][] = [
  ['POST', '/servers/101/firewall/primary/disable'],
  ['POST', '/servers/101/firewall/secondary/rules?sync=true', { rulesets: [1, 2] }],
  ['POST', '/servers/101/networkWhitelist', { interface: 'primary', ip: '2001:db8::', cidr: 48 }],
  ['DELETE', '/servers/101/networkWhitelist', { interface: 'primary', ip: '203.0.113.128' }],
  ['POST', '/servers/101/ipv4Qty', { interface: 'primary', quantity: 2 }],
  ['POST', '/servers/121/ipv4', { ip: ['203.0.113.105'] }],
  ['DELETE', '/servers/101/ipv4', { ip: ['203.0.113.5'] }],
  ['PUT', '/servers/131/modify/cpuThrottle', { percent: 50 }],
  ['POST', '/servers/101/traffic/blocks', { month: 2, amount: 500 }],
  ['PUT', '/servers/101/interfaces/primary/vlans/7', { nativeMode: 1 }],
  ['POST', '/servers/101/backupManager/restore', { disks: ['0', '1'], diskChains: { 0: 17 } }],
  ['POST', '/servers/131/backupManager/restore', { disks: ['0'] }],
  ['POST', '/servers/202/power/boot'],
  ['POST', '/servers/102/power/shutdown'],
  ['POST', '/servers/103/power/poweroff'],
];

test('after a kill, the panel has every change that it answered', async () => {
  const next = panelsInTurn();
  const first = await next({ powerMs: 1 });
  for (const [method, path, body] of changes) {
    const { status } = await ask(first, method, path, body);
    expect([path, status < 300]).toEqual([path, true]);
    const { server, port, ...state } = (await next({ powerMs: 60_000 }, 1)).state;
    const { port: its, ...before } = JSON.parse(JSON.stringify(first.state), dated);
    expect(state).toEqual(before);
  }
});

/** JSON has dates as text; those of billing periods are text in the panel, too. */
const dated = (key: string, value: unknown): unknown =>
  ['started', 'ends', 'finished'].includes(key) && typeof value === 'string' ? new Date(value) : value;

test('a restore went on while the panel was off', async () => {
  const next = panelsInTurn();
  await ask(await next(), 'POST', '/servers/101/backupManager/restore', { disks: ['0'] });
  const later = await next({ now: () => new Date(november + 20_000) });
  const { text } = await ask(later, 'GET', '/servers/101/backupManager/jobs/9001');
  expect(JSON.parse(text).data).toMatchObject({ status: 'completed', progress: 100 });
});
