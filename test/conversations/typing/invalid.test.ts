import { describe, expect, it } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { type Command, exampleWith } from '../../../src/command.ts';
import { Invalid } from '../../../src/outcome.ts';
import { parseLine } from '../../../src/sandbox/discord/line.ts';
import { withoutValue } from '../../helpers/card-text.ts';
import { at, now } from '../../helpers/commands/typed.ts';
import { examplePolicy, openWorld, worldForAll } from '../../helpers/world.ts';

const eleven = '101,102,103,111,112,121,131,141,151,161,201';

/** What is typed, the option that is wrong, and the rule. */
const refused: [line: string, says: string][] = [
  ['/firewall show server:wbe-1', '`server`: the policy names no server `wbe-1`. Did you mean `web-1`?'],
  ['/power boot server:web-1,wbe-2', '`server`: the policy names no server `wbe-2`. Did you mean `web-2`?'],
  [
    '/power boot server:elsewhere',
    '`server`: the policy names no server `elsewhere`. Type a name, an id or an address, or pick a suggestion.',
  ],
  ['/power boot server:","', '`server`: name at least one server.'],
  [`/power boot server:${eleven}`, '`server`: these are 11 servers; the policy allows at most 10 in one command.'],
  [
    '/firewall replace server:web-1 rulesets:","',
    '`rulesets`: list at least one ruleset. To remove all rules use /firewall flush.',
  ],
  [
    '/firewall replace server:web-1 rulesets:web',
    '`rulesets`: write ids, or names from the policy, with commas, such as 1,2.',
  ],
  ['/firewall replace server:web-1 rulesets:1,1', '`rulesets`: a ruleset is listed twice.'],
  [
    '/whitelist add server:web-1 network:192.0.2.0',
    '`network`: a network such as 192.0.2.0/24 or 2001:db8::/48; for one address 192.0.2.7/32.',
  ],
  ['/whitelist add server:web-1 network:192.0.2.0/33', '`network`: a network such as'],
  ['/whitelist add server:web-1 network:010.0.0.0/8', '`network`: a network such as'],
  ['/whitelist remove server:web-1 address:192.0.2', '`address`: write an IPv4 or IPv6 address.'],
  ['/ipv4 assign server:web-1 quantity:9', '`quantity`: the policy allows at most 8 in one command.'],
  [
    '/ipv4 add server:web-1 addresses:2001:db8::1',
    '`addresses`: each must be an IPv4 address, with commas between them, such as 192.0.2.7,192.0.2.8.',
  ],
  ['/ipv4 remove server:web-1 addresses:","', '`addresses`: list at least one IPv4 address.'],
  ['/ipv4 remove server:web-1 addresses:192.0.2.7,192.0.2.7', '`addresses`: an address is listed twice.'],
  [
    `/ipv4 remove server:web-1 addresses:${Array.from({ length: 51 }, (_, i) => `192.0.2.${i}`)}`,
    '`addresses`: at most 50 addresses in one command.',
  ],
  ['/vlan set server:web-1 vlan:7', '`native-mode`: give native-mode, trunk or both: there is nothing to set.'],
  [
    '/vlan set server:web-1 vlan:7 trunk:1 interface:tertiary',
    '`interface`: write primary, secondary or a tag of ten digits.',
  ],
];

/** What a person's app does not send in the first place. */
const notSent = [
  '/firewall show',
  '/firewall show server:web-1 interface:tertiary',
  '/firewall enable server:web-1 sync:perhaps',
  '/ipv4 assign server:web-1 quantity:0',
  '/ipv4 assign server:web-1 quantity:257',
  '/traffic add server:web-1 month:0 amount:1',
  '/traffic add server:web-1 month:1 amount:1000001',
  '/cpu throttle server:web-1 percent:101',
  '/cpu throttle server:web-1 percent:-1',
  '/vlan set server:web-1 vlan:7 trunk:3',
  '/hypervisors groups results:201',
  '/hypervisors groups page:0',
  '/hypervisors group group:0',
  `/power boot server:web-1 reason:${'x'.repeat(201)}`,
];

describe('what cannot be meant', () => {
  const world = worldForAll();

  it.each(refused)('%s: %s', async (line, says) => {
    const card = await world.alice.types(line);
    const name = line.split(' ').slice(0, 2).join(' ');
    expect(card.split('\n')[1]).toBe(`panelops: INVALID ${name}`);
    expect(withoutValue(card)).toContain(`│ ${says}`);
    expect(card).toContain(`│ \`\`\`\n  │ ${line.replace('","', ',')}\n  │ \`\`\`\n`);
    expect(card).toContain(line.startsWith('/firewall show') ? '│ Nothing was read.' : '│ Nothing was sent.');
    expect(card).toContain('(only alice sees this)');
    expect([world.panel.requests, world.ledger()]).toEqual([[], []]);
  });

  it.each(notSent)('%s is not even sent by the app', async (line) => {
    await expect(world.discord.type('alice', 'ops', line)).rejects.toThrow();
  });

  it('is marked, given back to be copied, and shown with an example of that option; what was typed stays in its block', async () => {
    const line = '/firewall disable server:web-1 reason:"locked out" remind:"in an hour"';
    const card = await world.alice.types(line);
    expect(card).toContain('│ `remind:"in an hour"`: this is not a time. Write 2h or 3d (from now), 22:00,');
    expect(card).toContain('│ For example: `/firewall disable server:web-1 reason:"locked out" remind:2h`\n');
    await world.alice.types(
      '/power boot server:wbe-1 reason:"``` <@1000000000000000001> @everyone [a](https://example.org) `x` \u202e# big"',
    );
    expect(world.discord.messages('alice', 'ops').at(-1)?.embeds[0]?.description).toContain(
      '\n```\n/power boot server:wbe-1 reason:"ˋˋˋ <@1000000000000000001> @everyone [a](https://example.org) ˋxˋ  # big"\n```\n',
    );
    expect(world.discord.messages('alice', 'ops').flatMap(({ pinged }) => pinged)).toEqual([]);
  });
});

/** Each option of each command, but those of which only Discord knows the values. */
const options = commands.flatMap((command: Command) =>
  command.menu === undefined
    ? Object.entries(command.options).flatMap(([name, { type }]): [string, Command, string][] =>
        type === 'user' ? [] : [[`${command.id} ${name}`, command, name]],
      )
    : [],
);

it.each(options)('the example for %s has that option, and is right', (_name, command, option) => {
  const written = exampleWith(command, option);
  expect(written).toContain(` ${option}:`);
  expect(written).not.toContain('server:web-1');
  const line = written.replace('server:NAME', 'server:web-1');
  const given = Object.entries(Object.fromEntries(parseLine(line).options)).filter(
    ([name]) => command.options[name]?.type !== 'user',
  );
  const raw = Object.fromEntries(
    given.map(([name, text]) => {
      const type = command.options[name]?.type;
      return [name, type === 'integer' ? Number(text) : type === 'boolean' ? text === 'true' : text];
    }),
  );
  try {
    command.prepare(raw, { ...at(now), team: { ...at(now).team, tiers: ['production'] } });
  } catch (error) {
    // Whom to hand over to is left out here.
    if (!(error instanceof Invalid && error.option === 'user')) throw error;
  }
});

it('What can be typed has a bound, whatever the option, and 1,200 characters are the most of one command', () => {
  const all = commands.flatMap(({ id, options }) =>
    Object.entries(options).map(([name, option]) => ({ id: `${id} ${name}`, ...option })),
  );
  const texts = all.filter(({ type, choices }) => type === 'string' && choices === undefined);
  expect(texts.filter(({ max }) => max === undefined).map(({ id }) => id)).toEqual([]);
  const numbers = all.filter(({ type, choices }) => type === 'integer' && choices === undefined);
  expect(numbers.filter(({ min, max }) => min === undefined || max === undefined)).toEqual([]);
  const lengths = commands.map(({ options }) =>
    Object.values(options).reduce((sum, { type, max = 0 }) => sum + (type === 'string' ? max : 0), 0),
  );
  expect(Math.max(...lengths)).toBe(1_200);
});

describe('an entry of a change', () => {
  const world = worldForAll({ still: true });
  const reason = 'x'.repeat(200);
  const servers = 'web-1,web-2,web-3,db-1,db-2,mail-1,cache-1,build-1,legacy-1,vpn-1';
  const disks = Array.from({ length: 23 }, (_, n) => n);
  const addresses = Array.from({ length: 50 }, (_, n) => `203.0.113.${100 + n}`);

  it.each([
    ['ten firewalls', `/firewall disable server:${servers} remind:2h reason:${reason}`],
    [
      'as many disks as can be typed',
      `/backup restore server:web-1 disks:${disks} until:${disks.map((n) => `${n}=-1m`)} reason:${reason}`,
    ],
    ['fifty addresses', `/ipv4 remove server:web-1 addresses:${addresses} reason:${reason}`],
    ['ten servers', `/power shutdown server:${servers} reason:${reason}`],
  ])('has 4 KB at most: %s', async (_what, line) => {
    const before = world.ledger().length;
    expect(await world.alice.types(line)).toContain('QUESTION');
    if ((await world.alice.clicks('Confirm')).startsWith('modal')) await world.alice.fills('web-1');
    const invocation = world.ledger()[before]?.run.split('.')[0] ?? 'none';
    const mine = () => world.ledger().filter(({ run }) => run.startsWith(`${invocation}.`));
    await expect.poll(() => mine().some(({ kind }) => kind === 'outcome')).toBe(true);
    expect(Math.max(...mine().map((entry) => JSON.stringify(entry).length))).toBeLessThan(4_096);
  });
});

it('an entry has no more of a reason than its form takes, whatever a client sends', async () => {
  const policy = examplePolicy.replace('commands:\n', 'commands:\n  - { match: [power.boot], reason: required }\n');
  const world = await openWorld({ still: true, policy });
  await world.alice.types('/firewall show server:web-1');
  await world.discord.type('alice', 'ops', '/power boot server:web-1');
  const { customId } = await world.discord.until(() => world.discord.modalOf('alice'));
  const [message] = world.discord.messages('alice', 'ops');
  await world.discord.forge('alice', message?.id ?? '', customId, { typed: 'x'.repeat(5_000) });
  const reasons = () => world.ledger().map(({ options }) => options['reason']);
  await expect.poll(reasons).toEqual(['x'.repeat(200), 'x'.repeat(200), 'x'.repeat(200)]);
});
