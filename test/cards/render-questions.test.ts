import { describe, expect, test } from 'vitest';
import type { NewRunEntry } from '../../src/runs/entry.ts';
import { cardOf, confirmed, describeCards, flush, question } from '../helpers/cards/drawing.ts';
import { asks, bob, ends } from '../helpers/cards/story.ts';

describeCards('A question', [
  {
    title: 'asks, and says who confirms and until when',
    of: 'flush',
    history: [asks(flush, 1, question)],
    card: [
      'QUESTION /firewall flush · web-1 (101, production)',
      'All firewall rules of web-1 (101), primary interface, will be removed.',
      '4 rules are set now.',
      'Nothing is sent until <@1100000000000000001> confirms. Runs out <t:1795125720:R>.',
      'Reason: `customer asked`',
      'By <@1100000000000000001>',
      '[Flush web-1] confirm:flush.seal-of-confirm',
      '[Cancel] cancel:flush.seal-of-cancel',
      'run flush',
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
      'Reason: `customer asked`',
      'By <@1100000000000000001>',
      '[Flush web-1] confirm:flush.seal-of-confirm',
      '[Cancel] cancel:flush.seal-of-cancel',
      'run flush',
    ],
  },
  {
    title: 'may want something typed',
    of: 'flush',
    history: [asks(flush, 1, { ...question, typed: 'web-1' })],
    card: [
      'QUESTION /firewall flush · web-1 (101, production)',
      'All firewall rules of web-1 (101), primary interface, will be removed.',
      '4 rules are set now.',
      'Nothing is sent until <@1100000000000000001> confirms by typing `web-1`. Runs out <t:1795125720:R>.',
      'Reason: `customer asked`',
      'By <@1100000000000000001>',
      '[Flush web-1] typed:flush.seal-of-typed',
      '[Cancel] cancel:flush.seal-of-cancel',
      'run flush',
    ],
  },
  {
    title: 'of the first release, which did not record what it said, is asked in the words of today',
    of: 'flush',
    history: [asks(flush)],
    card: [
      'QUESTION /firewall flush · web-1 (101, production)',
      'All firewall rules of web-1 (101), primary interface, will be removed.',
      'Applied to the running server at once.',
      'Not touched: the secondary interface, and every other server.',
      'Nothing is sent until <@1100000000000000001> confirms. Runs out <t:1795125720:R>.',
      'Reason: `customer asked`',
      'By <@1100000000000000001>',
      '[Flush web-1] confirm:flush.seal-of-confirm',
      '[Cancel] cancel:flush.seal-of-cancel',
      'run flush',
    ],
  },
  {
    title: 'is under way once it is confirmed',
    of: 'flush',
    history: [asks(flush, 1, question), confirmed(flush)],
    card: [
      'WORKING /firewall flush · web-1 (101, production)',
      'Flush the rules of web-1 · primary',
      'Under way; nothing is known yet.',
      'Reason: `customer asked`',
      'By <@1100000000000000001>',
      'run flush',
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
    card: [
      'CANCELLED /firewall flush · web-1 (101, production)',
      'Nothing was sent.',
      'Cancelled by <@1100000000000000002>.',
      'Asked for: Flush the rules of web-1 · primary',
      'Reason: `customer asked`',
      'Asked by <@1100000000000000001>',
      'run flush',
    ],
  },
  {
    title: 'that ran out can be asked again',
    of: 'flush',
    history: [asks(flush), ends(flush, 'expired', 1, { reason: 'expired' })],
    card: [
      'EXPIRED /firewall flush · web-1 (101, production)',
      'Nobody confirmed in time.',
      'Nothing was sent.',
      'Asked for: Flush the rules of web-1 · primary',
      'Reason: `customer asked`',
      'Asked by <@1100000000000000001>',
      '[Ask again] again:flush',
      'run flush',
    ],
  },
]);

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
