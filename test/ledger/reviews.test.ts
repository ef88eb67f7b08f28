import { expect, test } from 'vitest';
import type { Entry, NewEntry, NewRunEntry } from '../../src/runs/entry.ts';
import { describeEachPlace } from '../helpers/ledger/places.ts';
import { asked, confirmed, intent, outcome, refusal } from '../helpers/ledger/samples.ts';

const person = (name: string, n: number) => ({ id: `110000000000000000${n}`, name, roles: ['1200000000000000003'] });
const [alice, carol] = [person('alice', 1), person('carol', 3)];

/** Bob asks. */
const question = (glass?: string): NewRunEntry => {
  const entry = asked('a.1');
  return entry.kind === 'asked' && glass !== undefined ? { ...entry, glass } : entry;
};
const confirmation = ([entry]: readonly Entry[]): NewRunEntry => confirmed({ run: 'a.1', hash: entry?.hash ?? '' });
const reviewed = (actor = alice): NewEntry => ({ ...intent('a.1'), kind: 'reviewed', actor, why: 'fine' });
const author = { ...asked('a.1').actor, roles: ['1200000000000000002'] };

describeEachPlace('What was done with break-glass', (places) => {
  test('is reviewed once it is known how it ended, by somebody else, and once', async () => {
    const ledger = await places().open();
    const first = await ledger.append([question('nobody answers')]);
    expect(await refusal(ledger.append([reviewed()]))).toEqual(['out-of-order', 1]);
    await ledger.append([confirmation(first)]);
    expect(await refusal(ledger.append([reviewed()]))).toEqual(['out-of-order', 1]);
    expect(ledger.unreviewed()).toEqual([]);
    await ledger.append([intent('a.1')]);
    expect(ledger.unreviewed().map(({ run }) => run)).toEqual(['a.1']);
    // Not before it is known how it ended.
    expect(await refusal(ledger.append([reviewed()]))).toEqual(['out-of-order', 1]);
    await ledger.append([outcome('a.1')]);
    expect(await refusal(ledger.append([reviewed(author)]))).toEqual(['second', 1]);
    expect(await refusal(ledger.append([reviewed(alice), reviewed(carol)]))).toEqual(['second', 5]);
    await ledger.append([reviewed()]);
    expect(ledger.unreviewed()).toEqual([]);
    expect(await refusal(ledger.append([reviewed(carol)]))).toEqual(['second', 5]);
  });

  test('and nothing else is', async () => {
    const ledger = await places().open();
    const first = await ledger.append([question()]);
    await ledger.append([confirmation(first), intent('a.1')]);
    expect(await refusal(ledger.append([reviewed()]))).toEqual(['out-of-order', 1]);
    expect(ledger.unreviewed()).toEqual([]);
  });
});
