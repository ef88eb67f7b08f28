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

  it('types a command in #ops or where it is told to, and prints the answer', async () => {
    const { write, printed, done, acts, post } = sit();
    acts((did, answers) => post(answers.slice(1), `answer to ${did}`, { channel: did.split(' ')[1] ?? '', answers }));
    write('Alice /firewall flush server:web-1 reason:"two words"\nbob #random /help\n');
    expect(await printed('to bob random /help\n')).toBe(`> Alice /firewall flush server:web-1 reason:"two words"

#ops
answer to alice ops /firewall flush server:web-1 reason:"two words"

> bob #random /help

#random
answer to bob random /help

`);
    expect(done).toEqual(['alice ops /firewall flush server:web-1 reason:"two words"', 'bob random /help']);
  });

  it('clicks the newest button of the label that the person sees and can press, in any channel', async () => {
    const { write, printed, done, acts, post } = sit();
    const link = button('Confirm', { customId: '' });
    post('100', 'old', { buttons: [button('Confirm')] });
    post('300', 'newest for bob', { channel: 'random', buttons: [button('Confirm', { customId: 'bobs' }), link] });
    post('400', 'over', { buttons: [button('Confirm', { disabled: true })] });
    post('500', 'private', { only: 'alice', buttons: [button('Confirm', { customId: 'alices' })] });
    acts((did) => post('600', did));
    write('bob click confirm\nalice click Confirm\n');
    await printed('alice clicks');
    expect(done).toEqual(['bob clicks 300 bobs', 'alice clicks 500 alices']);
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

  it('shows a form that opens, and sends what is typed into it', async () => {
    const { write, printed, done, acts, post, forms, changed } = sit();
    post('1', 'CONFIRM?', { buttons: [button('Confirm')] });
    acts((did) => {
      if (did.includes('submits')) {
        delete forms['bob'];
        return post('1', 'ACCEPTED');
      }
      forms['bob'] = { title: 'Restore web-1', inputs: [{ label: 'Name of the server', placeholder: 'web-1' }] };
      changed();
    });
    write('bob click Confirm\nbob type web-1\n');
    expect(await printed('ACCEPTED')).toBe(`> bob click Confirm

#ops
CONFIRM?

bob has a form open: Restore web-1
  Name of the server: (web-1)
Answer with: bob type TEXT

> bob type web-1

#ops (changed)
ACCEPTED

`);
    expect(done).toEqual(['bob clicks 1 confirm', 'bob submits web-1']);
  });

  it('shows all channels with something in them as a person sees them', async () => {
    const { write, printed, post } = sit();
    post('1', 'for all');
    post('2', 'for alice', { only: 'alice' });
    post('3', 'trail', { channel: 'audit' });
    await printed('trail');
    write('as carol\n');
    expect((await printed('as carol\n\n#ops\nfor all\n\n#audit\ntrail\n')).split('> as carol')[1]).toBe(
      '\n\n#ops\nfor all\n\n#audit\ntrail\n\n',
    );
  });
});
