import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SandboxPanel, startPanel } from '../../../src/sandbox/panel/index.ts';
import { ask } from '../../helpers/sandbox/panel/asking.ts';

let panel: SandboxPanel;
let time: number;
beforeEach(async () => {
  time = Date.parse('2026-11-20T03:00:00.250Z');
  panel = await startPanel({ requestsPerMinute: 3, now: () => new Date(time) });
});
afterEach(() => panel.close());

const limitsOf = (headers: Headers) =>
  ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'].map((name) => headers.get(name));

test('a token that is used up answers 429 with its headers until the minute is over', async () => {
  for (let count = 0; count < 3; count += 1) expect((await ask(panel, 'GET', '/connect')).status).toBe(200);
  time += 15_000;
  const refused = await ask(panel, 'POST', '/servers/101/power/boot');
  expect(refused.status).toBe(429);
  expect(limitsOf(refused.headers)).toEqual(['3', '0', '1795143661', '45']);
  expect(JSON.parse(refused.text)).toEqual({ errors: [expect.any(String)] });
  expect(panel.effects).toEqual([]);
  time += 45_000;
  const again = await ask(panel, 'GET', '/connect');
  expect([again.status, again.headers.get('x-ratelimit-remaining')]).toEqual([200, '2']);
});

test('ten failed authentications within a minute lock the address out, also with the right token', async () => {
  for (let count = 0; count < 10; count += 1) {
    expect((await ask(panel, 'GET', '/connect', undefined, { authorization: 'Bearer wrong' })).status).toBe(401);
    time += 1000;
  }
  const refused = await ask(panel, 'POST', '/servers/101/power/boot');
  expect(refused.status).toBe(429);
  expect(limitsOf(refused.headers)).toEqual([null, null, null, '50']);
  expect(JSON.parse(refused.text)).toEqual({ errors: [expect.any(String)], retry_after_seconds: 50 });
  expect(panel.effects).toEqual([]);
  time += 50_000;
  expect((await ask(panel, 'GET', '/connect')).status).toBe(200);
});

test('a restore is refused while another one runs for the server, and only for that server', async () => {
  await panel.close();
  panel = await startPanel({ now: () => new Date(time), restoreMs: 5000 });
  const restore = (server: number) => ask(panel, 'POST', `/servers/${server}/backupManager/restore`, { disks: ['0'] });
  const first = await restore(101);
  expect(JSON.parse(first.text).data).toEqual({
    jobId: expect.any(Number),
    serverId: 101,
    hypervisorId: 1,
    type: 'restore',
    status: 'running',
    started: '2026-11-20T03:00:00.250000Z',
  });
  time += 4999;
  const second = await restore(101);
  expect([second.status, second.headers.get('content-type')]).toEqual([422, 'text/plain; charset=utf-8']);
  expect((await restore(112)).status).toBe(200);
  time += 1;
  expect((await restore(101)).status).toBe(200);
  expect(panel.effects.map(({ serverId }) => serverId)).toEqual([101, 112, 101]);
});
