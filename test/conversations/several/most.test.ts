import { expect, it } from 'vitest';
import { changes } from '../../helpers/messages.ts';
import { examplePolicy, worldForAll } from '../../helpers/world.ts';

const rows = Array.from(
  { length: 21 },
  (_, n) => `  - { id: ${301 + n}, name: node-with-a-rather-long-name.rack-${n}.example.org, tier: rack }\n`,
);
const policy = examplePolicy
  .replace('most: 10', 'most: 20')
  .replace('  - { id: 201, name: lab-1', `${rows.join('')}  - { id: 201, name: lab-1`);

const world = worldForAll({ still: true, policy });

it('Twenty servers, as many as a policy can allow, have a line each on one card', async () => {
  const reason = 'x'.repeat(200);
  expect(await world.alice.types(`/power restart server:tier:rack reason:${reason}`)).toContain('these are 21 servers');
  const twenty = Array.from({ length: 20 }, (_, n) => 301 + n).join(',');
  expect(await world.alice.types(`/power restart server:${twenty} reason:${reason}`)).toContain(
    'QUESTION /power restart · 20 servers',
  );
  const card = await world.alice.clicks('Confirm');
  // The sandbox's panel does not have them, so that it says no twenty times.
  expect(card.match(/\*\*REJECTED\*\* node-with\S+ \(3\d\d\): \S/g)).toHaveLength(20);
  expect(changes(world)).toHaveLength(20);
  const lengths = world.ledger().map((entry) => JSON.stringify(entry).length);
  expect(Math.max(...lengths)).toBeLessThan(4_096);
});
