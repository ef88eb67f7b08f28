import { expect, test } from 'vitest';
import type { Entry, NewEntry, NewRunEntry } from '../../src/runs/entry.ts';
import { describeEachPlace } from '../helpers/ledger/places.ts';
import { asked, confirmed, intent, outcome, refusal } from '../helpers/ledger/samples.ts';

type Of<K extends NewEntry['kind']> = Extract<NewEntry, { kind: K }>;

const person = (name: string, n: number) => ({ id: `110000000000000000${n}`, name, roles: ['1200000000000000003'] });
const [alice, bob, carol] = [person('alice', 1), person('bob', 2), person('carol', 3)];
const freeze: NewEntry = {
  ...{ kind: 'frozen', actor: carol, until: '2026-11-19T23:00:00.000Z', why: 'migration' },
  place: { guild: '1000000000000000001', channel: '1300000000000000001' },
};

/** The ledger's clock stands at 22:00. Bob asks. */
const wanting = (approvals: number): NewRunEntry => {
  const entry = asked('a.1');
  return entry.kind === 'asked' ? { ...entry, approvals } : entry;
};
const confirmation = ([entry]: readonly Entry[], until = '22:15'): NewRunEntry => {
  const made = confirmed({ run: 'a.1', hash: entry?.hash ?? '' });
  return made.kind === 'confirmed' ? { ...made, until: `2026-11-19T${until}:00.000Z` } : made;
};
const approved = ([entry]: readonly Entry[], actor = alice, own: Partial<Of<'approved'>> = {}): NewEntry => ({
  ...intent('a.1'),
  ...{ kind: 'approved', actor, question: entry?.hash ?? '', owner: '0e2031b0f508033f', ...own },
});
const ending = (how: 'cancelled' | 'expired'): NewEntry => {
  const made = outcome('a.1');
  return made.kind === 'outcome' ? { ...made, outcome: how, reason: how } : made;
};

describeEachPlace('A question that wants an approval', (places) => {
  test('is carried out after it, and not before', async () => {
    const ledger = await places().open();
    const question = await ledger.append([wanting(1)]);
    await ledger.append([confirmation(question)]);
    expect(await refusal(ledger.append([intent('a.1')]))).toEqual(['out-of-order', 2]);
    await ledger.append([approved(question)]);
    expect(await refusal(ledger.append([intent('a.1')]))).toMatchObject([{ kind: 'intent' }]);
  });

  test('is not approved before Confirm, also in the same append', async () => {
    const ledger = await places().open();
    const question = await ledger.append([wanting(1)]);
    expect(await refusal(ledger.append([approved(question)]))).toEqual(['out-of-order', 1]);
    expect(await refusal(ledger.append([approved(question), confirmation(question)]))).toEqual(['out-of-order', 1]);
  });

  test.each([
    ['by the requester', approved, bob, {}, ['second', 1]],
    ['of another question', approved, alice, { question: 'b'.repeat(64) }, ['out-of-order', 1]],
  ] as const)('is not approved %s', async (_what, make, actor, own, refused) => {
    const ledger = await places().open();
    const question = await ledger.append([wanting(1)]);
    await ledger.append([confirmation(question)]);
    expect(await refusal(ledger.append([make(question, actor, own)]))).toEqual(refused);
  });

  test('is not approved when its time is over', async () => {
    const ledger = await places().open();
    const question = await ledger.append([wanting(1)]);
    await ledger.append([confirmation(question, '22:00')]);
    expect(await refusal(ledger.append([approved(question)]))).toEqual(['expired', 2]);
  });

  test('of two people wants two, not one twice', async () => {
    const ledger = await places().open();
    const question = await ledger.append([wanting(2)]);
    await ledger.append([confirmation(question)]);
    await ledger.append([approved(question, alice)]);
    expect(await refusal(ledger.append([approved(question, alice)]))).toEqual(['second', 3]);
    expect(await refusal(ledger.append([approved(question, carol), approved(question, carol)]))).toEqual(['second', 4]);
    expect(await refusal(ledger.append([intent('a.1')]))).toEqual(['out-of-order', 2]);
    await ledger.append([approved(question, carol)]);
    expect(await refusal(ledger.append([approved(question, person('dora', 4))]))).toEqual(['second', 4]);
    expect(await refusal(ledger.append([intent('a.1')]))).toMatchObject([{ kind: 'intent' }]);
  });

  test('is not approved while a freeze or a hold is in force', async () => {
    const ledger = await places().open();
    const question = await ledger.append([wanting(1)]);
    await ledger.append([confirmation(question)]);
    await ledger.append([freeze]);
    expect(await refusal(ledger.append([approved(question)]))).toEqual(['stopped', 3]);
  });

  test.each(['cancelled', 'expired'] as const)('is %s until the last approval, and not after it', async (how) => {
    const ledger = await places().open();
    const question = await ledger.append([wanting(1)]);
    await ledger.append([confirmation(question)]);
    expect(await refusal(ledger.append([approved(question), ending(how)]))).toEqual(['second', 3]);
    await ledger.append([ending(how)]);
    expect(await refusal(ledger.append([approved(question)]))).toEqual(['second', 3]);
    expect(await refusal(ledger.append([intent('a.1')]))).toEqual(['second', 3]);
  });
});

describeEachPlace('A question that wants none', (places) => {
  test('takes no approval, and is carried out after Confirm as ever', async () => {
    const ledger = await places().open();
    const question = await ledger.append([asked('a.1')]);
    await ledger.append([confirmed({ run: 'a.1', hash: question[0]?.hash ?? '' })]);
    expect(await refusal(ledger.append([approved(question)]))).toEqual(['second', 2]);
    expect(await refusal(ledger.append([intent('a.1')]))).toMatchObject([{ kind: 'intent' }]);
  });
});
