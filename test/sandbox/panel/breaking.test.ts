import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Fault, type SandboxPanel, startPanel } from '../../../src/sandbox/panel/index.ts';
import { ask } from '../../helpers/sandbox/panel/asking.ts';

let panel: SandboxPanel;
let time: number;
beforeEach(async () => {
  time = Date.parse('2026-11-20T03:00:00.250Z');
  panel = await startPanel({ requestsPerMinute: 30, now: () => new Date(time) });
});
afterEach(() => panel.close());

const status = async (method: string, path: string, body?: unknown) => (await ask(panel, method, path, body)).status;

test('wrong-token: the token is refused as it is documented, nothing is done, and nobody is locked out', async () => {
  const fault: Fault = { kind: 'wrong-token', times: 0 };
  panel.order(fault);
  for (let count = 0; count < 12; count += 1) expect(await status('POST', '/servers/101/power/boot')).toBe(401);
  const restore = await ask(panel, 'POST', '/servers/101/backupManager/restore', { disks: ['0'] });
  expect([restore.status, restore.text, panel.effects]).toEqual([401, '', []]);
  await panel.cancel(fault);
  expect(await status('GET', '/connect')).toBe(200);
});

test('a fault that is taken back is gone, and the others stay', async () => {
  const faults: Fault[] = [
    { kind: 'status-before', status: 418, times: 0 },
    { kind: 'status-before', status: 503, times: 0 },
  ];
  for (const fault of faults) panel.order(fault);
  const [first = { kind: 'slow' }] = faults;
  expect([await status('GET', '/connect'), panel.isOrdered(first)]).toEqual([418, true]);
  await panel.cancel(first);
  expect([await status('GET', '/connect'), panel.isOrdered(first)]).toEqual([503, false]);
  expect(panel.isOrdered({ kind: 'status-before', status: 503, times: 0 })).toBe(false);
});

test('a refusal of connections that is taken back ends at once', async () => {
  const fault: Fault = { kind: 'refuse' };
  panel.order(fault);
  await expect(ask(panel, 'GET', '/connect')).rejects.toThrow();
  await panel.cancel(fault);
  expect(await status('GET', '/connect')).toBe(200);
});

test('a token that somebody else used up says 429 for a minute', async () => {
  expect([await status('GET', '/connect'), panel.isExhausted()]).toEqual([200, false]);
  panel.exhaust();
  const refused = await ask(panel, 'GET', '/connect');
  expect([refused.status, refused.headers.get('retry-after'), panel.isExhausted()]).toEqual([429, '60', true]);
  time += 59_999;
  expect(await status('GET', '/connect')).toBe(429);
  time += 1;
  expect([panel.isExhausted(), await status('GET', '/connect')]).toEqual([false, 200]);
});

test('the clock of restores ends those that run, as they would have ended; stuck ones stay stuck', async () => {
  const jobOf = async (server: number): Promise<string> => {
    const { text } = await ask(panel, 'POST', `/servers/${server}/backupManager/restore`, { disks: ['0'] });
    return `/servers/${server}/backupManager/jobs/${JSON.parse(text).data.jobId}`;
  };
  // web-1 finishes, mail-1 fails, cache-1 sticks.
  const jobs = [await jobOf(101), await jobOf(121), await jobOf(131)];
  const states = async () =>
    Promise.all(jobs.map(async (path) => JSON.parse((await ask(panel, 'GET', path)).text).data.status));
  expect(await states()).toEqual(['running', 'running', 'running']);
  panel.endRestores();
  expect(await states()).toEqual(['completed', 'failed', 'running']);
});

test('only a request that changed something says what', async () => {
  await ask(panel, 'GET', '/connect');
  await ask(panel, 'POST', '/servers/101/power/boot');
  await ask(panel, 'POST', '/servers/999/power/boot');
  expect(panel.requests.map(({ effect }) => effect)).toEqual([undefined, 'boot of web-1 (101) queued', undefined]);
});
