import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examplePolicy, startWorld, type World } from '../../helpers/world.ts';

describe('rulesets and VLAN entries by the names of the policy', () => {
  let world: World;
  beforeAll(async () => {
    const named = examplePolicy
      .replace(/^rulesets: .*$/m, 'rulesets: { 1: ssh-only, 2: web }')
      .replace(/^vlans: .*$/m, 'vlans: { 7: storage }');
    world = await startWorld({ still: true, policy: named });
  });
  afterAll(() => world.stop());

  // What a replace has set is read after it.
  const sent = () => world.panel.requests.findLast(({ method }) => method !== 'GET');

  it('are typed, shown with their ids, and sent as ids', async () => {
    expect(await world.alice.types('/firewall replace server:web-1 rulesets:SSH-only,2')).toContain(
      'rulesets ssh-only (1) and web (2)',
    );
    await world.alice.clicks('Confirm');
    expect(world.ledger().findLast(({ kind }) => kind === 'outcome')).toMatchObject({
      outcome: 'succeeded',
      options: { rulesets: '1,2' },
    });
    expect(JSON.stringify(sent()?.body)).toContain('[1,2]');

    expect(await world.alice.types('/vlan set server:web-1 vlan:storage native-mode:1')).toContain(
      'VLAN entry storage (7) of web-1 (101)',
    );
    await world.alice.clicks('Confirm');
    expect(world.ledger().findLast(({ kind }) => kind === 'outcome')).toMatchObject({
      outcome: 'succeeded',
      options: { vlan: 7 },
    });
  });

  it('are offered by name and id, and once each', async () => {
    expect(await world.alice.chooses('/firewall replace server:web-1', 'rulesets')).toEqual([
      { name: 'ssh-only (1)', value: '1' },
      { name: 'web (2)', value: '2' },
    ]);
    expect(await world.alice.chooses('/firewall replace server:web-1 rulesets:ssh-only,', 'rulesets')).toEqual([
      { name: 'ssh-only (1), web (2)', value: '1,2' },
    ]);
    expect(await world.alice.chooses('/vlan set server:web-1 vlan:stor', 'vlan')).toEqual([
      { name: 'storage (7)', value: '7' },
    ]);
    expect(await world.carol.chooses('/vlan set server:web-1', 'vlan')).toEqual([
      { name: 'You may not run /vlan set. Roles that may: lead', value: '-' },
    ]);
  });

  it('are asked for where a finger slipped', async () => {
    expect(await world.alice.types('/firewall replace server:web-1 rulesets:shs-only')).toContain(
      '`rulesets:shs-only`: write ids, or names from the policy, with commas, such as 1,2. Did you mean `ssh-only`?',
    );
    expect(await world.alice.types('/vlan set server:web-1 vlan:storgae trunk:1')).toContain(
      '`vlan:storgae`: write a whole number, 1 or more, or a name from the policy. Did you mean `storage`?',
    );
  });

  it.each([
    '/firewall replace server:web-1 rulesets:ssh',
    '/firewall replace server:web-1 rulesets:1,ssh-only',
    '/vlan set server:web-1 vlan:constructor trunk:1',
    '/vlan set server:web-1 vlan:0 trunk:1',
  ])('%s is INVALID', async (line) => {
    expect(await world.alice.types(line)).toContain('INVALID');
  });
});
