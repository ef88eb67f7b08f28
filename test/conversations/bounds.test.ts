import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { examplePolicy, openWorld, worldForAll } from '../helpers/world.ts';

const all = commands.flatMap(({ id, options }) =>
  Object.entries(options).map(([name, option]) => ({ id, name, ...option })),
);

describe('what can be typed', () => {
  it('has a bound, whatever the option', () => {
    const texts = all.filter(({ type, choices }) => type === 'string' && choices === undefined);
    expect(texts.filter(({ max }) => max === undefined).map(({ id, name }) => `${id} ${name}`)).toEqual([]);
    const numbers = all.filter(({ type, choices }) => type === 'integer' && choices === undefined);
    expect(numbers.filter(({ min, max }) => min === undefined || max === undefined)).toEqual([]);
    expect([texts.length, numbers.length].every((count) => count > 5)).toBe(true);
  });

  it('is 1,200 characters at most for one command', () => {
    const lengths = commands.map(({ options }) =>
      Object.values(options).reduce((sum, { type, max = 0 }) => sum + (type === 'string' ? max : 0), 0),
    );
    expect(Math.max(...lengths)).toBe(1_200);
  });
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
