import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runHere } from '../helpers/here.ts';

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
