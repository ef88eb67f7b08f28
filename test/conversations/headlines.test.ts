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
    /QUESTION [^\n]*\n {2}│ Nothing to remove: no firewall rules are stored for web-2 \(102\), primary interface\./,
  );
  await world.alice.clicks('Cancel');
});

it('a restart of several says that they go down together, and goes through them one after the other', async () => {
  const question = await world.alice.types(`/power restart server:web-1,web-2 reason:kernel`);
  expect(question).toContain('**They go down together**, not one after the other.');
  const one = await world.alice.clicks('One after the other');
  expect(one).toContain('QUESTION /power restart · web-1 (101, production)');
  expect(one).not.toContain('together');
  const closed = /CANCELLED \/power restart[\s\S]* went on one after the other: see/;
  await expect.poll(() => world.alice.sees()).toMatch(closed);
  const done = await world.alice.clicks('Restart web-1');
  expect(done).toContain('ACCEPTED /power restart');
  expect(done).not.toContain('[Next');
  const changes = () => world.panel.requests.filter(({ path }) => path.includes('/power/')).map(({ path }) => path);
  expect(changes()).toEqual([expect.stringContaining('/servers/101/power/restart')]);
  await world.alice.types('/follow-ups stop server:web-1');
  await world.alice.types('/follow-ups ended server:web-1 how:finished');
  const next = await world.alice.clicks('Next: restart web-2');
  expect(next).toContain('QUESTION /power restart · web-2 (102, production)');
  expect(next).toContain('Reason: `kernel`');
  expect(changes()).toHaveLength(1);
  await world.alice.clicks('Cancel');
});
