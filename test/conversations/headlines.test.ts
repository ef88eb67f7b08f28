import { expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

const world = worldForAll({ still: true });

it('the capacity of a group begins with what is over-committed', async () => {
  const card = await world.carol.types('/hypervisors resources group:1');
  expect(card).toMatch(/Capacity of group 1\n {2}│ ⚠ memory over by 32 GB on `fra-3`\.\n {2}│ IPv4: 40 addresses/);
  // Where nothing is, with the addresses.
  expect(await world.carol.types('/hypervisors resources group:3')).toMatch(/Capacity of group 3\n {2}│ IPv4: /);
});

it('/server show says what cannot be known', async () => {
  expect(await world.carol.types('/server show server:web-1')).toContain(
    'Power: not known. The panel documents no way to read whether it is on.',
  );
});

it('the flush of no rules says so before it asks', async () => {
  await world.alice.types('/firewall flush server:web-2');
  await world.alice.clicks('Confirm');
  const question = await world.alice.types('/firewall flush server:web-2');
  expect(question).toMatch(
    /QUESTION [^\n]*\n {2}│ Nothing to remove: web-2 \(102\), primary interface, has no firewall rules\./,
  );
  await world.alice.clicks('Cancel');
});

it('a restart of several says that they go down together, and how to do one after the other', async () => {
  const question = await world.alice.types(`/power restart server:web-1,web-2`);
  expect(question).toContain(
    '**They go down together.** One after the other: Cancel, and begin with `/power restart server:web-1`.',
  );
  await world.alice.clicks('Cancel');
  expect(await world.alice.types(`/power restart server:web-1`)).not.toContain('together');
  await world.alice.clicks('Cancel');
});
