import { beforeAll, describe, expect, it } from 'vitest';
import { policyWithout } from '../../helpers/follow-ups/story.ts';
import { confirms } from '../../helpers/messages.ts';
import { examplePolicy, worldForAll } from '../../helpers/world.ts';

type Offered = Promise<{ name: string; value: string | number }[]>;
const names = async (offered: Offered) => (await offered).map(({ name }) => name);
const values = async (offered: Offered) => (await offered).map(({ value }) => value);

describe('servers', () => {
  const world = worldForAll();

  it('are offered with id, tier and address, or as a tier or group; to each those that they may touch', async () => {
    const alices = await names(world.alice.chooses('/power boot', 'server'));
    expect(alices).toHaveLength(17);
    expect(alices[0]).toBe('web-1 · 101 · production · 192.0.2.101');
    expect(alices).toContain('tier:staging · 2 servers: web-3, cache-1');
    expect(alices.at(-1)).toBe('group:1 · 5 servers: web-1, web-2, web-3, db-1, db-2');
    const bobs = await names(world.bob.chooses('/power boot', 'server'));
    expect(bobs.filter((name) => !name.includes('servers:'))).toHaveLength(10);
    expect(bobs.filter((name) => name.startsWith('lab'))).toEqual([]);
    expect(await world.bob.chooses('/power boot server:lab', 'server')).toEqual([]);
    expect(await world.alice.chooses('/power boot', 'server', 'random')).toEqual([]);
  });

  it('are not offered to somebody who may not run the command, who is told so while typing', async () => {
    const no = 'You may not run /power boot. Roles that may: on-call, lead';
    expect(await world.mallory.chooses('/power boot', 'server')).toEqual([{ name: no, value: '-' }]);
    const carols = await world.carol.chooses('/power boot server:web', 'server');
    expect(carols).toEqual([{ name: `web · ${no}`, value: 'web' }]);
    expect(await world.carol.types('/power boot server:-')).toContain('DENIED');
    const long = `web-1${',web-1'.repeat(20)}`;
    const [told] = await world.carol.chooses(`/power boot server:${long}`, 'server');
    expect(told).toEqual({ name: `${long.slice(0, 99)}…`, value: long.slice(0, 100) });
  });

  it('of a list are completed at its end, but for those that are there, and beyond ten; it can be sent as it is', async () => {
    expect(await world.bob.chooses('/power restart server:"web-1, web"', 'server')).toEqual([
      { name: 'web-1, web-2 · 102 · production · 192.0.2.102', value: '101,102' },
      { name: 'web-1, web-3 · 103 · staging · 192.0.2.103', value: '101,103' },
      { name: 'web-1, web-* · 3 servers: web-1, web-2, web-3', value: '101,web-*' },
    ]);
    const ten = Array.from({ length: 10 }, (_, n) => 101 + n).join(',');
    expect(await world.alice.chooses(`/power restart server:${ten},lab`, 'server')).toEqual([]);
    const [first] = await world.bob.chooses('/power boot server:web-1,web-2,', 'server');
    expect(await world.bob.types(`/power boot server:${first?.value}`)).toContain('ACCEPTED /power boot · 3 servers');
  });
});

describe('values that are known already', () => {
  const world = worldForAll({
    still: true,
    policy: policyWithout('backup-list').replace('timezone: UTC', 'timezone: Europe/Berlin'),
  });
  const restore = '/backup restore server:web-1';
  beforeAll(async () => {
    await world.alice.types('/ipv4 add server:web-1 addresses:203.0.113.20,203.0.113.21');
    await confirms(world.alice, '/whitelist add server:web-1 network:198.51.100.0/24');
    await confirms(world.alice, `${restore} disks:0,1 chains:0=17 reason:"lost update"`, 'web-1');
    await confirms(world.alice, '/ipv4 assign server:lab-1 quantity:1');
    await world.alice.types('/ipv4 remove server:web-3 addresses:192.0.2.9');
    await world.alice.clicks('Cancel');
  });

  it.each<[line: string, option: string, offered: (string | number)[]]>([
    ['/ipv4 remove server:web-1', 'addresses', ['203.0.113.20', '203.0.113.21']],
    ['/ipv4 remove server:192.0.2.101 addresses:203.0.113.20,', 'addresses', ['203.0.113.20,203.0.113.21']],
    ['/ipv4 remove server:web-2', 'addresses', []],
    // What was only asked for.
    ['/ipv4 add server:web-3', 'addresses', []],
    ['/whitelist remove server:web-1', 'address', ['198.51.100.0']],
    // What was restored together is offered together, then each alone.
    [restore, 'disks', ['0,1', '0', '1']],
    [`${restore} disks:1,`, 'disks', ['1,0']],
    [`${restore} disks:0`, 'chains', ['0=17']],
    ['/backup restore server:web-2 disks:x', 'disks', []],
    ['/audit history since:3', 'since', ['3m', '3h', '3d', '30m']],
    ['/audit history since:22:00', 'since', ['22:00']],
    ['/audit history since:y', 'since', ['yesterday', 'yesterday 22:00']],
    ['/audit history since:soon', 'since', []],
    [`${restore} disks:0,1 until:6`, 'until', ['6m', '6h', '6d']],
    [`${restore} disks:0,1 until:0=22:00,1=6`, 'until', ['0=22:00,1=6m', '0=22:00,1=6h', '0=22:00,1=6d']],
    [`${restore} disks:0,1 until:0=22:00,y`, 'until', ['0=22:00,yesterday', '0=22:00,yesterday 22:00']],
    [`${restore} disks:0,1 until:tomorrow`, 'until', []],
  ])('%s: %s %j', async (line, option, offered) => {
    expect(await values(world.alice.chooses(line, option))).toEqual(offered);
  });

  it('are not offered of a server that somebody may not touch, nor to who may not run the command', async () => {
    expect(await world.alice.chooses('/ipv4 add server:lab-1', 'addresses')).toHaveLength(1);
    expect(await world.bob.chooses('/ipv4 add server:lab-1', 'addresses')).toEqual([]);
    expect(await world.bob.chooses('/ipv4 add server:198.51.100.201', 'addresses')).toEqual([]);
    expect(await names(world.bob.chooses('/ipv4 remove server:web-1', 'addresses'))).toEqual([
      'You may not run /ipv4 remove. Roles that may: lead',
    ]);
    expect(await world.bob.chooses('/ipv4 add server:web-1', 'addresses')).toHaveLength(2);
  });

  it('say how a time is understood, and where nothing is known; what is offered can be sent as it is', async () => {
    const [first] = await names(world.alice.chooses('/audit history since:3', 'since'));
    expect(first).toMatch(/^3m · [A-Z][a-z]{2},? \d+ [A-Z][a-z]+, \d\d:\d\d \(Europe\/Berlin\)$/);
    expect(await world.alice.chooses('/backup restore server:web-2 disks:0,2', 'disks')).toEqual([
      { name: '0,2 · the bot does not know its disks', value: '0,2' },
    ]);
    const line = `${restore} disks:0,1 until:"0=22:00,yesterday 22:00" reason:"lost update"`;
    expect(await world.alice.types(line)).toContain('QUESTION /backup restore');
    const [address] = await values(world.alice.chooses('/ipv4 remove server:web-1', 'addresses'));
    expect(await world.alice.types(`/ipv4 remove server:web-1 addresses:${address}`)).toContain(
      'QUESTION /ipv4 remove',
    );
  });

  it('whose names are from outside are one line of plain text, never reordered, and never too long', async () => {
    const name = `**x** @everyone [a](https://evil.example)\n<@&1> \u202Eb\u200B ${'long '.repeat(40)}`;
    const group = { id: 7, name, label: null, description: null, distributionType: 1, icon: null };
    const dates = { created: '2026-11-20T03:00:00+00:00', updated: '2026-11-20T03:00:00+00:00' };
    const page = { current_page: 1, last_page: 1, per_page: 200, total: 1, from: 1, to: 1 };
    const data = [{ ...group, ...dates, enabled: true, default: false }];
    world.panel.order({ kind: 'status-before', status: 200, body: { ...page, data } });
    const [offered] = await world.alice.chooses('/hypervisors group', 'group');
    expect(offered?.value).toBe(7);
    expect(offered?.name).toMatch(/^7 · \*\*x\*\* @everyone \[a\]\(https:\/\/evil\.example\) <@&1> {1,2}b/);
    expect(offered?.name).not.toMatch(/[\n\u202E\u200B]/);
    expect(offered?.name.length).toBeLessThanOrEqual(100);
  });
});

describe('rulesets and VLAN entries by the names of the policy', () => {
  const policy = examplePolicy
    .replace(/^rulesets: .*$/m, 'rulesets: { 1: ssh-only, 2: web }')
    .replace(/^vlans: .*$/m, 'vlans: { 7: storage }');
  const world = worldForAll({ still: true, policy });

  it('are typed, shown with their ids, and sent as ids', async () => {
    const replace = '/firewall replace server:web-1 rulesets:SSH-only,2';
    expect(await world.alice.types(replace)).toContain('rulesets ssh-only (1) and web (2)');
    await world.alice.clicks('Confirm');
    const last = () => world.ledger().findLast(({ kind }) => kind === 'outcome');
    expect(last()).toMatchObject({ outcome: 'succeeded', options: { rulesets: '1,2' } });
    expect(world.panel.effects.at(-1)?.body).toEqual({ rulesets: [1, 2] });
    const set = '/vlan set server:web-1 vlan:storage native-mode:1';
    expect(await world.alice.types(set)).toContain('VLAN entry storage (7) of web-1 (101)');
    await world.alice.clicks('Confirm');
    expect(last()).toMatchObject({ outcome: 'succeeded', options: { vlan: 7 } });
  });

  it('are offered by name and id, and once each, and asked for where a finger slipped', async () => {
    const replace = '/firewall replace server:web-1';
    expect(await names(world.alice.chooses(replace, 'rulesets'))).toEqual(['ssh-only (1)', 'web (2)']);
    expect(await world.alice.chooses(`${replace} rulesets:ssh-only,`, 'rulesets')).toEqual([
      { name: 'ssh-only (1), web (2)', value: '1,2' },
    ]);
    const vlans = await world.alice.chooses('/vlan set server:web-1 vlan:stor', 'vlan');
    expect(vlans).toEqual([{ name: 'storage (7)', value: '7' }]);
    for (const [line, says] of [
      [`${replace} rulesets:shs-only`, 'with commas, such as 1,2. Did you mean `ssh-only`?'],
      ['/vlan set server:web-1 vlan:storgae trunk:1', 'or a name from the policy. Did you mean `storage`?'],
      [`${replace} rulesets:1,ssh-only`, 'a ruleset is listed twice.'],
      ['/vlan set server:web-1 vlan:constructor trunk:1', 'write a whole number, 1 or more,'],
      ['/vlan set server:web-1 vlan:0 trunk:1', 'write a whole number, 1 or more,'],
    ] as const)
      expect(await world.alice.types(line)).toContain(says);
  });
});

describe('many or long suggestions', () => {
  const name = `web-${'x'.repeat(40)}`;
  const plain = '{ id: 101, name: web-1, tier: production, ips: ["192.0.2.101"], group: 1 }';
  const long = `{ id: 101, name: ${name}, tier: "production in frankfurt am main", ips: ["2001:db8:1111:2222:3333:4444:5555:6666"], group: 1 }`;
  const policy = examplePolicy
    .replace(plain, long)
    .replace('unlisted: nothing', 'unlisted: all')
    .replace('rulesets: { 3: office-only }', 'rulesets: { 10017: ssh-only, 7: web }');
  const world = worldForAll({ policy, still: true });

  it('are still offered where their names are too long for Discord', async () => {
    const one = await world.alice.chooses('/firewall show server:web-x', 'server');
    const several = await world.alice.chooses('/power boot server:102,web-x', 'server');
    expect([one.map(({ value }) => value), several.map(({ value }) => value)]).toEqual([['101'], ['102,101']]);
    for (const choice of [...one, ...several]) expect(choice.name).toHaveLength(100);
    expect(one[0]?.name).toMatch(new RegExp(`^${name} · 101 · `));
  });

  it('end where the ids of a list would be cut: the last would be that of another ruleset', async () => {
    const sixteen = Array.from({ length: 16 }, (_, n) => 10_001 + n).join(',');
    const offered = (last: string) =>
      values(world.alice.chooses(`/firewall replace server:102 rulesets:${sixteen},${last}`, 'rulesets'));
    expect(await offered('web')).toEqual([`${sixteen},7`]);
    expect(await offered('ssh')).toEqual([]);
  });

  it('count towards the 20 reads a minute that a person has', async () => {
    const before = world.panel.requests.length;
    for (let i = 1; i <= 25; i += 1) await world.alice.chooses(`/traffic add server:${100_000 + i}`, 'month');
    expect(world.panel.requests.length - before).toBe(20);
    expect(await world.alice.types('/traffic show server:102')).toContain('20 reads');
    expect(await world.bob.types('/traffic show server:102')).toContain('Traffic of web-2');
  });
});
