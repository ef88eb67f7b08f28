import { expect, it } from 'vitest';
import { alice, as, bob, carol, type Scene, scene, told } from '../helpers/decide/scene.ts';

const flush = (here: Scene, reason?: string): string =>
  here.denies(bob, 'firewall.flush', reason === undefined ? { server: 'web-1' } : { server: 'web-1', reason });
const reasonToo = ['commands:\n', 'commands:\n  - { match: [firewall.flush], reason: required }\n'] as const;

it('types what was denied for those who may run it, once at a time', () => {
  const here = scene();
  const decision = here.presses(bob, 'lead', flush(here, 'locked out'));
  expect(decision).toMatchObject({
    command: { command: 'firewall.flush', options: { reason: 'locked out' }, denied: 'inv1.1', since: 1 },
    once: { key: 'lead inv1.1', otherwise: { state: 'not-sent' } },
  });
});

it.each<[string, (here: Scene) => ReturnType<Scene['presses']>, string]>([
  [
    'asks for the reason that the policy wants',
    (here) => here.presses(bob, 'lead', flush(here)),
    'asks /firewall flush · web-1 | Why? For whoever decides',
  ],
  [
    'takes that reason',
    (here) => here.presses(bob, 'lead', flush(here), { typed: 'locked out' }),
    'reason:"locked out"',
  ],
  [
    'takes no reason that nobody can see',
    (here) => here.presses(bob, 'lead', flush(here), { typed: '\u200b' }),
    'Say why. Nobody was asked.',
  ],
  [
    'asks nobody twice',
    (here) => {
      const denial = flush(here, 'x');
      here.requests(bob, denial);
      return here.presses(bob, 'lead', denial);
    },
    'You have already asked: see the card. Nobody was pinged again.',
  ],
  [
    'uses nobody else’s denial',
    (here) => here.presses(alice, 'lead', flush(here, 'x')),
    'The bot has no separate record of this denial: after several in a short time it only counts them. Wait 10 minutes',
  ],
  [
    'ends after 15 minutes',
    (here) => {
      const denial = flush(here, 'x');
      here.passes(15 * 60_000 + 1);
      return here.presses(bob, 'lead', denial);
    },
    'This denial is more than 15 minutes old.',
  ],
])('Ask a lead %s', (_what, pressed, expected) => {
  expect(told(pressed(scene(reasonToo)))).toContain(expected);
});

it.each<[string, (here: Scene) => ReturnType<Scene['presses']>, string]>([
  [
    'asks why it cannot wait',
    (here) =>
      here.presses(bob, 'glass', here.denies(bob, 'backup.restore', { server: 'web-1', disks: '0', reason: 'x' })),
    'asks /backup restore · web-1 | Why can it not wait? Reviewed afterwards',
  ],
  [
    'takes no reason that nobody can see',
    (here) => {
      const denial = here.denies(bob, 'backup.restore', { server: 'web-1', disks: '0', reason: 'x' });
      return here.presses(bob, 'glass', denial, { typed: ' ' });
    },
    'Say why. Nothing was sent.',
  ],
  [
    'goes on after a denial',
    (here) => {
      const denial = here.denies(bob, 'backup.restore', { server: 'web-1', disks: '0', reason: 'x' });
      return here.presses(bob, 'glass', denial, { typed: 'nobody answers' });
    },
    'types /backup restore disks:0 reason:x server:101',
  ],
  [
    'is not for what the policy does not allow in an emergency',
    (here) => here.presses(bob, 'glass', here.denies(bob, 'firewall.flush', { server: 'web-1' })),
    'DENIED /firewall flush',
  ],
  [
    'is nobody else’s',
    (here) => {
      const denial = here.denies(bob, 'backup.restore', { server: 'web-1', disks: '0', reason: 'x' });
      return here.presses(as(carol, 'on-call'), 'glass', denial);
    },
    'The bot has no separate record of this denial',
  ],
])('Break glass %s', (_what, pressed, expected) => {
  expect(told(pressed(scene()))).toContain(expected);
});

it('Break glass closes the request that came of the denial', () => {
  const here = scene();
  const denial = here.denies(bob, 'backup.restore', { server: 'web-1', disks: '0', reason: 'x' });
  const id = here.requests(bob, denial);
  expect(here.presses(bob, 'glass', denial, { typed: 'nobody answers' })).toMatchObject({
    command: { breakGlass: { why: 'nobody answers', over: id } },
  });
  expect(here.presses(bob, 'glass', id, { typed: 'nobody answers' })).toMatchObject({
    command: { breakGlass: { why: 'nobody answers', over: id } },
  });
});
