import { expect, it } from 'vitest';
import { sources } from '../helpers/house.ts';

const modules = [...sources('commands'), ...sources('src')].filter(({ path }) => !path.startsWith('src/sandbox/'));

const using = (pattern: RegExp, folder = ''): string[] =>
  modules.flatMap(({ path, text }) => (path.startsWith(folder) && pattern.test(text) ? [path] : []));

it('Only the shell answers people: what it decides, a read, a start, and who is over the limit', () => {
  expect(using(/\breply\.(?:acknowledge|ask|defer|isShared|refuse|share|show|think|whisper)\(/)).toEqual([
    'src/shell/act.ts',
    'src/shell/answer-read.ts',
    'src/shell/index.ts',
    'src/shell/start.ts',
  ]);
});

it('Only the shell records what comes of commands and presses', () => {
  expect(using(/\.append\(/, 'commands/')).toEqual([]);
  expect(using(/\.append\(/, 'src/decide/')).toEqual([]);
  expect(using(/\.append\(/, 'src/shell/')).toEqual([
    'src/shell/carry-out.ts',
    // Intents and outcomes, also of what an earlier process left behind, or the ledger could not take.
    ...['src/shell/change.ts', 'src/shell/outbox.ts'],
    // What /freeze and its like do, with the tools that commands get.
    ...['src/shell/read.ts', 'src/shell/recovery.ts'],
  ]);
});

it('A change leaves in one place, and people read through another; the other calls are looks by the bot itself', () => {
  expect(using(/\bpanel\.call\(/)).toEqual([
    'src/check/at-start.ts',
    'src/panel/probe.ts',
    'src/shell/change.ts',
    'src/shell/read.ts',
  ]);
});
