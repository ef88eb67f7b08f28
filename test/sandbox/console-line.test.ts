import { describe, expect, it } from 'vitest';
import { readLine } from '../../src/sandbox/console/line.ts';

const read = (line: string, threads: string[] = []) =>
  readLine(line, ['alice', 'bob'], ['ops', 'audit', 'random', ...threads]);

describe('a line of the console', () => {
  it.each([
    ['', { kind: 'blank' }],
    ['  \t', { kind: 'blank' }],
    ['help', { kind: 'help' }],
    ['as alice', { kind: 'as', who: 'alice' }],
    ['alice /help', { kind: 'command', who: 'alice', channel: 'ops', text: '/help' }],
    [' BOB  #Audit  /help  me ', { kind: 'command', who: 'bob', channel: 'audit', text: '/help  me' }],
    [
      'bob /firewall flush server:web-1 reason:"two  words"',
      { kind: 'command', who: 'bob', channel: 'ops', text: '/firewall flush server:web-1 reason:"two  words"' },
    ],
    ['bob click Ask again', { kind: 'click', who: 'bob', label: 'Ask again' }],
    ['bob type web-1 ', { kind: 'type', who: 'bob', text: 'web-1' }],
  ])('is read: %j', (line, expected) => {
    expect(read(line)).toEqual(expected);
  });

  it('names a thread as it is called, also with spaces', () => {
    const threads = ['disk', 'Disk full'];
    const typed = { kind: 'command', who: 'bob', text: '/help' };
    expect(read('bob #disk full /help', threads)).toEqual({ ...typed, channel: 'Disk full' });
    expect(read('bob #disk /help', threads)).toEqual({ ...typed, channel: 'disk' });
    expect(read('bob #disks /help', threads)).toMatchObject({ kind: 'wrong' });
  });

  it.each([
    ['dave /help', 'There is no person "dave". The people are alice and bob.'],
    [' /power boot server:web-1', 'Begin with the person who types it, for example: alice /power boot server:web-1'],
    ['as dave', 'There is no person "dave". The people are alice and bob.'],
    ['as', 'Name a person, for example: as alice'],
    ['bob #opps /help', 'There is no channel #opps. The channels are #ops, #audit and #random.'],
    ['bob hello', 'Only commands work here, and they begin with a slash, for example: bob /help'],
    ['bob #random hello', 'Only commands work here, and they begin with a slash, for example: bob /help'],
    ['bob', 'Only commands work here, and they begin with a slash, for example: bob /help'],
    ['bob click', 'Name the button, for example: bob click Confirm'],
    ['bob type', 'Say what bob types, for example: bob type web-1'],
  ])('is refused with the rule: %j', (line, sentence) => {
    expect(read(line)).toEqual({ kind: 'wrong', sentence });
  });
});
