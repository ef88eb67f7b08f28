import { expect, test } from 'vitest';
import type { NewRunEntry } from '../../src/runs/entry.ts';
import { describeEachPlace } from '../helpers/ledger/places.ts';
import { accepted, intent, outcome, refusal } from '../helpers/ledger/samples.ts';

const server = { id: 101, name: 'web-1' };
const on = (entry: NewRunEntry): NewRunEntry => ({ ...entry, server });
const readBack = (run: string): NewRunEntry => ({
  ...on(accepted(run)),
  kind: 'read-back',
  rules: { interface: 'primary', count: 3, sha256: 'b'.repeat(64) },
});

describeEachPlace('What is read after a change', (places) => {
  test('is recorded once, after the panel took it', async () => {
    const ledger = await places().open();
    await ledger.append([on(intent('a.1'))]);
    expect(await refusal(ledger.append([readBack('a.1')]))).toEqual(['out-of-order', undefined]);
    await ledger.append([on(accepted('a.1'))]);
    await ledger.append([readBack('a.1')]);
    expect(ledger.run('a.1')?.readBack).toMatchObject({ rules: { count: 3 } });
    expect(await refusal(ledger.append([readBack('a.1')]))).toEqual(['second', 3]);
  });

  test('is of no run that the panel refused', async () => {
    const ledger = await places().open();
    await ledger.append([on(intent('a.1')), on(outcome('a.1'))]);
    expect(await refusal(ledger.append([readBack('a.1')]))).toEqual(['out-of-order', 2]);
  });

  test('is refused while another change of that server is under way, and after it', async () => {
    const ledger = await places().open();
    await ledger.append([on(intent('a.1')), on(accepted('a.1'))]);
    await ledger.append([on(intent('b.1'))]);
    expect(await refusal(ledger.append([readBack('a.1')]))).toEqual(['stale', 3]);
    await ledger.append([on(outcome('b.1'))]);
    expect(await refusal(ledger.append([readBack('a.1')]))).toEqual(['stale', 4]);
  });
});
