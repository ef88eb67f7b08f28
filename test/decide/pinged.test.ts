import { expect, it } from 'vitest';
import type { Kind } from '../../src/runs/entry.ts';
import { alice, bob, type Scene, scene, told } from '../helpers/decide/scene.ts';

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
