import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../src/policy/load.ts';
import { changed, example, guild, known, wrongIn } from '../helpers/policy/known.ts';

describe('a policy that is right', () => {
  it('is read as it is written', () => {
    expect(readPolicy(example, known)).toEqual({
      policy: {
        guild: '1100000000000000001',
        channels: ['1300000000000000001'],
        roles: [
          { role: '1200000000000000001', name: 'viewer', allow: ['read'] },
          {
            role: '1200000000000000002',
            name: 'on-call',
            allow: ['read', 'write', 'power.*'],
            servers: ['web-*', '100-199'],
          },
          { role: '1200000000000000003', name: 'lead', allow: ['*'] },
        ],
        commands: [
          { match: ['ipv4.assign'], confirm: true },
          { match: ['backup.restore'], typed: true, reason: 'required' },
        ],
        servers: [
          { id: 101, name: 'web-1', tier: 'production', ips: ['192.0.2.101'], group: 1 },
          { id: 111, name: 'db-1' },
          { id: 201, name: 'lab-1' },
          { id: 301, name: 'web-far' },
        ],
        tiers: [],
        inventoryRights: 'ids',
        unlisted: 'nothing',
        limits: { 'ipv4.assign': 8 },
        several: { most: 10, also: [] },
        auditChannel: 'wanted',
        queueStatus: false,
        askOthers: false,
        notify: {
          ...{ failed: ['requester'], unknown: ['requester'], restore: ['requester'], slow: ['requester'] },
          ...{ answered: ['requester'], done: ['requester'] },
        },
        handoverPin: false,
        timezone: 'UTC',
        rulesets: {},
        vlans: {},
        followUps: { deadline: 86_400_000 },
      },
    });
  });

  it('needs nothing but a role: without the rest, nothing may be done to any server', () => {
    const read = readPolicy('roles: [{ role: "1200000000000000003", name: lead, allow: ["*"] }]', known);
    expect(read).toMatchObject({ policy: { commands: [], servers: [], unlisted: 'nothing', limits: {} } });
    expect(read).not.toHaveProperty('policy.channels');
  });

  it('may give one Discord role several rows', () => {
    const twice = '  - { role: "1200000000000000003", name: lead, allow: [read] }\ncommands:';
    expect(wrongIn(changed('commands:', twice))).toEqual([]);
  });
});

describe('what is wrong with a value', () => {
  it.each([
    ['an unknown key', 'allow: [read] }', 'alow: [read] }', 'roles[0].alow (line 3): Unknown key'],
    ['an unknown key at the top', 'unlisted: nothing', 'unlist: nothing', 'unlist (line 14): Unknown key'],
    ['a role id that is no snowflake', '"1200000000000000001"', '"12"', 'roles[0].role (line 3): '],
    ['a role id without quotes', '"1200000000000000001"', '1200000000000000001', 'roles[0].role (line 3): '],
    ['a channel that is no snowflake', '["1300000000000000001"]', '["#ops"]', 'channels[0] (line 1): '],
    ['no channel at all', '["1300000000000000001"]', '[]', 'channels (line 1): '],
    ['a role name that cannot be shown', 'name: viewer', 'name: "@everyone"', 'roles[0].name (line 3): '],
    ['a role that is called everyone', 'name: viewer', 'name: Everyone', 'roles[0].name (line 3): '],
    ['a role that allows nothing', 'allow: [read] }', 'allow: [] }', 'roles[0].allow (line 3): '],
    ['a row that is looser: confirm', 'confirm: true', 'confirm: false', 'commands[0].confirm (line 7): Only true'],
    ['a row that is looser: typed', 'typed: true', 'typed: false', 'commands[1].typed (line 8): Only true'],
    ['a row that is looser: reason', 'reason: required', 'reason: optional', 'commands[1].reason (line 8): Only "req'],
    ['a row that asks for nothing', '], confirm: true }', '] }', 'commands[0] (line 7): This row asks for nothing'],
    ['a server id below 1', 'id: 111', 'id: 0', 'servers[1].id (line 11): '],
    ['a server name of digits', 'name: db-1', 'name: "12"', 'servers[1].name (line 11): '],
    ['a server name that is a range', 'name: db-1', 'name: 1-2', 'servers[1].name (line 11): '],
    ['a server name that cannot be shown', 'name: db-1', 'name: "db 1"', 'servers[1].name (line 11): '],
    ['a server without a name', ', name: db-1', '', 'servers[1].name (line 11): Missing.'],
    ['a tier that cannot be shown', 'tier: production', 'tier: "**prod**"', 'servers[0].tier (line 10): '],
    ['an address with a prefix', '"192.0.2.101"', '"192.0.2.0/24"', 'servers[0].ips[0] (line 10): '],
    ['a group below 1', 'group: 1', 'group: -1', 'servers[0].group (line 10): '],
    ['an unknown word for unlisted', 'unlisted: nothing', 'unlisted: some', 'unlisted (line 14): One of'],
    [
      'another word for the audit channel',
      'unlisted: nothing',
      'unlisted: nothing\naudit-channel: needed',
      'audit-channel (line 15): One of: wanted, required.',
    ],
    ['a limit below 1', 'ipv4.assign: 8', 'ipv4.assign: 0', 'limits.ipv4.assign (line 15): '],
  ])('%s', (_, from, to, expected) => {
    const problems = wrongIn(changed(from, to));
    expect(problems.filter((problem) => problem.startsWith(expected))).toHaveLength(1);
    expect(wrongIn(example)).toEqual([]);
  });

  const neither =
    ' (line 15): A whole number from 1, the largest amount in one command; for a network, the shortest prefix of both families, as in { ipv4: 24, ipv6: 48 }.';
  it.each([
    ['no IPv6', '{ ipv4: 24 }', neither],
    ['no IPv4', '{ ipv6: 48 }', neither],
    ['a prefix with its slash', '{ ipv4: /24, ipv6: 48 }', neither],
    ['a text', 'none', neither],
    ['nothing', '', neither],
    [
      'an IPv4 prefix above 32',
      '{ ipv4: 33, ipv6: 48 }',
      '.ipv4 (line 15): The shortest prefix: a whole number from 1 to 32.',
    ],
    [
      'an IPv6 prefix above 128',
      '{ ipv4: 24, ipv6: 129 }',
      '.ipv6 (line 15): The shortest prefix: a whole number from 1 to 128.',
    ],
    [
      'a prefix that bounds nothing',
      '{ ipv4: 0, ipv6: 48 }',
      '.ipv4 (line 15): The shortest prefix: a whole number from 1 to 32.',
    ],
    [
      'a third family',
      '{ ipv4: 24, ipv6: 48, ipv5: 1 }',
      '.ipv5 (line 15): Unknown key. The nearest is ipv4. Known here: ipv4, ipv6.',
    ],
  ])('a limit of networks with %s', (_, limit, problem) => {
    expect(wrongIn(changed('ipv4.assign: 8', `whitelist.add: ${limit}`))).toEqual([`limits.whitelist.add${problem}`]);
  });
});

describe('what does not fit together', () => {
  it.each([
    [
      'a command that does not exist',
      'allow: [read]',
      'allow: [power.of]',
      'roles[0].allow[0] (line 3): No command has',
    ],
    ['a danger that does not exist', 'allow: [read]', 'allow: [raed]', 'roles[0].allow[0] (line 3): No command has'],
    ['a glob that fits no command', '"power.*"', '"powr.*"', 'roles[1].allow[2] (line 4): No command has'],
    ['@everyone as a role', '"1200000000000000003"', `"${guild}"`, "roles[2].role (line 5): This is the guild's id"],
    ['a name for two Discord roles', 'name: lead', 'name: viewer', 'roles[2].name (line 5): roles[0] has this name'],
    ['a range that is reversed', '100-199', '199-100', 'roles[1].servers[1] (line 4): The range is reversed'],
    ['a server that is not listed', '"web-*"', 'mail-1', 'roles[1].servers[0] (line 4): No server under'],
    ['a glob that fits no server', '"web-*"', '"mail-*"', 'roles[1].servers[0] (line 4): No server under'],
    ['an id that is not listed', '100-199', '150', 'roles[1].servers[1] (line 4): No server under'],
    ['a range from 0', '100-199', '0-199', "roles[1].servers[1] (line 4): A server's id is"],
    ['an id with a fraction', '100-199', '1.5', "roles[1].servers[1] (line 4): A server's id is"],
    [
      'a row for an unknown command',
      '[backup.restore]',
      '[backup.make]',
      'commands[1].match[0] (line 8): No command has',
    ],
    [
      'a row for a command that reads',
      '[backup.restore]',
      '[firewall.show]',
      'commands[1].match[0] (line 8): It changes',
    ],
    ['a row for all reads', '[backup.restore]', '[read]', 'commands[1].match[0] (line 8): It changes nothing'],
    ['a server id twice', 'id: 111', 'id: 101', 'servers[1].id (line 11): servers[0] has this id'],
    ['a server name twice', 'name: db-1', 'name: WEB-1', 'servers[1].name (line 11): servers[0] has this name'],
    [
      'a limit without an amount',
      '{ ipv4',
      '{ power.boot: 1, ipv4',
      'limits.power.boot (line 15): This command has neither an amount nor a network. Limits are for: ipv4.assign, ',
    ],
    [
      'a number as the limit of networks',
      'ipv4.assign: 8',
      'whitelist.add: 24',
      'limits.whitelist.add (line 15): This command has a network',
    ],
    [
      'prefixes as the limit of an amount',
      'ipv4.assign: 8',
      'ipv4.assign: { ipv4: 24, ipv6: 48 }',
      'limits.ipv4.assign (line 15): This command has an amount',
    ],
    ['a limit of an unknown command', '{ ipv4', '{ ipv6.add: 1, ipv4', 'limits.ipv6.add (line 15): No command has'],
  ])('%s', (_, from, to, expected) => {
    expect(wrongIn(changed(from, to))).toEqual([expect.stringContaining(expected)]);
  });

  it('names the commands that begin alike', () => {
    expect(wrongIn(changed('allow: [read]', 'allow: [power.powerof]'))).toEqual([
      'roles[0].allow[0] (line 3): No command has this id or matches this glob, and it is not a danger level: "power.powerof". ' +
        'The nearest is power.poweroff. There is: power.boot, power.shutdown, power.restart, power.poweroff.',
    ]);
  });

  it('lets a role name an id that is not listed where something may be done to such servers', () => {
    const text = changed('100-199', '"150"');
    expect(wrongIn(text.replace('unlisted: nothing', 'unlisted: read'))).toEqual([]);
  });
});

describe('all that is wrong', () => {
  it('is reported at once, in the order of the lines', () => {
    const text = changed('name: viewer', 'name: "?"')
      .replace('"power.*"', '"x.*"')
      .replace('confirm: true', 'confirm: false')
      .replace('id: 111', 'id: 101')
      .replace('unlisted: nothing', 'unlisted: some');
    expect(wrongIn(text).map((problem) => problem.slice(0, problem.indexOf(':')))).toEqual([
      'roles[0].name (line 3)',
      'roles[1].allow[2] (line 4)',
      'commands[0].confirm (line 7)',
      'servers[1].id (line 11)',
      'unlisted (line 14)',
    ]);
  });

  it('finds the line of a value in block style', () => {
    const block = `roles:
  - role: "1200000000000000003"
    name: lead
    allow:
      - read
      - writ
`;
    expect(wrongIn(block)).toEqual([expect.stringContaining('roles[0].allow[1] (line 6): No command')]);
  });

  it('finds a key that is there twice, beside the rest', () => {
    const text = changed('unlisted: nothing', 'unlisted: nothing\nunlisted: some');
    expect(wrongIn(text)).toEqual([
      'line 15: This key is already there above. Keep one of the two.',
      'unlisted (line 14): One of: nothing, read, all.',
    ]);
  });

  it.each([
    ['a tab', 'roles:\n\t- a\n', 'line 2: Lines are indented with spaces'],
    ['a tab in a row', 'roles: [{ role: x,\n\tname: y }]\n', 'line 2: Lines are indented with spaces'],
    ['an open bracket', 'channels: [a\nroles: []\n', 'line 1: `]` is missing in this line at its end'],
    ['a second document', 'roles: []\n---\nroles: []\n', 'line 2: A second YAML document'],
    ['a tag', 'roles: !!js/function x\n', 'line 1: Not valid YAML'],
    ['nothing', '', 'the file (line 1): The file is a mapping of: channels, roles,'],
    ['mere text', 'policy', 'the file (line 1): The file is a mapping of: channels, roles,'],
    ['a key of the language itself', '__proto__: {}\nroles: []\n', '__proto__ (line 1): Unknown key'],
  ])('is said of a file with %s', (_, text, expected) => {
    expect(wrongIn(text)[0]).toContain(expected);
  });

  it('is one problem where it is tabs, however many', () => {
    const text = `roles:\n  - role: "1"\n${'\tx: 1\n'.repeat(33)}`;
    expect(wrongIn(text)).toEqual(['line 3: Lines are indented with spaces, never with tabs. 32 more lines have one.']);
  });

  it('refuses aliases that multiply', () => {
    const ten = (of: string) => `[${Array(10).fill(of).join(', ')}]`;
    const bomb = `a: &a ${ten('x')}\nb: &b ${ten('*a')}\nc: &c ${ten('*b')}\nroles: ${ten('*c')}\n`;
    expect(wrongIn(bomb)).toEqual(['the file (line 1): Too many YAML aliases.']);
  });

  it('never repeats a value: somebody may have named the wrong file', () => {
    const secret = 'MTA0.hunter2-hunter2';
    const texts = [
      secret,
      `token: ${secret}`,
      `roles: ${secret}`,
      `roles: [{ role: ${secret}, name: "${secret}!", allow: [${secret}], servers: [${secret}] }]`,
      `unlisted: ${secret}\ncommands: [{ match: [${secret}], confirm: ${secret} }]`,
      `roles: *${secret}`,
      `roles: !${secret} a`,
      `a: b: ${secret}`,
      `servers: [{ id: ${secret}, name: ${secret}*, tier: ${secret}*, ips: [${secret}] }]\nchannels: [${secret}]`,
    ];
    for (const text of texts) {
      expect(wrongIn(text).length).toBeGreaterThan(0);
      expect(wrongIn(text).join('\n')).not.toContain('hunter2');
    }
  });
});
