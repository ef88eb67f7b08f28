import { expect, it } from 'vitest';
import { changes, confirms } from '../helpers/messages.ts';
import { exampleWith } from '../helpers/policy/in-force.ts';
import { worldForEach } from '../helpers/world.ts';

/** The example without the tiers of its rows, and with rules for some. web-3 fits none of them. */
const policy = exampleWith(
  ['{ id: 101, name: web-1, tier: production', '{ id: 101, name: web-1'],
  ['{ id: 103, name: web-3, tier: staging', '{ id: 103, name: web-3'],
  [
    '\nunlisted: nothing',
    `
tiers:
  - { match: [web-1], tier: production }
  - { group: 3, tier: lab }
unlisted: all`,
  ],
  ['\ncommands:', '\ncommands:\n  - { match: [power.boot], tiers: [production], reason: required, confirm: true }'],
);
const world = worldForEach({ still: true, audit: true, policy });

it('a server whose tier no rule says is held to each of them: to their rows and to their freezes', async () => {
  expect(await world.alice.types('/power boot server:web-3 reason:up')).toContain('web-3 (103, every tier)');
  expect(await world.alice.sees()).toContain('QUESTION');
  expect(await confirms(world.alice, '/freeze tier:lab reason:"not now"')).toContain('BLOCKED');
  expect(changes(world)).toEqual([]);
  // web-1 is production by a rule, lab-1 has the tier of its group.
  expect(await world.alice.types('/firewall sync server:web-1')).toContain('SUCCEEDED');
  expect(await world.alice.types('/firewall sync server:lab-1')).toContain('BLOCKED');
});

it('so is one that nobody listed, and the ledger has it beside the server', async () => {
  await world.alice.types('/freeze tier:production reason:"not now"');
  expect(await world.alice.types('/firewall sync server:4711')).toContain('BLOCKED');
  expect(world.ledger().at(-1)).toMatchObject({ server: { id: 4711, heldTo: 'every' } });
  expect(changes(world)).toEqual([]);
});
