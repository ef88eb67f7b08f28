import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readLine } from '../../src/sandbox/console/line.ts';
import { startConsole } from '../../src/sandbox/console.ts';
import { startDiscord } from '../../src/sandbox/discord/index.ts';
import { until } from '../helpers/messages.ts';
import { call } from '../helpers/sandbox/discord/raw.ts';

const greetingEnds = 'Type help for more.\n\n';

/** Somebody at the console of a Discord: `write` is the keyboard, and `printed` the screen below the greeting, once it has `end`. */
async function sit() {
  const discord = await startDiscord();
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  let text = '';
  output.on('data', (chunk: string) => {
    text += chunk;
  });
  const session = startConsole(discord, input, output, { button: 150, answer: 400, quiet: 20 });
  onTestFinished(async () => {
    session.close();
    await discord.close();
  });
  const below = (): string => text.slice(text.indexOf(greetingEnds) + greetingEnds.length);
  return {
    write: (lines: string) => void input.write(lines),
    printed: (end: string) =>
      until(
        () => below().includes(end) && below(),
        () => `${end} in ${below()}`,
      ),
    /** A message of the bot in #ops. */
    posts: (message: object) => call(discord, 'POST', `/channels/${discord.channels.ops}/messages`, message),
  };
}

describe('the console', () => {
  it.each([
    ['dave /help', 'There is no person "dave". The people are alice, bob, carol and mallory.'],
    ['bob type web-1', 'bob has no open form to type into. Some buttons open one.'],
    ['bob /nonsense', '/nonsense: there is no such command. There are no commands yet.'],
    ['as carol', 'carol sees nothing yet in #ops, #audit and #random.'],
  ])('answers %j with one sentence', async (line, sentence) => {
    const { write, printed } = await sit();
    write(`${line}\n\n`);
    expect(await printed(`${sentence}\n`)).toBe(`> ${line}\n\n${sentence}\n\n`);
  });

  it('escapes control characters', async () => {
    const { write, printed, posts } = await sit();
    await posts({ content: 'a\u001b]0;b\u0007\rc\u009b2Jd\ne é' });
    write('as \u001bcarol\n');
    const screen = await printed('e é\n');
    expect(screen).toContain('> as \\x1bcarol\n\nThere is no person "\\x1bcarol".');
    expect(screen).toContain('#ops\npanelops: a\\x1b]0;b\\x07\\x0dc\\x9b2Jd\n  e é\n');
    expect(screen).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it('refuses an unknown label and lists those that can be pressed', async () => {
    const { write, printed, posts } = await sit();
    write('bob click Confirm\n');
    await printed('bob sees no button "Confirm". There is no button to press now.');
    const button = (label: string, disabled = false) => ({ type: 2, style: 2, label, custom_id: label, disabled });
    const components = [button('Confirm', true), button('Cancel'), button('Ask again')];
    await posts({ content: 'card', components: [{ type: 1, components }] });
    write('bob click Confrim\nbob click Confirm\n');
    await printed('bob sees no button "Confrim". The buttons are Ask again and Cancel.');
    await printed('The button "Confirm" that bob sees can no longer be pressed. The buttons are Ask again and Cancel.');
  });
});

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
