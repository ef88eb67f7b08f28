import { describe, expect, test } from 'vitest';
import type { Rejection } from '../../src/reasons.ts';
import { cardOf, flush, offBoth } from '../helpers/cards/drawing.ts';
import { ends, sends } from '../helpers/cards/story.ts';

describe('Nothing was changed', () => {
  const said = (reason: Rejection): boolean =>
    cardOf('flush', [sends(flush), ends(flush, 'rejected', 1, { reason })]).includes('Nothing was changed.');

  test.each([
    'token-refused',
    'token-lacks-permission',
    'no-backups',
    'protected',
    'tasks-pending',
    'rate-limited',
    'authentication-limited',
    'maintenance',
  ] as const)('is said of %s: the panel did not begin', (reason) => expect(said(reason)).toBe(true));

  test.each(['not-found', 'vlan-not-found', 'conflict', 'validation', 'refused'] as const)(
    'is not said of %s, of which nobody knows it',
    (reason) => expect(said(reason)).toBe(false),
  );
});

test('Several servers that ended unknown: each has its buttons, by its name', () => {
  const both = [1, 2].flatMap((n) => [sends(offBoth, n), ends(offBoth, 'unknown', n, { reason: 'bot-stopped' })]);
  expect(cardOf('offboth', both).filter((line) => /^\[|Say what happened/.test(line))).toEqual([
    'Then press Say what happened. The bot will not send it again.',
    '[Check now: web-1] check:offboth.1',
    '[Say what happened: web-1] say:offboth.1',
    '[Check now: web-2] check:offboth.2',
    '[Say what happened: web-2] say:offboth.2',
    '[Details] details:offboth',
  ]);
});
