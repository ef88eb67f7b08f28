import { expect, it } from 'vitest';
import { ReadFailed } from '../../src/command.ts';
import { alice, as, bob, carol, dora, type Scene, scene, told } from '../helpers/decide/scene.ts';

const unchanged = { found: { settings: [{ facts: { rules: 4 }, says: [] }] } };

/** Bob may not flush, and asks those who may. */
function asked(here: Scene): string {
  const denial = here.denies(bob, 'firewall.flush', { server: 'web-1', reason: 'locked out' });
  return here.requests(bob, denial);
}

it('looks at the server first, then asks whoever pressed it', () => {
  const here = scene();
  const id = asked(here);
  expect(told(here.presses(alice, 'accept', id))).toBe('looks at settings');
  expect(told(here.does(alice, 'accept', id, unchanged))).toBe('records asked');
  expect(here.state(id)).toMatchObject({ requested: { actor: { name: 'bob' } }, asked: { actor: { name: 'alice' } } });
  expect(told(here.presses(alice, 'confirm', id))).toBe('records confirmed, then sends');
});

it.each<[string, (here: Scene, id: string) => ReturnType<Scene['presses']>, string]>([
  [
    'what was read for it has changed',
    (here, id) => here.presses(alice, 'accept', id, { found: { settings: [{ facts: { rules: 5 }, says: [] }] } }),
    'records not-sent changed-since',
  ],
  [
    'the server cannot be read',
    (here, id) => {
      const settings = new ReadFailed({ kind: 'unknown', reason: 'timeout' });
      return here.presses(alice, 'accept', id, { found: { settings } });
    },
    'records not-sent look-failed',
  ],
  [
    'it is frozen',
    (here, id) => {
      const place = { guild: '1', channel: '2' };
      here.record({ kind: 'frozen', actor: dora, until: '2026-11-20T22:00:00.000Z', why: 'x', place });
      return here.presses(alice, 'accept', id, unchanged);
    },
    'records blocked frozen',
  ],
])('where %s', (_what, pressed, expected) => {
  const here = scene();
  expect(told(pressed(here, asked(here)))).toBe(expected);
});

it.each<[string, (here: Scene, id: string) => ReturnType<Scene['presses']>, string]>([
  [
    'by the requester, who may not run it',
    (here, id) => here.presses(bob, 'accept', id),
    'denies DENIED /firewall flush',
  ],
  [
    'by the requester, who may run it by now',
    (here, id) => here.presses(as(bob, 'lead'), 'accept', id),
    'You asked for this, so somebody else must approve it. You may now run it yourself: type the command.',
  ],
  ['by somebody who may not', (here, id) => here.presses(carol, 'accept', id), 'denies DENIED /firewall flush'],
  [
    'once the policy lets nobody ask others',
    (here, id) => {
      here.changePolicy('ask-others: on', 'ask-others: off');
      return here.presses(alice, 'accept', id);
    },
    'The policy no longer lets anybody ask others. Nothing was sent.',
  ],
  [
    'after somebody else, also while the look took long',
    (here, id) => {
      here.does(dora, 'accept', id, unchanged);
      return here.presses(alice, 'accept', id, unchanged);
    },
    '<@1400000000000000005> was faster. Your click changed nothing.',
  ],
  [
    'after it was declined',
    (here, id) => {
      here.does(dora, 'decline', id, { typed: 'not at night' });
      return here.presses(alice, 'accept', id);
    },
    'This request is no longer open. Your click changed nothing.',
  ],
  [
    'after 15 minutes',
    (here, id) => {
      here.passes(15 * 60_000);
      return here.presses(alice, 'accept', id);
    },
    'This request is no longer open.',
  ],
])('is refused %s', (_what, pressed, expected) => {
  const here = scene();
  expect(told(pressed(here, asked(here)))).toContain(expected);
});

it.each<[string, (here: Scene, id: string) => ReturnType<Scene['presses']>, string]>([
  [
    'asks whoever may run it for a note',
    (here, id) => here.presses(alice, 'decline', id),
    'asks /firewall flush · web-1 | A note to whoever asked',
  ],
  [
    'asks the requester why',
    (here, id) => here.presses(bob, 'decline', id),
    'asks /firewall flush · web-1 | Why withdraw it?',
  ],
  [
    'is recorded for the requester',
    (here, id) => here.presses(bob, 'decline', id, { typed: 'x' }),
    'records cancelled',
  ],
  [
    'is recorded where the policy lets nobody ask others any more',
    (here, id) => {
      here.changePolicy('ask-others: on', 'ask-others: off');
      return here.presses(alice, 'decline', id, { typed: 'x' });
    },
    'records cancelled',
  ],
  ['is recorded with the note', (here, id) => here.presses(alice, 'decline', id, { typed: 'no' }), 'records cancelled'],
  [
    'needs a note that somebody can see',
    (here, id) => here.presses(alice, 'decline', id, { typed: '\u200b \u2060' }),
    'Say why. Nothing was declined.',
  ],
  ['is not for those who may not run it', (here, id) => here.presses(carol, 'decline', id), 'DENIED /firewall flush'],
])('Decline %s', (_what, pressed, expected) => {
  const here = scene();
  expect(told(pressed(here, asked(here)))).toContain(expected);
});
