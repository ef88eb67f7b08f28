import { expect, it } from 'vitest';
import { outcomeEntry } from '../../src/decide/entries.ts';
import { alice, as, bob, carol, type Scene, scene, told } from '../helpers/decide/scene.ts';

/** Bob has restored web-1 with break-glass. `how`: the panel's answer. */
function restored(here: Scene, how: 'rejected' | 'unknown' | 'nothing' = 'rejected'): string {
  const options = { server: 'web-1', disks: '0', reason: 'x' };
  const id = here.asks(bob, 'backup.restore', options, { breakGlass: { why: 'nobody answers' } });
  here.does(bob, 'confirm', id, { typed: 'web-1' });
  const { asked } = here.state(id) ?? {};
  if (asked === undefined) throw new Error('not asked');
  const { run, actor, command, server, place } = asked;
  here.record({ run, actor, command, options, server, place, kind: 'intent', owner: 'p' });
  if (how !== 'nothing')
    here.record(
      outcomeEntry({ actor, command, options, place }, { run, server: server ?? { id: 0 } }, { outcome: how }),
    );
  return id;
}
const found = { typed: 'as described' };

it.each<[string, (here: Scene, id: string) => ReturnType<Scene['presses']>, string]>([
  [
    'asks whoever may approve there what they found',
    (here, id) => here.presses(alice, 'review', id),
    'asks /backup restore · web-1 | What did you find?',
  ],
  ['is recorded', (here, id) => here.presses(alice, 'review', id, found), 'records reviewed'],
  [
    'needs words that somebody can see',
    (here, id) => here.presses(alice, 'review', id, { typed: ' ' }),
    'Say what you found. The review stays open.',
  ],
  [
    'is not for the person whom it is about',
    (here, id) => here.presses(as(bob, 'lead'), 'review', id),
    'denies DENIED /backup restore\nYou used break-glass here, so somebody else closes the review.',
  ],
  [
    'is not for those who may not approve',
    (here, id) => here.presses(carol, 'review', id),
    'denies DENIED /backup restore',
  ],
  [
    'is closed once',
    (here, id) => {
      here.does(alice, 'review', id, found);
      return here.presses(alice, 'review', id, found);
    },
    '<@1400000000000000001> closed this review',
  ],
  ['of nothing', (here) => here.presses(alice, 'review', 'inv9'), 'Nothing of this card is left to do'],
])('A review %s', (_what, pressed, expected) => {
  const here = scene();
  expect(told(pressed(here, restored(here)))).toContain(expected);
});

it('A review waits until it is known how it ended: from the panel, or from somebody who says so', () => {
  const here = scene();
  const sent = restored(here, 'nothing');
  const words = 'How this ended is not known yet. The review stays open.';
  expect(told(here.presses(alice, 'review', sent))).toContain(words);
  const elsewhere = scene();
  const unknown = restored(elsewhere, 'unknown');
  expect(told(elsewhere.presses(alice, 'review', unknown))).toContain(words);
  elsewhere.does(alice, 'not-happened', unknown, { typed: 'the disk is as it was' });
  expect(told(elsewhere.presses(alice, 'review', unknown))).toContain('What did you find?');
});

it('that is closed elsewhere than on the card is said where it was closed', () => {
  const here = scene();
  const id = restored(here);
  expect(here.presses(alice, 'review', id, { ...found, isPrivate: true })).toMatchObject({
    says: { state: 'succeeded' },
  });
  expect(here.presses(alice, 'review', id, found)).toMatchObject({ says: undefined });
});
