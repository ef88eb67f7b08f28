import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../helpers/house.ts';
import { until } from '../helpers/messages.ts';

/** Runs a program of node's under hold.sh, as a container does. */
function hold(program: string) {
  const child = spawn('sh', [join(root, 'deploy/hold.sh'), process.execPath, '-e', program]);
  onTestFinished(() => void child.kill('SIGTERM'));
  const said = { out: '', error: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.error += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  return { child, said, ended };
}

/** Says which signals it gets, and ends with 0 on SIGTERM. */
const listens = `
  process.on('SIGHUP', () => console.log('SIGHUP'));
  process.on('SIGTERM', () => { console.log('SIGTERM'); process.exit(0); });
  setInterval(() => undefined, 1000);
  console.log('ready');`;

describe('hold.sh', () => {
  it.each([0, 1, 3])(
    'ends with %i when the bot does, so that Docker starts it again where that helps',
    async (code) => {
      const { ended, said } = hold(`process.exit(${code})`);
      expect(await ended).toBe(code);
      expect(said.error).toBe('');
    },
  );

  it.each([77, 78])('after %i says so and waits, until it is stopped', async (code) => {
    const { child, said, ended } = hold(`process.exit(${code})`);
    await until(() => said.error.includes('\n'), 'the line');
    expect(said.error).toBe(
      `panelops ended with ${code}, and is not started again: the lines above say why. Mend that, and restart the container.\n`,
    );
    // A reload finds nobody, and changes nothing.
    child.kill('SIGHUP');
    expect(child.exitCode).toBeNull();
    child.kill('SIGTERM');
    expect(await ended).toBe(code);
  });

  it('passes on SIGHUP and SIGTERM, and waits for the end', async () => {
    const { child, said, ended } = hold(listens);
    await until(() => said.out.includes('ready'), 'ready');
    child.kill('SIGHUP');
    await until(() => said.out.includes('SIGHUP'), 'SIGHUP');
    child.kill('SIGHUP');
    await until(() => said.out.match(/SIGHUP/g)?.length === 2, 'the second SIGHUP');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(said.out.trim().split('\n')).toEqual(['ready', 'SIGHUP', 'SIGHUP', 'SIGTERM']);
  });

  it('tells Docker of a bot that was killed', async () => {
    const { ended } = hold(`process.kill(process.pid, 'SIGKILL')`);
    expect(await ended).toBe(137);
  });
});
