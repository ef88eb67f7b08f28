import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fromClient, readLines, written } from '../../src/terminal/protocol.ts';
import { runHere } from '../helpers/here.ts';
import { folder } from '../helpers/ledger/samples.ts';

/** The exit code and what is printed, for arguments that start nothing. */
async function run(...args: string[]) {
  const { code, stdout: out, stderr: error } = await runHere(args, {}, '/');
  return { code, out, error };
}

describe('panelops on the command line', () => {
  it('prints its version', async () => {
    expect(await run('--version')).toEqual({ code: 0, out: '1.2.3\n', error: '' });
  });

  it('lists its commands', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    expect([...out.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name)).toEqual([
      'start',
      'setup',
      'sandbox',
      'check',
      'register',
      'policy',
      'audit',
      'do',
      'status',
      'approve',
      'cancel',
    ]);
  });

  it.each([
    [['sart'], "error: unknown command 'sart'\n(Did you mean start?)\n"],
    [['--quite'], "error: unknown option '--quite'\n(Did you mean --quiet?)\n"],
    [['start', 'now'], "error: too many arguments for 'start'. Expected 0 arguments but got 1.\n"],
    [['regster'], "error: unknown command 'regster'\n(Did you mean register?)\n"],
    [['audit', 'backup'], "error: required option '--out <file>' not specified\n"],
    [['audit', 'restore'], "error: required option '--from <file>' not specified\n"],
    [['--role=worker'], "error: unknown option '--role=…'\n"],
    [['audit', 'verifi'], "error: unknown command 'verifi'\n(Did you mean verify?)\n"],
    [['audit', 'verify', '--loud'], "error: unknown option '--loud'\n"],
    [['audit', 'export', '--fromat', 'csv'], "error: unknown option '--fromat'\n(Did you mean --format?)\n"],
    [['audit', 'export', 'csv'], "error: too many arguments for 'export'. Expected 0 arguments but got 1.\n"],
    [
      ['audit', 'export', '--format', 'pdf'],
      "error: option '--format <format>' argument 'pdf' is invalid. Allowed choices are jsonl, csv, md.\n",
    ],
  ])('%j is refused with 78, and with the right word', async (args, error) => {
    expect(await run(...args)).toEqual({ code: 78, out: '', error });
  });

  it('shows the commands of audit where one is missing', async () => {
    const { code, error } = await run('audit');
    expect(code).toBe(78);
    expect([...error.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name)).toEqual([
      'verify',
      'export',
      'backup',
      'restore',
    ]);
  });

  it('never repeats an argument that may be a secret', async () => {
    // What begins with -h or -V asks for help or the version.
    const isSecret = (text: string): boolean => /[A-Z0-9._]/.test(text) && !/^-[hV]/.test(text);
    const secret = fc.stringMatching(/^[A-Za-z0-9._-]{8,40}$/).filter(isSecret);
    const place = fc.constantFrom(
      (text: string) => [`--token=${text}`],
      (text: string) => [text],
      (text: string) => [`--${text}`],
      (text: string) => ['audit', text],
      (text: string) => ['audit', 'export', '--format', text],
    );
    await fc.assert(
      fc.asyncProperty(secret, place, async (text, at) => {
        const { code, error } = await run(...at(text));
        expect(code).toBe(78);
        expect(error).not.toContain(text);
      }),
    );
  });
});

/** A bot that answers whatever it is asked with one card, and keeps what that was. */
async function botThatAnswers(card: { state: string; text: string; code: number }) {
  const place = folder();
  const socket = join(place, 'shell.sock');
  const asked: unknown[] = [];
  const bot = createServer((client) => {
    const proof = { nonce: '0'.repeat(64), file: join(place, `panelops-${'0'.repeat(32)}`) };
    client.write(written({ kind: 'prove', ...proof }));
    const take = (message: object): void => {
      asked.push(message);
      client.write(written({ kind: 'card', ...card, buttons: [] }));
    };
    readLines(client, fromClient, 'client', take, () => client.destroy());
  }).listen(socket);
  await once(bot, 'listening');
  onTestFinished(() => void bot.close());
  return { socket, asked };
}

describe('what the running bot does', () => {
  const card = { state: 'blocked', text: 'BLOCKED', code: 2 };
  const line = 'power restart server:web-1';
  const run = '9kq3v1x7m2a';
  it.each([
    [['do', line], { what: 'do', line }],
    [['do', line, '--reason', 'it hangs'], { what: 'do', line, reason: 'it hangs' }],
    [['do', line, '--dry-run'], { what: 'do', line, dryRun: true }],
    [['do', line, '--json'], { what: 'do', line }],
    [['status'], { what: 'status' }],
    [['status', '--json'], { what: 'status' }],
    [['approve', run], { what: 'approve', run }],
    [['cancel', run], { what: 'cancel', run }],
  ])('is asked for by %j, and its card is printed, and its code is the exit code', async (args, ask) => {
    const { socket, asked } = await botThatAnswers(card);
    const { code, stdout } = await runHere(args, { SHELL_SOCKET: socket }, '/', true);
    expect(asked).toEqual([{ kind: 'here', ask, isTerminal: !args.includes('--json') }]);
    expect(code).toBe(2);
    if (args.includes('--json')) expect(JSON.parse(stdout)).toEqual({ kind: 'card', ...card, buttons: [] });
    else expect(stdout).toBe('BLOCKED\n');
  });
});
