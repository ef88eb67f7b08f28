import { expect, it } from 'vitest';
import type { Actor } from '../../src/outcome.ts';
import type { Kind } from '../../src/runs/entry.ts';
import { alice, as, bob, carol, dora, type Scene, scene, told } from '../helpers/decide/scene.ts';

const wanting = (approvals: number) =>
  scene(['commands:\n', `commands:\n  - { match: [power.shutdown], approvals: ${approvals} }\n`]);

/** Bob has confirmed here. */
function confirmed(here: Scene): string {
  const id = here.asks(bob, 'power.shutdown', { server: 'web-1' });
  here.does(bob, 'confirm', id);
  return id;
}
const rolesOf = (...people: Actor[]) => ({ found: { roles: new Map(people.map(({ id, roles }) => [id, roles])) } });

it('looks first which roles the requester and those who approved before have now', () => {
  const here = wanting(2);
  const id = confirmed(here);
  here.does(alice, 'approve', id, rolesOf(bob));
  expect(here.presses(dora, 'approve', id)).toEqual({
    kind: 'lookup',
    lookup: { kind: 'roles', of: [bob.id, alice.id] },
  });
});

it('is recorded, and carries the change out by the roles of now', () => {
  const here = wanting(1);
  const decision = here.presses(alice, 'approve', confirmed(here), rolesOf(as(bob, 'viewer')));
  expect(told(decision)).toBe('records approved, then sends');
  // What they may no longer do ends the change on its card.
  expect(decision).toMatchObject({ work: { isConfirmed: true, roles: as(bob, 'viewer').roles } });
});

it.each<[string, (here: Scene, id: string) => ReturnType<Scene['presses']>, string]>([
  [
    'by the requester, also with the right to approve',
    (here, id) => here.presses(as(bob, 'on-call', 'lead'), 'approve', id),
    'denies DENIED /power shutdown\nYou asked for this, so somebody else must approve it.\nYour click changed nothing.',
  ],
  [
    'by somebody who may not approve',
    (here, id) => here.presses(carol, 'approve', id),
    'denies DENIED /power shutdown',
  ],
  [
    'twice by one person',
    (here, id) => {
      here.does(alice, 'approve', id, rolesOf(bob));
      return here.presses(alice, 'approve', id);
    },
    'You have already approved this. Another person must approve it, too.',
  ],
  [
    'where Discord does not say which roles the requester has',
    (here, id) => here.presses(alice, 'approve', id, { found: { roles: new Map([[bob.id, undefined]]) } }),
    'says NOT-SENT /power shutdown\nDiscord does not say which roles <@1400000000000000002> has now. Nothing was sent; press again.',
  ],
  [
    'while it is frozen',
    (here, id) => {
      const place = { guild: '1', channel: '2' };
      here.record({ kind: 'frozen', actor: dora, until: '2026-11-20T22:00:00.000Z', why: 'x', place });
      return here.presses(alice, 'approve', id, rolesOf(bob));
    },
    'Your approval was not recorded, and nothing was sent.\nPress Approve after that, if the question is still open.',
  ],
  [
    'in a private thread that the bot has not joined',
    (here, id) => here.presses(alice, 'approve', id, { mayReturn: false }),
    '**Add me to this thread first**',
  ],
  [
    'after it was cancelled',
    (here, id) => {
      here.does(alice, 'cancel', id);
      return here.presses(dora, 'approve', id);
    },
    '`alice` cancelled this',
  ],
])('is refused %s', (_what, pressed, expected) => {
  const here = wanting(2);
  expect(told(pressed(here, confirmed(here)))).toContain(expected);
});

it('of what waits for Confirm is none', () => {
  const here = wanting(1);
  const id = here.asks(bob, 'power.shutdown', { server: 'web-1' });
  expect(told(here.presses(alice, 'approve', id))).toContain('This question is no longer open.');
});

it.each<[string, string, object, string | RegExp, string]>([
  ['a lower limit', 'ipv4.assign', { server: 'web-1', quantity: 8 }, 'ipv4.assign: 8', 'ipv4.assign: 2'],
  ['fewer servers in one command', 'power.shutdown', { server: 'web-1,web-2,web-3' }, 'most: 10', 'most: 2'],
  ['a name to type', 'power.shutdown', { server: 'web-1' }, 'approvals: 2 }', 'approvals: 2, typed: true }'],
  ['a reason', 'power.shutdown', { server: 'web-1' }, 'approvals: 2 }', 'approvals: 2, reason: required }'],
  ['another channel', 'power.shutdown', { server: 'web-1' }, /"1300000000000000001"/g, '"1300000000000000009"'],
])('is decided again as the policy is then: %s leaves the question open', (_what, command, options, from, to) => {
  const here = scene(['commands:\n', 'commands:\n  - { match: [power.shutdown, ipv4.assign], approvals: 2 }\n']);
  const id = here.asks(bob, command, { ...options });
  here.does(bob, 'confirm', id);
  here.changePolicy(from, to);
  expect(told(here.presses(alice, 'approve', id, rolesOf(bob)))).toMatch(
    /no longer accepts this command|Since this question, the policy/,
  );
});

/** A message that pinged about a card, and one that has nothing to do with it. */
const ping = '1500000000000000007';
const other = '1500000000000000009';

const bot = { id: '0', name: 'panelops', roles: [] };

/** Bob's shutdown waits for an approval, and a message called those who may give it. */
function called(): { here: Scene; id: string; asked: Kind<'asked'> } {
  const here = scene(['commands:\n', 'commands:\n  - { match: [power.shutdown], approvals: 1 }\n']);
  const id = here.asks(bob, 'power.shutdown', { server: 'web-1' });
  here.does(bob, 'confirm', id);
  const asked = here.state(id)?.asked;
  if (asked === undefined) throw new Error('nothing was asked');
  const { run, command, server, place } = asked;
  here.record({ kind: 'called', run, actor: bot, command, options: {}, server, place: { ...place, message: ping } });
  return { here, id, asked };
}

const notOpen = 'says NOT-SENT your click\nThis question is no longer open. Your click changed nothing.';

it.each([
  ['on the message that pinged', ping, ping, 'records approved, then sends'],
  ['on the card, whose buttons may be on a screen still', undefined, undefined, 'records approved, then sends'],
  ['on the message that pinged, with the button of the card', ping, undefined, notOpen],
  ['on the card, with the button of the message that pinged', undefined, ping, notOpen],
  ['on any other message, with a button that names it', other, other, notOpen],
])('Approve counts %s: the seal names the message', (_where, at, sealed, says) => {
  const { here, id, asked } = called();
  const seal = here.snapshot.seal.of('approve', {
    hash: asked.hash,
    place: { message: sealed ?? asked.place.message },
  });
  const decision = here.presses(alice, 'approve', id, {
    ...{ place: { ...here.place, message: at ?? here.place.message }, payload: `${id}.${seal}` },
    found: { roles: new Map([[bob.id, bob.roles]]) },
  });
  expect(told(decision)).toContain(says);
});

it('what somebody says on the message that pinged is recorded of the card', () => {
  const here = scene();
  const id = here.sends(bob, 'firewall.enable', { server: 'web-1' }, { outcome: 'unknown', reason: 'timeout' });
  const outcome = here.state(id)?.outcome;
  if (outcome === undefined) throw new Error('it has not ended');
  const { run, command, server, place } = outcome;
  here.record({ kind: 'pinged', run, actor: bot, command, options: {}, server, place: { ...place, message: ping } });
  const at = { ...here.place, message: ping };
  expect(here.presses(bob, 'happened', id, { place: at, typed: 'it is on' })).toMatchObject({
    entries: [{ kind: 'resolved', place: here.place }],
  });
  expect(told(here.presses(bob, 'happened', id, { place: { ...at, message: other }, typed: 'x' }))).toContain('says');
});
