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
});
