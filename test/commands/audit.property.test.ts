import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Card } from '../../src/card.ts';
import { readPagePayload } from '../../src/decide/read-buttons.ts';
import { render } from '../../src/discord/render.ts';
import type { RawOptions } from '../../src/outcome.ts';
import { outcomes } from '../../src/outcome.ts';
import type { Entry, NewRunEntry } from '../../src/runs/entry.ts';
import { checkMessage } from '../../src/sandbox/discord/validate/index.ts';
import { alice as actor, looked as lookedWith, place } from '../helpers/commands/looked.ts';
import { at, commandOf, now } from '../helpers/commands/typed.ts';
import { outsideText, readCard, unseen } from '../helpers/discord/outside.ts';
import { chain, ledgers } from '../helpers/record/entries.ts';
import { ledgerOf } from '../helpers/stand-ins.ts';
import { tries } from '../helpers/tries.ts';

/** The card of a look into a ledger that holds these entries. */
const looked = (id: string, raw: RawOptions, entries: readonly Entry[], part = 0): Promise<Card> =>
  lookedWith(id, raw, { ledger: ledgerOf(entries) }, part);

/** Fails when Discord would not take the card. */
function fits(card: Card): void {
  expect(checkMessage(JSON.parse(JSON.stringify(render(card, 'Sandbox: nothing here is real.'))))).toBeUndefined();
  for (const { id } of card.buttons ?? []) expect(id.length).toBeLessThanOrEqual(100);
}

const looks: readonly [string, RawOptions][] = [
  ['audit.history', {}],
  ['audit.run', { id: 'abc' }],
  ['audit.run', { id: 'def.1' }],
  ['audit.export', { format: 'csv' }],
];

describe('a look into any ledger', () => {
  it.each(looks)('%s %j fits Discord, and turns to its end and back', async (id, raw) => {
    await fc.assert(
      fc.asyncProperty(ledgers, async (entries) => {
        for (let part = 0; ; part += 1) {
          const card = await looked(id, raw, entries, part);
          fits(card);
          expect(card.buttons?.some(({ label }) => label === 'Previous') ?? false).toBe(part > 0);
          if (card.buttons?.some(({ label }) => label === 'Next') !== true) break;
        }
      }),
      { numRuns: tries(60) },
    );
  });

  /** What was said and typed in a run, wherever text from outside can be. */
  const run = (text: string): Extract<NewRunEntry, { kind: 'outcome' }> => ({
    run: 'abc.1',
    kind: 'outcome',
    actor: { ...actor, name: text },
    command: 'power.boot',
    options: { server: '101', reason: text, [`x${text}`]: text },
    server: { id: 101, name: `x ${text}` },
    place: { ...place, message: '1500000000000000001' },
    outcome: 'rejected',
    reason: 'validation',
    said: text,
    undo: { command: 'power.shutdown', options: { reason: text } },
  });

  /** All steps of a run that can hold text from outside. */
  const steps = (text: string): NewRunEntry[] => {
    const { outcome: _, reason: __, said: ___, undo: ____, ...all } = run(text);
    return [
      { ...all, kind: 'asked', expires: '2026-11-20T08:02:00.000Z', typed: text, facts: { rules: text }, says: [text] },
      { ...all, kind: 'confirmed', question: text, owner: text },
      { ...all, kind: 'intent', owner: text, opens: [text], closes: [`whitelist ${text} ${text}`] },
      run(text),
      { ...all, kind: 'resolved', happened: true, why: text },
    ];
  };

  const shown = steps('').flatMap(({ kind }, at) => [
    ['audit.history', kind, at] as const,
    ['audit.run', kind, at] as const,
  ]);

  it.each(shown)('%s shows what is from outside in `%s` as code alone', async (id, _kind, step) => {
    const raw: RawOptions = id === 'audit.run' ? { id: 'abc' } : {};
    const look = async (text: string) => readCard(await looked(id, raw, chain(steps(text).slice(step, step + 1))));
    const plain = (await look('plain')).map(({ outside }) => outside);
    await fc.assert(
      fc.asyncProperty(outsideText, async (text) => {
        const readings = await look(text);
        const hidden = (outside: string): string => outside.replaceAll(/\d+ more/g, 'N more');
        // Texts that are long everywhere leave no room for the last lines, and the card says so.
        const cut = /\n\(N more lines do not fit into a card\)$/;
        const seen = readings.map(({ outside }) => hidden(outside));
        expect(seen.map((text) => text.replace(cut, ''))).toEqual(
          plain.map((text, i) => hidden(text).slice(0, cut.test(seen[i] ?? '') ? seen[i]?.search(cut) : undefined)),
        );
        for (const code of readings.flatMap((each) => each.code)) expect(code).not.toMatch(unseen);
      }),
      { numRuns: tries(100) },
    );
    expect(plain.join(' ')).not.toContain('plain');
  });

  it('with every filter set and ids as long as they get, it is turned by a button that says the same', async () => {
    const many = chain(
      Array.from({ length: 9000 }, (_, i) => ({
        ...run('x'),
        run: `r${i}.1`,
        command: 'hypervisors.resources',
        outcome: 'unavailable' as const,
        server: { id: Number.MAX_SAFE_INTEGER },
        actor: { ...actor, id: '9'.repeat(20) },
      })),
      now,
    );
    const raw = {
      server: String(Number.MAX_SAFE_INTEGER),
      person: '9'.repeat(20),
      command: 'hypervisors.resources',
      outcome: 'unavailable',
      since: '2020-01-01',
    };
    const card = await looked('audit.history', raw, many, 1000);
    fits(card);
    const next = card.buttons?.find(({ label }) => label === 'Next')?.id ?? '';
    const read = readPagePayload(commands, next.slice('page:'.length));
    expect(read).toMatchObject({ part: 1001, command: { id: 'audit.history' } });
    expect(read?.options).toEqual({ ...raw, since: String(Date.UTC(2020, 0, 1) / 1000) });
    expect(commandOf('audit.history').prepare(read?.options ?? {}, at(now)).options).toEqual(read?.options);
    expect(outcomes).toContain('unavailable');
  });

  it('posts no file of more than 8 MiB, and says how to have it', async () => {
    const ledger = (...ids: string[]) =>
      chain(ids.map((id) => ({ ...run('x'), run: id, said: 'y'.repeat(3 * 1024 * 1024) })));
    const card = await looked('audit.export', {}, ledger('a.1', 'b.1', 'c.1'));
    expect([card.state, card.files?.length]).toEqual(['invalid', undefined]);
    const text = card.body.map(({ markup }) => markup).join('\n');
    expect(text).toContain('The file would be larger than 8 MiB, the largest that the bot posts. Nothing was posted.');
    expect(text).toContain('`npm run audit -- export`');
    expect((await looked('audit.export', {}, ledger('a.1', 'b.1'))).files).toHaveLength(1);
  });

  it('takes no button that it did not make', () => {
    for (const forged of [
      'audit.history',
      'audit.history?',
      'audit.history?x',
      'audit.history?-1',
      'audit.history?1&&&&&&1',
      'audit.gone?0',
    ])
      expect(readPagePayload(commands, forged), forged).toBeUndefined();
    expect(readPagePayload(commands, 'audit.history?0&%E0%A4%A&&&99')?.options).toEqual({});
  });
});
