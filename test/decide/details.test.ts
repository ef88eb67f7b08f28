import { expect, it } from 'vitest';
import type { Actor } from '../../src/outcome.ts';
import { alice, carol, dora, mallory, type Scene, scene, told } from '../helpers/decide/scene.ts';

const flushes = (here: Scene): string =>
  here.asks(alice, 'firewall.flush', { server: 'web-1', interface: 'primary', reason: 'rule 7' });

const explained = [
  'says Details: /firewall flush · web-1 (101, production)',
  'Asked for: Flush the rules of web-1 · primary.',
  'To be applied to the running server at once.',
  'Not touched: the secondary interface, and every other server.',
  'The bot read what was set <t:1795125600:R>, and reads it again right before it sends.',
].join('\n');

it.each<[string, Actor, string]>([
  ['its requester', alice, explained],
  ['somebody else who may see the firewall there', carol, explained],
  [
    'who may not',
    mallory,
    'denies DENIED /firewall show\nNot allowed: none of your roles has the permission `firewall.show`.\nRoles that may: `viewer`, `on-call` and `lead`.\nNothing was shown.',
  ],
])('Details of a question, pressed by %s', (_who, who, expected) => {
  const here = scene();
  expect(told(here.presses(who, 'details', flushes(here)))).toBe(expected);
});

it('says of what was confirmed what its question said, and of what was cancelled nothing', () => {
  const here = scene();
  const [confirmed, cancelled] = [flushes(here), flushes(here)];
  here.does(alice, 'confirm', confirmed);
  here.does(alice, 'cancel', cancelled);
  const explains = told(here.presses(dora, 'details', confirmed));
  expect(explains).toMatch(/\n\*\*The question\*\* <t:\d+:R>:\nAll firewall rules of web-1 \(101\), primary interface/);
  expect(explains).toContain('and reads it again right before it sends.');
  expect(told(here.presses(dora, 'details', cancelled))).toContain('Nothing of this card is left to do');
});

it('says how somebody knows what was unknown, and why it was', () => {
  const here = scene();
  const id = here.sends(alice, 'power.boot', { server: 'lab-1' }, { outcome: 'unknown', reason: 'timeout' });
  here.does(alice, 'happened', id, { typed: 'it answers pings' });
  expect(told(here.presses(alice, 'details', id))).toBe(
    [
      'says Details: /power boot · lab-1 (201, lab)',
      'How <@1400000000000000001> knows: `it answers pings`',
      'Why it was unknown: The panel did not answer in time.',
      'The panel queues it. Not touched: disks, network and firewall.',
    ].join('\n'),
  );
});

it.each<[string, Parameters<Scene['presses']>[3]]>([
  ['is on no such message', { offered: false }],
  ['is of nothing that was recorded', { payload: 'inv9' }],
])('says nothing where the button %s', (_where, how) => {
  const here = scene();
  expect(told(here.presses(alice, 'details', flushes(here), how))).toContain('Nothing of this card is left to do');
});

it('is not answered where the policy has no commands answered', () => {
  const here = scene();
  const place = { ...here.place, channel: '1300000000000000099' };
  expect(told(here.presses(alice, 'details', flushes(here), { place }))).toContain('This button is not answered here.');
});
