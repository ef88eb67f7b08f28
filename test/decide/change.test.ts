import { expect, it } from 'vitest';
import { ReadFailed } from '../../src/command.ts';
import { decideChange } from '../../src/decide/command.ts';
import type { Decision, Found } from '../../src/decide/decision.ts';
import { alice, bob, type Scene, scene, told } from '../helpers/decide/scene.ts';

const web1 = { server: 'web-1' };
const settings = [{ says: [], facts: { rules: 4 } }];
const failed = new ReadFailed({ kind: 'unknown', reason: 'timeout' });

const decides = (
  here: Scene,
  command: string,
  found: Found = { settings },
  how: Partial<Parameters<typeof decideChange>[1]> = {},
  denied?: string,
): Decision => decideChange(here.snapshot, { ...here.workOf(alice, command, web1), ...how }, found, denied);

it.each<[string, (here: Scene) => Decision, string]>([
  ['looks before it asks', (here) => decides(here, 'firewall.flush', {}), 'looks at settings'],
  ['asks', (here) => decides(here, 'firewall.flush'), 'records asked'],
  [
    'does not ask where the look failed',
    (here) => decides(here, 'firewall.flush', { settings: failed }),
    'records not-sent look-failed',
  ],
  ['looks before it sends without a question', (here) => decides(here, 'power.boot', {}), 'looks at settings'],
  ['sends without one', (here) => decides(here, 'power.boot'), 'records , then sends'],
  [
    'asks others after a denial',
    (here) => decides(here, 'firewall.flush', { settings }, {}, 'inv9.1'),
    'records requested',
  ],
  [
    'asks nothing while the trail has trouble',
    (here) => {
      here.snapshot.trail = { ...here.snapshot.trail, troubles: () => [{ reason: 'trail-behind', words: 'x' }] };
      return decides(here, 'firewall.flush');
    },
    'records unavailable trail-behind',
  ],
  [
    'asks nothing about a server that somebody holds',
    (here) => {
      here.record({
        kind: 'held',
        actor: bob,
        place: here.place,
        server: { id: 101 },
        until: '2026-11-20T22:00:00.000Z',
        why: 'x',
      });
      return decides(here, 'firewall.flush');
    },
    'records blocked held',
  ],
  [
    'asks all the same with break-glass, and closes what waited',
    (here) => {
      const over = here.asks(alice, 'firewall.flush', web1);
      return decides(here, 'firewall.flush', { settings }, { breakGlass: { why: 'x', over } });
    },
    'records asked, cancelled',
  ],
  [
    'ends with break-glass where what waited has gone on',
    (here) => {
      const over = here.asks(alice, 'firewall.flush', web1);
      here.does(alice, 'cancel', over);
      return decides(here, 'firewall.flush', { settings }, { breakGlass: { why: 'x', over } });
    },
    'records not-sent went-on',
  ],
])('A change whose card is there %s', (_what, decided, expected) => {
  expect(told(decided(scene()))).toContain(expected);
});

it('A change of which the ledger has an entry is not done twice', () => {
  const here = scene();
  const invocationId = here.asks(alice, 'firewall.flush', web1);
  expect(decides(here, 'firewall.flush', { settings }, { invocationId })).toEqual({ kind: 'append', entries: [] });
});
