import { describe, expect, test } from 'vitest';
import type { DrawParts } from '../../src/cards/draw.ts';
import { render } from '../../src/cards/render/index.ts';
import { tiersOf } from '../../src/cards/render/parts.ts';
import type { RawOptions } from '../../src/outcome.ts';
import type { NewRunEntry } from '../../src/runs/entry.ts';
import {
  cardOf,
  confirmed,
  describeCards,
  drawing,
  flush,
  offBoth,
  question,
  running,
} from '../helpers/cards/drawing.ts';
import { asks, bob, ends, textOf } from '../helpers/cards/story.ts';

describeCards('A question', [
  {
    title: 'that would not fit a card keeps a line for each part, so that what comes first is never left out',
    of: 'flush',
    history: [
      asks(flush, 1, { ...question, says: ['All rules go.', '**Cannot be undone.**', 'Disk 0.', 'x'.repeat(1_500)] }),
    ],
    card: [
      'QUESTION /firewall flush · web-1 (101, production)',
      'All rules go.',
      '**Cannot be undone.**',
      'Disk 0.',
      'x'.repeat(1_500),
      'Nothing is sent until <@1100000000000000001> confirms. Runs out <t:1795125720:R>.',
      '[Flush web-1] confirm:flush.seal-of-confirm',
      '[Cancel] cancel:flush.seal-of-cancel',
    ],
  },
  {
    title: 'has its first sentence as the fact, and goes on in order',
    of: 'flush',
    history: [asks(flush, 1, { ...question, says: ['Rule no. 7 goes. It is the last.', '4 rules are set now.'] })],
    card: [
      'QUESTION /firewall flush · web-1 (101, production)',
      'Rule no. 7 goes.',
      'It is the last.',
      '4 rules are set now.',
      'Nothing is sent until <@1100000000000000001> confirms. Runs out <t:1795125720:R>.',
      '[Flush web-1] confirm:flush.seal-of-confirm',
      '[Cancel] cancel:flush.seal-of-cancel',
    ],
  },
  {
    title: 'of the first release, which did not record what it said, is asked in the words of today',
    of: 'flush',
    history: [asks(flush)],
    card: [
      'QUESTION /firewall flush · web-1 (101, production)',
      'All firewall rules of web-1 (101), primary interface, will be removed.',
      '**Cannot be undone.**',
      'Nothing is sent until <@1100000000000000001> confirms. Runs out <t:1795125720:R>.',
      '[Flush web-1] confirm:flush.seal-of-confirm',
      '[Cancel] cancel:flush.seal-of-cancel',
    ],
  },
  {
    title: 'is under way once it is confirmed',
    of: 'flush',
    history: [asks(flush, 1, question), confirmed(flush)],
    card: [
      'WORKING /firewall flush · web-1 (101, production)',
      'Flush the rules of web-1 · primary',
      'Under way; no result yet.',
    ],
  },
  {
    title: 'that was cancelled says by whom',
    of: 'flush',
    history: [
      asks(flush),
      ends({ ...flush, by: bob }, 'cancelled', 1, {
        reason: 'cancelled',
        detail: 'Cancelled by <@1100000000000000002>.',
      }),
    ],
    hasDetails: false,
    signed: 'Reason: `customer asked` · Asked by <@1100000000000000001>',
    card: [
      'CANCELLED /firewall flush · web-1 (101, production)',
      'Nothing was sent.',
      'Cancelled by <@1100000000000000002>.',
      'Asked for: Flush the rules of web-1 · primary.',
    ],
  },
  {
    title: 'that ran out can be asked again',
    of: 'flush',
    history: [asks(flush), ends(flush, 'expired', 1, { reason: 'expired' })],
    hasDetails: false,
    signed: 'Reason: `customer asked` · Asked by <@1100000000000000001>',
    card: [
      'EXPIRED /firewall flush · web-1 (101, production)',
      'Not done: Flush the rules of web-1 · primary.',
      'Nobody confirmed in time.',
      'Nothing was sent.',
      '[Ask again] again:flush',
    ],
  },
]);

const restoring = 'A restore of web-1 (101) is being followed.';
const warned = (n: number) => ({
  ...question,
  says: [...question.says, 'Applied to the running server at once.', 'Not touched: the secondary interface.'],
  warns: Array.from({ length: n }, (_, at) => ({ run: `other${at}.1`, says: `**Warning ${at + 1}.** ${restoring}` })),
});

describeCards('A question that warns has two lines of body, the last for that', [
  {
    title: 'with one warning',
    of: 'flush',
    history: [asks(flush, 1, warned(1))],
    card: [
      'QUESTION /firewall flush · web-1 (101, production)',
      'All firewall rules of web-1 (101), primary interface, will be removed.',
      '4 rules are set now. Applied to the running server at once. Not touched: the secondary interface.',
      `**Warning 1.** ${restoring}`,
      'Nothing is sent until <@1100000000000000001> confirms. Runs out <t:1795125720:R>.',
      '[Flush web-1] confirm:flush.seal-of-confirm',
      '[Cancel] cancel:flush.seal-of-cancel',
    ],
  },
  {
    title: 'with more warnings than fit',
    of: 'flush',
    history: [asks(flush, 1, warned(3))],
    card: [
      'QUESTION /firewall flush · web-1 (101, production)',
      'All firewall rules of web-1 (101), primary interface, will be removed.',
      '4 rules are set now. Applied to the running server at once. Not touched: the secondary interface.',
      `**Warning 1.** ${restoring} 2 more runs there had not ended: see /handover.`,
      'Nothing is sent until <@1100000000000000001> confirms. Runs out <t:1795125720:R>.',
      '[Flush web-1] confirm:flush.seal-of-confirm',
      '[Cancel] cancel:flush.seal-of-cancel',
    ],
  },
]);

describe('A question about several servers', () => {
  test('says in its first line which tiers they are in', () => {
    const [first] = cardOf('offboth', [asks(offBoth, 1, { says: ['Both.'] }), asks(offBoth, 2)]);
    expect(first).toBe('QUESTION /firewall disable · 2 servers (2 production)');
  });

  test.each([
    [[{ id: 1, name: 'a', tier: 'production' }], undefined],
    [
      [
        { id: 1, name: 'a', tier: 'lab' },
        { id: 2, name: 'b', tier: 'production' },
        { id: 3, name: 'c', tier: 'lab' },
      ],
      '3 servers (2 lab, 1 production)',
    ],
    [[{ id: 1, name: 'a' }, { id: 2 }], "2 servers (1 without a tier, 1 not in the policy's list)"],
  ])('counts them: %j', (servers, said) => {
    expect(tiersOf(servers)?.markup).toBe(said);
  });
});

describe('What cannot be undone', () => {
  const first = (command: string, options: RawOptions): string | undefined =>
    drawing([], {})
      .parts.prepare({ command, options: { server: '101', ...options } })
      ?.question([])
      .map(({ markup }) => markup)
      .at(1);

  test.each([
    ['firewall.flush', {}],
    ['firewall.replace', { rulesets: '1' }],
    ['whitelist.remove', { address: '192.0.2.0' }],
    ['traffic.add', { month: 1, amount: 5 }],
    ['backup.restore', { disks: '0' }],
    ['vlan.set', { vlan: 7, trunk: 1 }],
  ])('%s says so before anybody confirms', (command, options) => {
    expect(first(command, options)).toMatch(/^\*\*Cannot be undone\.\*\*/);
  });

  test.each([
    ['firewall.disable', {}],
    ['ipv4.add', { addresses: '192.0.2.7' }],
    ['power.poweroff', {}],
    ['cpu.throttle', { percent: 50 }],
  ])('%s can be, or may be', (command, options) => {
    expect(first(command, options) ?? '').not.toContain('Cannot be undone');
  });
});

describe('No card', () => {
  test('is made of what was denied', () => {
    expect(
      cardOf('flush', [{ ...ends(flush, 'denied', 1, { reason: 'denied' }), kind: 'denied' } as NewRunEntry]),
    ).toEqual(['no card']);
  });

  test('is made of what nobody typed', () => {
    expect(cardOf('flush', [])).toEqual(['no card']);
  });
});

describe('Who is pinged at the end of a restore', () => {
  const lines = (recipients: DrawParts['recipients']): string[] => {
    const { parts, known } = drawing(running, { 'restore.1': { word: 'running' } });
    const of = known('restore');
    return of === undefined ? [] : textOf(render(of, { ...parts, recipients }));
  };

  test('is said as the policy has it', () => {
    expect(lines((news, requester) => (news.includes('restore') ? [requester, '&12'] : []))).toContain(
      'Started <t:1795125720:R> as job 17. <@1100000000000000001> and <@&12> will be pinged when it ends.',
    );
  });

  test('is not promised where the policy pings nobody', () => {
    expect(lines(() => [])).toContain('Started <t:1795125720:R> as job 17.');
  });
});
