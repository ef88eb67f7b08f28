import { expect, it, onTestFinished } from 'vitest';
import { commands } from '../commands/index.ts';
import { openFileLedger } from '../src/ledger/file-store.ts';
import { LedgerUnavailable } from '../src/outcome.ts';
import { pay } from '../src/run/sweep.ts';
import { accepted, folder, intent, notes, outcome, started } from './ledger/samples.ts';
import { quietLog } from './races.ts';
import { followUpsOf } from './stand-ins.ts';

it('An owed outcome is recorded together with what is followed from there on: nothing can come between', async () => {
  const ledger = await openFileLedger({ dir: folder(), log: notes() });
  onTestFinished(() => ledger.close());
  await ledger.append([intent('a.1')]);
  const owed = [accepted('a.1'), started('a.1'), outcome('b.1')];
  let room = 1;
  const append: typeof ledger.append = (entries) => {
    if (room === 0) return Promise.reject(new LedgerUnavailable(new Error('the disk is full')));
    room -= 1;
    return ledger.append(entries);
  };
  const around = { commands, rules: { find: () => undefined }, followUps: followUpsOf(), now: Date.now, log: quietLog };
  const desk = { edit: () => Promise.resolve() };
  await pay({ ...around, desk, owed, ledger: { ...ledger, append } });
  expect(ledger.following().map(({ run }) => run)).toEqual(['a.1']);
  expect(owed.map(({ run }) => run)).toEqual(['b.1']);
});
