import { expect, it } from 'vitest';
import type { Actor } from '../../src/outcome.ts';
import { alice, as, bob, carol, mallory, type Scene, scene, told } from '../helpers/decide/scene.ts';

const restore = { server: 'web-1', disks: '0', reason: 'lost update' };
const restores = (here: Scene): string => here.asks(alice, 'backup.restore', restore);
const shutsDownLab = (here: Scene): string => here.asks(alice, 'power.shutdown', { server: 'lab-1' });

const notThere =
  'denies DENIED /power shutdown\nNot allowed: to cancel this, you must be allowed to change something on lab-1 (201).\nRoles that may: `lead`.\nYour click changed nothing.';

it.each<[string, (here: Scene) => string, Actor, string]>([
  ['its requester', restores, alice, 'records cancelled'],
  ['its requester without any right that is left', restores, as(alice), 'records cancelled'],
  ['who may not run it, but may change something there', restores, bob, 'records cancelled'],
  [
    'who may change something on one of several servers',
    (here) => here.asks(alice, 'power.shutdown', { server: 'lab-1,web-1' }),
    bob,
    'records cancelled, cancelled',
  ],
  ['who may change nothing there', shutsDownLab, bob, notThere],
  ['who may only read', shutsDownLab, carol, notThere],
  ['who has no role', shutsDownLab, mallory, notThere],
])('Cancel by %s', (_who, asked, who, expected) => {
  const here = scene();
  expect(told(here.presses(who, 'cancel', asked(here)))).toBe(expected);
});

it('says on the card who it was', () => {
  const here = scene();
  const id = restores(here);
  here.does(bob, 'cancel', id);
  expect(here.state(id)?.outcome).toMatchObject({
    ...{ outcome: 'cancelled', reason: 'cancelled', detail: 'Cancelled by <@1400000000000000002>.' },
    ...{ actor: { name: 'bob' }, command: 'backup.restore', server: { id: 101 } },
  });
});

it.each<[string, (here: Scene, id: string) => void, RegExp]>([
  ['somebody cancelled it', (here, id) => here.does(alice, 'cancel', id), /`alice` cancelled this <t:\d+:R>/],
  ['it was confirmed', (here, id) => here.does(alice, 'confirm', id), /`alice` confirmed this <t:\d+:R>/],
  ['it ran out', (here) => here.passes(120_000), /This question ran out <t:\d+:R>/],
])('is too late once %s', (_what, before, expected) => {
  const here = scene();
  const id = shutsDownLab(here);
  before(here, id);
  expect(told(here.presses(alice, 'cancel', id))).toMatch(expected);
});

it.each<[string, Parameters<Scene['presses']>[3]]>([
  ['with another seal', { payload: 'inv1.AAAAAAAAAAAAAAAAAAAAAA' }],
  ['without a seal', { payload: 'inv1' }],
  ['of another question', { payload: 'inv2.AAAAAAAAAAAAAAAAAAAAAA' }],
  ['on another message', { place: { guild: '1100000000000000001', channel: '1300000000000000001', message: '9' } }],
])('is no button of the bot %s', (_what, how) => {
  const here = scene();
  expect(told(here.presses(alice, 'cancel', restores(here), how))).toContain('This question is no longer open.');
});
