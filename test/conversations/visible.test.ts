import { afterAll, beforeAll, expect, it } from 'vitest';
import { examplePolicy, startWorld, type World } from '../helpers/world.ts';

const at = examplePolicy.indexOf('roles:\n');
const roles = examplePolicy.slice(at, examplePolicy.indexOf('\n\n', at) + 1);
const fewer = `roles:
  - { role: "1200000000000000001", name: viewer, allow: [panel.check] }
  - { role: "1200000000000000002", name: on-call, allow: ["power.*", firewall.show, approve], servers: ["web-*"] }
`;

let world: World;
beforeAll(async () => {
  world = await startWorld({ policy: examplePolicy.replace(roles, fewer), still: true });
});
afterAll(() => world.stop());

const offered = (who: string): string[] => world.discord.screen(who).commands.map(({ name }) => name);

it('A command that the policy gives to nobody is offered to nobody, and one for everybody to everybody', () => {
  const some = ['panel', 'firewall', 'power', 'help', 'can'];
  expect([offered('alice'), offered('mallory')]).toEqual([some, some]);
});

it('A command that nobody is offered cannot be typed in an unmodified client', async () => {
  await expect(world.alice.types('/vlan set server:web-1')).rejects.toThrow('/vlan: there is no such command.');
});

it('A command that is offered is still denied to whoever may not run it', async () => {
  expect(await world.mallory.types('/power boot server:web-1')).toContain('DENIED /power boot');
  expect(await world.bob.types('/firewall flush server:web-1')).toContain('DENIED /firewall flush');
});
