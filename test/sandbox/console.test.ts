import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
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
