import { expect, it, onTestFinished } from 'vitest';
import { commands } from '../../commands/index.ts';
import { type Card, own } from '../../src/card.ts';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import { showNow } from '../../src/run/retire.ts';
import { accepted, folder, intent, notes, started, step } from '../ledger/samples.ts';
import { followUpsOf } from '../stand-ins.ts';

it('A card that is shown again does not come over the last word of what ended while it was made', async () => {
  const ledger = await openFileLedger({ dir: folder(), log: notes() });
  onTestFinished(() => ledger.close());
  await ledger.append([intent('a.1')]);
  await ledger.append([accepted('a.1'), started('a.1')]);
  const shown: string[] = [];
  /** Drawn from what was so before, as where Redis is slow to say what was seen last. */
  const card = async (stem: string): Promise<Card> => {
    const end = ledger.runs(stem)[0]?.followUp?.ended;
    if (end === undefined) await ledger.append([step('a.1', 'ended', { end: 'finished' })]);
    return { state: end === undefined ? 'accepted' : 'finished', command: '/backup restore', body: [own('')] };
  };
  const followUps = { ...followUpsOf(), card };
  const parts = { ledger, commands, rules: { find: () => undefined }, followUps, now: Date.now };
  await showNow(parts, 'a', ({ state }) => Promise.resolve(void shown.push(state)));
  expect(shown).toEqual(['finished']);
});
