import { beforeAll, describe, expect, it } from 'vitest';
import { policyWithout } from '../../helpers/follow-ups/story.ts';
import { worldForAll } from '../../helpers/world.ts';

describe('values that are known already', () => {
  const world = worldForAll({
    still: true,
    policy: policyWithout('backup-list').replace('timezone: UTC', 'timezone: Europe/Berlin'),
  });
  beforeAll(async () => {
    await world.alice.types('/ipv4 add server:web-1 addresses:203.0.113.20,203.0.113.21');
    await world.alice.types('/whitelist add server:web-1 network:198.51.100.0/24');
    await world.alice.clicks('Confirm');
    await world.alice.types('/backup restore server:web-1 disks:0,1 chains:0=17 reason:"lost update"');
    await world.alice.clicks('Confirm');
    await world.alice.fills('web-1');
    await world.alice.types('/ipv4 assign server:lab-1 quantity:1');
    await world.alice.clicks('Confirm');
  });

  const values = async (offered: Promise<{ value: string | number }[]>) => (await offered).map(({ value }) => value);

  it('are offered: addresses, networks, disks and chains that the ledger has seen on that server', async () => {
    expect(await values(world.alice.chooses('/ipv4 remove server:web-1', 'addresses'))).toEqual([
      '203.0.113.20',
      '203.0.113.21',
    ]);
    expect(
      await values(world.alice.chooses('/ipv4 remove server:192.0.2.101 addresses:203.0.113.20,', 'addresses')),
    ).toEqual(['203.0.113.20,203.0.113.21']);
    expect(await values(world.alice.chooses('/whitelist remove server:web-1', 'address'))).toEqual(['198.51.100.0']);
    expect(await values(world.alice.chooses('/backup restore server:web-1 disks:0,', 'disks'))).toEqual(['0,1']);
    expect(await values(world.alice.chooses('/backup restore server:web-1 disks:0', 'chains'))).toEqual(['0=17']);
    expect(await values(world.alice.chooses('/ipv4 remove server:web-2', 'addresses'))).toEqual([]);
  });

  it('are not offered of a server that somebody may not touch, nor to who may not run the command', async () => {
    expect(await world.alice.chooses('/ipv4 add server:lab-1', 'addresses')).toHaveLength(1);
    expect(await world.bob.chooses('/ipv4 add server:lab-1', 'addresses')).toEqual([]);
    expect(await world.bob.chooses('/ipv4 add server:198.51.100.201', 'addresses')).toEqual([]);
    expect(await world.bob.chooses('/ipv4 remove server:web-1', 'addresses')).toEqual([
      { name: 'You may not run /ipv4 remove. Roles that may: lead', value: '-' },
    ]);
    expect(await values(world.bob.chooses('/ipv4 add server:web-1', 'addresses'))).toEqual([
      '203.0.113.20',
      '203.0.113.21',
    ]);
  });

  it('disks without a restore that was seen: what is typed, and no hint that Enter would send', async () => {
    expect(await world.alice.chooses('/backup restore server:web-2', 'disks')).toEqual([]);
    expect(await world.alice.chooses('/backup restore server:web-2 disks:x', 'disks')).toEqual([]);
    expect(await world.alice.chooses('/backup restore server:web-2 disks:0,2', 'disks')).toEqual([
      { name: '0,2 · the bot does not know its disks', value: '0,2' },
    ]);
  });

  it('disks that were restored together are offered together, then each alone', async () => {
    expect(await values(world.alice.chooses('/backup restore server:web-1', 'disks'))).toEqual(['0,1', '0', '1']);
    expect(await values(world.alice.chooses('/backup restore server:web-1 disks:1,', 'disks'))).toEqual(['1,0']);
  });

  it('a list with a server that is not theirs, or with ten, is not completed', async () => {
    expect(await world.bob.chooses('/power restart server:web-1,db', 'server')).toHaveLength(3);
    expect(await world.bob.chooses('/power restart server:lab-1,web', 'server')).toEqual([]);
    expect(await world.bob.chooses('/power restart server:nowhere,web', 'server')).toEqual([]);
    const ten = Array.from({ length: 10 }, (_, n) => 101 + n).join(',');
    expect(await world.alice.chooses(`/power restart server:${ten},lab`, 'server')).toEqual([]);
  });

  it('labels from outside are one line of plain text, never reordered, and never too long', async () => {
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

  it('are not what was only asked for, or refused', async () => {
    await world.alice.types('/ipv4 remove server:web-3 addresses:192.0.2.9');
    await world.alice.clicks('Cancel');
    expect(await world.alice.chooses('/ipv4 add server:web-3', 'addresses')).toEqual([]);
  });

  it('a number gets its units, a time how it is understood', async () => {
    const name = /^3[mhd] · [A-Z][a-z]{2},? \d+ [A-Z][a-z]+, \d\d:\d\d \(Europe\/Berlin\)$/;
    const offered = await world.alice.chooses('/audit history since:3', 'since');
    expect(offered.map(({ value }) => value)).toEqual(['3m', '3h', '3d', '30m']);
    for (const each of offered.slice(0, 3)) expect(each.name).toMatch(name);
    expect(await values(world.alice.chooses('/audit history since:22:00', 'since'))).toEqual(['22:00']);
    expect(await values(world.alice.chooses('/audit history since:y', 'since'))).toEqual([
      'yesterday',
      'yesterday 22:00',
    ]);
    expect(await world.alice.chooses('/audit history since:soon', 'since')).toEqual([]);
    expect(await values(world.alice.chooses('/firewall disable server:web-1', 'remind'))).toContain('2h');
  });

  it('the points in time of a restore are like other times, and stay behind their disk', async () => {
    const restore = (until: string) =>
      world.alice.chooses(`/backup restore server:web-1 disks:0,1 until:${until}`, 'until');
    const [first] = await restore('6');
    expect(first?.name).toMatch(/^6m · [A-Z][a-z]{2},? \d+ [A-Z][a-z]+, \d\d:\d\d \(Europe\/Berlin\)$/);
    expect(await values(restore('6'))).toEqual(['6m', '6h', '6d']);
    expect(await values(restore('yesterday'))).toEqual(['yesterday', 'yesterday 22:00']);
    expect(await values(restore('0=22:00,1=6'))).toEqual(['0=22:00,1=6m', '0=22:00,1=6h', '0=22:00,1=6d']);
    expect(await values(restore('0=22:00,y'))).toEqual(['0=22:00,yesterday', '0=22:00,yesterday 22:00']);
    expect((await values(world.alice.chooses('/backup restore server:web-1 disks:0', 'until'))).slice(0, 3)).toEqual([
      '30m',
      '2h',
      '6h',
    ]);
    expect(await restore('tomorrow')).toEqual([]);
    const card = await world.alice.types(
      '/backup restore server:web-1 disks:0,1 until:"0=22:00,yesterday 22:00" reason:"lost update"',
    );
    expect(card).toContain('QUESTION /backup restore');
    await world.alice.clicks('Cancel');
  });

  it('what is offered can be sent as it is', async () => {
    const [{ value } = { value: '' }] = await world.alice.chooses('/ipv4 remove server:web-1', 'addresses');
    expect(await world.alice.types(`/ipv4 remove server:web-1 addresses:${value}`)).toContain('QUESTION /ipv4 remove');
  });
});
