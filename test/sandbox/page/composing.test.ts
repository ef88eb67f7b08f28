import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLine } from '../../../src/sandbox/discord/line.ts';
import type { Offer } from '../../../src/sandbox/page/client/commands.ts';
import { emptyDraft, filled, lineOf, pick, set, typed } from '../../../src/sandbox/page/client/draft.ts';
import { typoAt, typoText } from '../../../src/sandbox/page/client/typo.ts';
import { problems } from '../../../src/sandbox/page/client/validate.ts';

const option = { description: '', kind: 3, required: false, completes: false };
const flush: Offer = {
  name: 'firewall flush',
  description: 'Remove all rules',
  options: [
    { ...option, name: 'server', required: true, completes: true },
    { ...option, name: 'sync', kind: 5 },
    { ...option, name: 'quantity', kind: 4, min: 1, max: 8 },
    { ...option, name: 'interface', choices: [{ name: 'primary', value: 'primary' }] },
    { ...option, name: 'reason', max: 10 },
  ],
};
const wrong = (draft: Parameters<typeof problems>[0]) => Object.fromEntries(problems(draft, () => []));

describe("the composer's line", () => {
  it('keeps text that is no option visible, and corrects a mistyped option', () => {
    const draft = typed(emptyDraft, '/firewall flush server:web-1 resaon:"two words"', [flush]);
    expect([draft.values, draft.text, draft.at]).toEqual([
      [{ name: 'server', text: 'web-1' }],
      'resaon:"two words"',
      1,
    ]);
    const typo = typoAt(draft, flush);
    expect(typo && typoText(typo)).toBe('There is no option resaon. Did you mean reason?');
    expect(lineOf(typo?.corrected ?? draft)).toBe('/firewall flush server:web-1 reason:"two words"');
    expect(typoAt(typed(emptyDraft, '/firewall flush server:web-1 colour:x', [flush]), flush)).toBeUndefined();
  });

  it('finds a mistyped option inside another value, but not every word with a colon', () => {
    const inServer = set(pick(flush), 'server', 'web-1 resaon:x');
    expect(wrong(inServer)).toEqual({ server: 'There is no option resaon. Did you mean reason?' });
    const mended = typoAt(inServer, flush, 0)?.corrected;
    expect(mended && lineOf(mended)).toBe('/firewall flush server:web-1 reason:x');
    const itself = typoAt(set(pick(flush), 'server', 'servr:web-2'), flush, 0)?.corrected;
    expect(itself && lineOf(itself)).toBe('/firewall flush server:web-2');
    for (const value of ['tier:staging', '2001:db8::1', 'web-*', 'group:2'])
      expect(wrong(set(pick(flush), 'server', value))).toEqual({});
    expect(wrong(filled(flush, { server: 'x', reason: 'a sync:x' }))).toEqual({});
    expect(wrong(filled(flush, { server: 'x', reason: 'the snc: x' }))).toEqual({});
    expect(wrong(filled(flush, { server: 'x', reason: 'x snyc:no' }))).toEqual({
      reason: 'There is no option snyc. Did you mean sync? If you mean it as text, put a space after the colon.',
    });
  });

  it('is parsed by Discord as it was meant, whatever the values are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ minLength: 1 }), (server, reason) => {
        const line = lineOf(set(set(pick(flush), 'server', server), 'reason', reason));
        expect(Object.fromEntries(parseLine(line).options)).toEqual({ server, reason });
      }),
    );
  });
});

describe('before it is sent', () => {
  it('reports a missing value at its option', () => {
    expect(wrong(pick(flush))).toEqual({ server: 'This option is required. Specify a value.' });
    expect(wrong(filled(flush, { server: 'web-1' }))).toEqual({});
  });

  it('reports an invalid value at its option', () => {
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
