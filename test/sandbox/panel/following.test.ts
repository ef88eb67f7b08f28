import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SandboxPanel, startPanel } from '../../../src/sandbox/panel/index.ts';
import { ask } from '../../helpers/sandbox/panel/asking.ts';

const began = Date.parse('2026-11-20T03:00:00Z');
let panel: SandboxPanel;
let time: number;
beforeEach(async () => {
  time = began;
  panel = await startPanel({ now: () => new Date(time), powerMs: 5 });
});
afterEach(() => panel.close());

const read = async (path: string) => {
  const { status, text } = await ask(panel, 'GET', path);
  return status === 200 ? JSON.parse(text).data : status;
};
const data = async (method: string, path: string, body?: unknown) =>
  JSON.parse((await ask(panel, method, path, body)).text).data;

describe('a restore', () => {
  const restore = async (server: number) =>
    (await data('POST', `/servers/${server}/backupManager/restore`, { disks: ['0'] })).jobId;
  const job = (server: number, id: number) => read(`/servers/${server}/backupManager/jobs/${id}`);
  const passes = (seconds: number) => {
    time = began + seconds * 1000;
  };

  test('takes 20 seconds and tells how far it is', async () => {
    const id = await restore(101);
    expect(await job(101, id)).toEqual({ jobId: id, serverId: 101, status: 'running', progress: 0 });
    passes(5);
    expect(await job(101, id)).toEqual({ jobId: id, serverId: 101, status: 'running', progress: 25 });
    passes(19.999);
    expect(await job(101, id)).toEqual({ jobId: id, serverId: 101, status: 'running', progress: 99 });
    passes(20);
    expect(await job(101, id)).toEqual({ jobId: id, serverId: 101, status: 'completed', progress: 100 });
  });

  test('of mail-1 fails half-way and says why, and another one may be started then', async () => {
    const id = await restore(121);
    passes(9.999);
    expect(await job(121, id)).toMatchObject({ status: 'running', progress: 49 });
    passes(10);
    expect(await job(121, id)).toEqual({
      jobId: id,
      serverId: 121,
      status: 'failed',
      progress: 50,
      message: 'Disk 0: a block of the backup is damaged (checksum mismatch).',
    });
    expect(await restore(121)).toBe(id + 1);
  });

  test('of cache-1 sticks at 40 % for ever', async () => {
    const id = await restore(131);
    for (const seconds of [8, 20, 86_400]) {
      passes(seconds);
      expect(await job(131, id)).toEqual({ jobId: id, serverId: 131, status: 'running', progress: 40 });
    }
    const again = await ask(panel, 'POST', '/servers/131/backupManager/restore', { disks: ['0'] });
    expect([again.status, again.text]).toEqual([422, 'Another job is running for this server.']);
  });

  test('of build-1 vanishes half-way', async () => {
    const id = await restore(141);
    passes(9.999);
    expect(await job(141, id)).toMatchObject({ status: 'running' });
    passes(10);
    expect(await job(141, id)).toBe(404);
  });

  test('is found at its own server only, and its id is never given again', async () => {
    const id = await restore(101);
    expect([await job(102, id), await job(101, id + 1), await job(999, id)]).toEqual([404, 404, 404]);
    panel.state.jobs.length = 0;
    expect(await restore(101)).toBe(id + 1);
  });

  test('says what it is told to say', async () => {
    const id = await restore(101);
    const [running] = panel.state.jobs;
    if (running) running.says = { status: 'queued', progress: 0 };
    passes(5);
    expect(await job(101, id)).toEqual({ jobId: id, serverId: 101, status: 'queued', progress: 0 });
  });
});

describe('a queued power action', () => {
  const order = async (server: number, action: string) =>
    (await data('POST', `/servers/${server}/power/${action}`)).queueId;
  const finished = (id: number) => panel.until(() => panel.state.queue.find(({ queueId }) => queueId === id)?.finished);

  test('is unfinished, then finished, and not failed', async () => {
    await panel.close();
    panel = await startPanel({ now: () => new Date(time), powerMs: 60_000 });
    const running = await order(101, 'restart');
    expect(await read(`/queue/${running}`)).toEqual({
      id: 5001,
      action: 'restart',
      serverId: 101,
      hypervisorId: 1,
      started: '2026-11-20T03:00:00+00:00',
      updated: '2026-11-20T03:00:00+00:00',
      finished: null,
      failed: false,
      progress: 0,
      errors: null,
    });
    await panel.close();
    // Three seconds pass as soon as it is in the queue.
    const now = () => new Date(panel.state.queue.length === 0 ? began : began + 3000);
    panel = await startPanel({ now, powerMs: 5 });
    const id = await order(101, 'restart');
    await finished(id);
    expect(await read(`/queue/${id}`)).toMatchObject({
      started: '2026-11-20T03:00:00+00:00',
      updated: '2026-11-20T03:00:03+00:00',
      finished: '2026-11-20T03:00:03+00:00',
      failed: false,
      progress: 100,
    });
  });

  test('of lab-2 to start it fails, with a message and a trace', async () => {
    panel.state.server(202).power = 'stopped';
    const id = await order(202, 'boot');
    await finished(id);
    expect(await read(`/queue/${id}`)).toMatchObject({
      finished: '2026-11-20T03:00:00+00:00',
      failed: true,
      progress: 0,
      errors: {
        exception: {
          message: 'The disk image could not be opened: No space left on device.',
          trace: expect.stringContaining('/opt/panel/app/Jobs/boot.php'),
        },
      },
    });
    expect(panel.state.server(202).power).toBe('stopped');
  });

  test('a shutdown of web-2 stays unfinished until the power is cut; one of web-3 does not', async () => {
    const ignored = await order(102, 'shutdown');
    await finished(await order(103, 'shutdown'));
    expect(await read(`/queue/${ignored}`)).toMatchObject({ finished: null, failed: false });
    expect(panel.state.server(102).power).toBe('running');
    await finished(await order(102, 'poweroff'));
    expect(panel.state.server(102).power).toBe('stopped');
    expect(await read(`/queue/${ignored}`)).toMatchObject({ finished: expect.any(String), failed: false });
  });

  test('is not found under another number, nor at all where the panel has no such read', async () => {
    const id = await order(101, 'restart');
    expect(await read(`/queue/${id + 1}`)).toBe(404);
    await panel.close();
    panel = await startPanel({ queueReads: false });
    expect(await read(`/queue/${await order(101, 'restart')}`)).toBe(404);
  });
});

test('both reads need the token, count towards its limit, meet ordered faults and change nothing', async () => {
  await panel.close();
  panel = await startPanel({ requestsPerMinute: 4 });
  await ask(panel, 'POST', '/servers/101/backupManager/restore', { disks: ['0'] });
  await ask(panel, 'POST', '/servers/101/power/restart');
  const paths = ['/servers/101/backupManager/jobs/9001', '/queue/5001'];
  for (const path of paths) expect((await ask(panel, 'GET', path, undefined, {})).status).toBe(401);
  panel.order({ kind: 'status-before', status: 502, match: { path: '/backupManager/jobs/', changes: false } });
  expect((await ask(panel, 'GET', '/servers/101/backupManager/jobs/9001')).status).toBe(502);
  const left: (string | null)[] = [];
  for (const path of paths) left.push((await ask(panel, 'GET', path)).headers.get('x-ratelimit-remaining'));
  expect(left).toEqual(['1', '0']);
  for (const path of paths) expect((await ask(panel, 'GET', path)).status).toBe(429);
  expect(panel.effects).toHaveLength(2);
});
