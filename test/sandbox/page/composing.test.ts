import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLine } from '../../../src/sandbox/discord/line.ts';
import type { Offer } from '../../../src/sandbox/page/client/commands.ts';
import {
  emptyDraft,
  filled,
  lineOf,
  pick,
  remove,
  set,
  typed,
  typedInto,
} from '../../../src/sandbox/page/client/draft.ts';
import { problems } from '../../../src/sandbox/page/client/validate.ts';

const option = { description: '', kind: 3, required: false, completes: false };
const flush: Offer = {
  name: 'firewall flush',
  description: 'Remove all rules',
  options: [
    { ...option, name: 'server', required: true },
    { ...option, name: 'sync', kind: 5 },
    { ...option, name: 'quantity', kind: 4, min: 1, max: 8 },
    { ...option, name: 'interface', choices: [{ name: 'primary', value: 'primary' }] },
    { ...option, name: 'reason', max: 10 },
  ],
};
const wrong = (draft: Parameters<typeof problems>[0]) => Object.fromEntries(problems(draft, () => []));

describe('what is composed', () => {
  it('becomes the command when its whole name was typed, with the required option waiting', () => {
    expect(typed(emptyDraft, '/firewall flush', [flush]).command).toBeUndefined();
    const draft = typed(emptyDraft, '/firewall flush ', [flush]);
    expect(draft.command).toBe(flush);
    expect(draft.values).toEqual([{ name: 'server', text: '' }]);
    expect(draft.at).toBe(0);
  });

  it('takes a whole line as it was copied', () => {
    const draft = typed(emptyDraft, '/firewall flush server:web-1 reason:"two words"', [flush]);
    expect(draft.values).toEqual([
      { name: 'server', text: 'web-1' },
      { name: 'reason', text: 'two words' },
    ]);
    expect(draft.at).toBe(2);
    expect(lineOf(draft)).toBe('/firewall flush server:web-1 reason:"two words"');
  });

  it('takes an option by its name behind the others', () => {
    const draft = typed(filled(flush, { server: 'web-1' }), 'reason:', [flush]);
    expect(draft.values.map(({ name }) => name)).toEqual(['server', 'reason']);
    expect(draft.at).toBe(1);
  });

  it('goes on with another option when its name is typed in one, as somebody types a whole line', () => {
    const letters = [...'server:web-1 reason:two words'];
    const draft = letters.reduce((now, letter) => {
      const value = now.values[now.at];
      return typedInto(now, value?.name ?? '', `${value?.text}${letter}`);
    }, pick(flush));
    expect(lineOf(draft)).toBe('/firewall flush server:web-1 reason:"two words"');
  });

  it('becomes text again when the last option is taken back', () => {
    expect(remove(pick(flush), 0)).toEqual({ ...emptyDraft, text: '/firewall flush' });
  });

  it('is read by Discord as it was meant, whatever the values are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ minLength: 1 }), (server, reason) => {
        const line = lineOf(set(set(pick(flush), 'server', server), 'reason', reason));
        expect(Object.fromEntries(parseLine(line).given)).toEqual({ server, reason });
      }),
    );
  });
});

describe('before it is sent', () => {
  it('what is missing is told at the option', () => {
    expect(wrong(pick(flush))).toEqual({ server: 'This option is required. Specify a value.' });
    expect(wrong(filled(flush, { server: 'web-1' }))).toEqual({});
  });

  it('what does not fit is told at the option', () => {
    const draft = filled(flush, {
      server: 'x',
      sync: 'maybe',
      quantity: '9',
      interface: 'third',
      reason: 'far too long',
    });
    expect(wrong(draft)).toEqual({
      sync: 'Pick True or False.',
      quantity: 'Must be 8 or less.',
      interface: 'Pick one of the choices.',
      reason: 'Must be 10 or fewer characters long.',
    });
    expect(wrong(filled(flush, { server: 'x', quantity: '1.5' }))).toEqual({ quantity: 'Must be a whole number.' });
    expect(wrong(filled(flush, { server: 'x', quantity: '0' }))).toEqual({ quantity: 'Must be 1 or more.' });
  });
});
