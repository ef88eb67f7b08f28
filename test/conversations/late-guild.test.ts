import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DiscordFault } from '../../src/sandbox/discord/index.ts';
import { until } from '../helpers/messages.ts';
import { examplePolicy, openWorld, startWorld, type World } from '../helpers/world.ts';

describe('a bot that starts while its guild has an outage', () => {
  let world: World;
  let startedIn: number;
  beforeAll(async () => {
    const from = performance.now();
    world = await startWorld({ audit: true, broken: [{ kind: 'guild-outage' }] });
    startedIn = performance.now() - from;
  });
  afterAll(() => world.stop());

  it('serves at once, without waiting for the guild', () => {
    expect(startedIn).toBeLessThan(14_500);
  });

  it('uses the roles that each command carries: nobody is wrongly denied or allowed', async () => {
    expect(await world.bob.types('/power boot server:web-1')).toMatch(/^panelops: ACCEPTED/m);
    expect(await world.alice.types('/firewall flush server:web-1')).toContain('QUESTION');
    expect(await world.alice.clicks('Confirm')).toContain('SUCCEEDED');
    expect(await world.bob.chooses('/power boot server:web-', 'server')).not.toEqual([]);
    expect(await world.mallory.types('/firewall show server:web-1')).toContain('none of your roles has');
    expect(await world.carol.types('/power boot server:web-1')).toContain('none of your roles has');
    expect(await world.alice.types('/firewall show server:web-1', 'random')).toContain(
      'Commands are not answered here',
    );
  });

  it('warns about no role or channel that it does not know yet, and posts its trail', async () => {
    expect(world.logged()).not.toContain('the policy names');
    await world.discord.until(() => world.discord.messages('alice', 'audit').length > 0);
    expect(await world.carol.types('/panel check')).not.toContain('Nothing may change');
  });

  it('goes on as before when the guild is there', async () => {
    world.discord.clear();
    expect(await world.bob.types('/power boot server:web-2')).toMatch(/^panelops: ACCEPTED/m);
    expect(world.logged()).not.toContain('the policy names');
    world.discord.setRoles('bob', []);
    expect(await world.bob.types('/power boot server:web-2')).toContain('none of your roles has');
  });
});

it('Ids in the policy that the guild does not have are warned of, once Discord has told what it has', async () => {
  const policy = examplePolicy
    .replaceAll('1200000000000000001', '1299999999999999999')
    .replaceAll('1300000000000000001', '1399999999999999999');
  const world = await openWorld({ broken: [{ kind: 'guild-outage' }], policy });
  const warned = () =>
    world
      .logged()
      .split('\n')
      .filter((line) => line.includes('the policy names'));
  expect(warned()).toEqual([]);
  world.discord.clear();
  await until(() => warned().length === 2, 'the warnings');
  expect(warned().map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, roles: ['1299999999999999999'] },
    { level: 40, channels: ['1399999999999999999'] },
  ]);
});

const path = '/applications/*/commands';

it.each<[string, DiscordFault]>([
  ['breaks the connection', { kind: 'lose-request', by: 'close', match: { method: 'GET', path } }],
  ['answers 503 for a while', { kind: 'status', status: 503, match: { method: 'GET', path }, times: 5 }],
  ['answers 404 once, without a word of its own,', { kind: 'status', status: 404, match: { method: 'GET', path } }],
  ['loses the answer to the registration', { kind: 'lose-request', by: 'close', match: { method: 'PUT', path } }],
])('A Discord that %s during registration does not end the bot: it registers later', async (_what, fault) => {
  const world = await openWorld({ broken: [fault] });
  await until(
    () => world.logged().includes('The commands cannot be registered yet; the bot tries again.'),
    'the trouble in the log',
  );
  const written = () => world.discord.requests.filter(({ method, status }) => method === 'PUT' && status === 200);
  await until(() => written().length > 0, 'the registration');
  expect(await world.bob.types('/power boot server:web-1')).toMatch(/^panelops: ACCEPTED/m);
  expect(written()).toHaveLength(1);
});
