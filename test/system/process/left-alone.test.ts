import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../../helpers/house.ts';
import { entriesIn } from '../../helpers/ledger/reading.ts';
import { until } from '../../helpers/messages.ts';
import { describeAtTerminal } from '../../helpers/setup/terminal.ts';

/** Starts what starts the sandbox's bot, and waits until it serves. */
async function starts(command: string, args: string[]) {
  const dir = mkdtempSync(join(tmpdir(), 'panelops-alone-'));
  const env = { ...process.env, DISCORD_TOKEN: 'sandbox', PANEL_URL: 'sandbox', DATA_DIR: dir, HTTP_PORT: '0' };
  const child = spawn(command, args, { cwd: root, env, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  await until(() => said.includes('ready {'), 'the ready line', 60_000);
  return { child, dir };
}

const lastIn = (dir: string): string | undefined => entriesIn(dir).at(-1)?.kind;

/** Whoever started the bot, and the bot itself: they have the folder in their environment. */
const isLeft = (dir: string): boolean =>
  readdirSync('/proc').some((name) => {
    try {
      return readFileSync(`/proc/${name}/environ`, 'utf8').includes(`DATA_DIR=${dir}`);
    } catch {
      return false;
    }
  });

async function expectStopped(dir: string): Promise<void> {
  await until(() => !isLeft(dir), 'the end of every process');
  expect(lastIn(dir)).toBe('stopped');
}

it('SIGTERM to npm stops the bot in order, although npm sends it only to the shell between them', async () => {
  const { child, dir } = await starts('npm', ['start', '--', '--quiet']);
  expect(lastIn(dir)).toBe('started');
  child.kill('SIGTERM');
  await expectStopped(dir);
});

describeAtTerminal('A bot in a terminal', () => {
  it('stops in order when the terminal is closed, though it can no longer say so', async () => {
    const { child, dir } = await starts('script', ['-qefc', 'node dist/src/main.js', '/dev/null']);
    child.kill('SIGKILL');
    await expectStopped(dir);
  });
});
