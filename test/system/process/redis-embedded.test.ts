import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectRedis } from '../../../src/redis/connect.ts';
import { startEmbeddedRedis } from '../../../src/redis/embedded.ts';
import { notes } from '../../helpers/ledger/samples.ts';
import { forAll, forThis } from '../../helpers/lives.ts';

const own = forAll(() => startEmbeddedRedis(notes()));

/** What the server answers to one line of somebody who says nothing else. */
async function rawAnswer(url: string, line: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`${line}\r\n`);
  const [reply] = await once(socket, 'data');
  return String(reply);
}

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

describe('The embedded Redis', () => {
  test('listens on 127.0.0.1 with a password of its own, and leaves the signals of the terminal to its parent', async () => {
    const { url, pid } = own;
    process.kill(pid, 'SIGINT');
    process.kill(pid, 'SIGTERM');
    expect(url).toMatch(/^redis:\/\/:[\w-]{32}@127\.0\.0\.1:\d+$/);
    expect(await rawAnswer(url, 'PING')).toMatch(/^-NOAUTH /);
    expect(await rawAnswer(url, 'AUTH guess')).toMatch(/^-WRONGPASS /);
  });

  test('shows its password neither in its command line nor in its environment, and has none of ours', async () => {
    const { url, pid } = own;
    process.env['PANELOPS_TEST_SECRET'] = 'canary';
    onTestFinished(() => void delete process.env['PANELOPS_TEST_SECRET']);
    const server = await forThis(startEmbeddedRedis(notes()));
    for (const child of [pid, server.pid]) {
      const visible = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${child}/${file}`, 'utf8')).join();
      expect(visible).not.toContain(new URL(url).password);
      expect(visible).not.toContain(new URL(server.url).password);
      expect(visible).not.toContain('canary');
    }
  });

  test('comes back empty on the same port with the same password, however often it is killed, and says each once', async () => {
    const log = notes();
    const server = await forThis(startEmbeddedRedis(log));
    const handle = connectRedis(server.url, log);
    onTestFinished(() => handle.close());
    let returns = 0;
    handle.onReturn(() => {
      returns += 1;
    });
    await handle.ready();
    for (const time of [1, 2]) {
      await handle.redis.set('memory', time);
      const { pid } = server;
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => returns, { timeout: 5_000 }).toBe(time);
      expect(await handle.redis.get('memory')).toBeNull();
      expect(server.pid).not.toBe(pid);
      expect(log.lines.filter((line) => line.includes('embedded Redis exited'))).toHaveLength(time);
    }
  });

  test('does not outlive a parent that is killed', async () => {
    const compiled = fileURLToPath(new URL('../../../dist/src/redis/embedded.js', import.meta.url));
    const code = `
      import { startEmbeddedRedis } from ${JSON.stringify(compiled)};
      const quiet = () => undefined;
      const server = await startEmbeddedRedis({ debug: quiet, info: quiet, warn: quiet, error: quiet });
      console.log(server.pid);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const pid = Number(line);
    expect(alive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => alive(pid), { timeout: 10_000 }).toBe(false);
  });
});
