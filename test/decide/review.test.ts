import { expect, it } from 'vitest';
import { alice, as, bob, carol, type Scene, scene, told } from '../helpers/decide/scene.ts';

/** Bob has restored web-1 with break-glass. */
function restored(here: Scene): string {
  const options = { server: 'web-1', disks: '0', reason: 'x' };
  const id = here.asks(bob, 'backup.restore', options, { breakGlass: { why: 'nobody answers' } });
  here.does(bob, 'confirm', id, { typed: 'web-1' });
  const { asked } = here.state(id) ?? {};
  if (asked === undefined) throw new Error('not asked');
  const { run, actor, command, server, place } = asked;
  here.record({ run, actor, command, options, server, place, kind: 'intent', owner: 'p' });
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

it('that is closed elsewhere than on the card is said where it was closed', () => {
  const here = scene();
  const id = restored(here);
  expect(here.presses(alice, 'review', id, { ...found, isPrivate: true })).toMatchObject({
    says: { state: 'succeeded' },
  });
  expect(here.presses(alice, 'review', id, found)).toMatchObject({ says: undefined });
});
