import { describe, expect, it } from 'vitest';
import { idAt } from '../../src/outcome.ts';
import type { Kind } from '../../src/runs/entry.ts';
import { foundWords } from '../../src/view/finding.ts';

const guild = '1100000000000000001';
const alice = { id: '1400000000000000001', name: 'alice', roles: [] };
const bot = { id: '1000000000000000001', name: 'panelops', roles: [] };
const noticed = '2026-11-22T12:01:00.000Z';
/** In Discord's audit log. */
const logged = idAt(Date.parse('2026-11-22T12:00:00.000Z'));
const now = '<t:1795348860:R>';

const of = { kind: 'tampered', seq: 40, time: noticed, prev: '', hash: '', channel: '1300000000000000002' } as const;
const words = (found: Omit<Kind<'tampered'>, keyof typeof of>): string => foundWords({ ...of, ...found }, guild).markup;
const link = '[message](https://discord.com/channels/1100000000000000001/1300000000000000002/7)';

describe('what people read of a finding', () => {
  it.each<[string, Omit<Kind<'tampered'>, keyof typeof of>, string]>([
    [
      'whom an earlier release took from the audit log of Discord is named',
      { finding: 'deleted', actor: alice, message: '7', from: 4, to: 6, attributed: { [logged]: 3 } },
      `entries 4 to 6: deleted from the channel by <@1400000000000000001>, noticed ${now}. The ledger still has them.`,
    ],
    [
      'nobody is named where Discord names nobody',
      { finding: 'deleted', actor: bot, unsaid: true, message: '7', from: 4, to: 4 },
      `entry 4: deleted from the channel, noticed ${now}. The ledger still has it.`,
    ],
    [
      'entries that the ledger does not have are not said to be there',
      { finding: 'deleted', actor: alice, message: '7', from: 30, to: 356 },
      `entries 30 to 356: deleted from the channel by <@1400000000000000001>, noticed ${now}.`,
    ],
    [
      'of what only the audit log told of, nobody knows which messages it was',
      { finding: 'deleted', actor: alice, message: logged, attributed: { [logged]: 60 } },
      `messages of the trail were deleted by <@1400000000000000001>, noticed ${now}.`,
    ],
    [
      'a gap is told with the message behind it',
      { finding: 'missing', actor: bot, message: '7', from: 4, to: 6 },
      `entries 4 to 6: gone from the channel, before this ${link}, noticed ${now}. The ledger still has them.`,
    ],
    [
      'a contradiction is told with all of its entries',
      { finding: 'ahead', actor: bot, message: '7', from: 30, to: 356 },
      `entries 30 to 356, up to this ${link}: the ledger does not have that as it was posted: it was cut off, rewritten or replaced, noticed ${now}.`,
    ],
  ])('%s', (_what, found, told) => {
    expect(words(found)).toBe(`Finding 40: ${told}`);
  });
});
