import { afterEach, describe, expect, it } from 'vitest';
import { openTerminal, plainDiscord } from '../helpers/sandbox/terminal.ts';

const button = (label: string, more: object = {}) => ({
  label,
  customId: label.toLowerCase(),
  disabled: false,
  ...more,
});

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

function sit(world = plainDiscord()) {
  const session = openTerminal(world.discord, { button: 150, answer: 400, quiet: 20 });
  open.push(session.console);
  return { ...world, ...session };
}

describe('the console', () => {
  it.each([
    ['dave /help', 'There is no person "dave". The people are alice, bob, carol and mallory.'],
    ['bob type web-1', 'bob has no open form to type into. Some buttons open one.'],
    ['bob /nonsense', 'There is no command /nonsense.'],
    ['as carol', 'carol sees nothing yet in #ops, #audit and #random.'],
  ])('answers %j with one sentence', async (line, sentence) => {
    const { write, printed, done } = sit();
    write(`${line}\n\n`);
    expect(await printed(`${sentence}\n`)).toBe(`> ${line}\n\n${sentence}\n\n`);
    expect(done).toEqual([]);
  });

  it('escapes control characters', async () => {
    const { write, printed, acts, post } = sit();
    acts((_did, answers) => post('1', 'a\u001b]0;b\u0007\rc\u009b2Jd\ne é', { answers }));
    write('bob /\u001bhelp\n');
    expect(await printed('e é\n')).toBe('> bob /\\x1bhelp\n\n#ops\na\\x1b]0;b\\x07\\x0dc\\x9b2Jd\ne é\n\n');
  });

  it('refuses an unknown label and lists those that can be pressed', async () => {
    const { write, printed, post, done } = sit();
    write('bob click Confirm\n');
    await printed('bob sees no button "Confirm". There is no button to press now.');
    post('1', 'card', { buttons: [button('Confirm', { disabled: true }), button('Cancel'), button('Ask again')] });
    write('bob click Confrim\nbob click Confirm\n');
    await printed('bob sees no button "Confrim". The buttons are Ask again and Cancel.');
    await printed('The button "Confirm" that bob sees can no longer be pressed. The buttons are Ask again and Cancel.');
    expect(done).toEqual([]);
  });
});
