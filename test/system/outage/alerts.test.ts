import { describe, expect, it } from 'vitest';
import type { DiscordFault } from '../../../src/sandbox/discord/index.ts';
import { fires, openNight, webhook, webhookAlert } from '../../helpers/alerts.ts';
import { until } from '../../helpers/messages.ts';
import { describeWithRedisServer, ownRedisServer } from '../../helpers/redis-server.ts';
import type { World } from '../../helpers/world.ts';

const ops = '1300000000000000001';
const posts = { method: 'POST', path: `/channels/${ops}/messages` };
const another = { ...fires, key: 'web-2 down', server: 'web-2' };
const ended = { ...fires, status: 'resolved' };

/** The cards of alerts, wherever they are, by what and where. */
const cards = ({ discord }: World): string[] =>
  ['ops', 'audit']
    .flatMap((place) => discord.messages('alice', place))
    // A line of the trail is no card.
    .filter(({ content, embeds }) => content.includes('HostDown') && embeds.length > 0)
    .map(({ content, embeds }) => {
      const [server] = /web-\d/.exec(embeds[0]?.description ?? '') ?? [];
      return `${server} ${content.includes('resolved') ? 'resolved' : 'fires'}`;
    })
    .sort();

/** Until people see these cards, each once; and what was recorded of each is what was said. */
const shows = (world: World, ...expected: string[]): Promise<unknown> =>
  until(() => cards(world).join() === expected.join(), expected.join());

describe.each<[string, DiscordFault]>([
  ['says 503', { kind: 'status', status: 503, match: posts, times: 1_000 }],
  ['hangs up', { kind: 'lose-request', by: 'close', match: posts, times: 1_000 }],
  ['hides the channel', { kind: 'forbid-channel', channel: 'ops', right: 'view' }],
  ['takes nothing in the channel', { kind: 'forbid-channel', channel: 'ops', right: 'send' }],
  ['is away', { kind: 'outage' }],
])('while Discord %s', (_how, fault) => {
  it('no alert is lost, and each has one card, which tells the truth', { timeout: 120_000 }, async () => {
    const { world, send } = await openNight();
    world.discord.order(fault);
    expect([await send(fires), await send(another)]).toEqual([202, 202]);
    // Whoever is killed between receipt and card leaves as little. Nobody starts while all of Discord is away.
    if (fault.kind !== 'outage') await world.restart();
    expect([await send(fires), await send(ended), await send(ended)]).toEqual([202, 202, 202]);
    world.discord.clear();
    await shows(world, 'web-1 resolved', 'web-2 fires');
    await world.restart();
    expect(await send({ ...another, status: 'resolved' })).toBe(202);
    await shows(world, 'web-1 resolved', 'web-2 resolved');
  });
});

it('a post whose answer is lost is not posted again', { timeout: 60_000 }, async () => {
  const { world, send } = await openNight();
  world.discord.order({ kind: 'lose-request', by: 'close', match: posts });
  world.discord.order({ kind: 'late-request', match: posts });
  await send(fires);
  await until(() => world.entries().some((entry) => entry.kind === 'alert' && entry.step === 'shown'), 'its record');
  world.discord.clear();
  await send(ended);
  await shows(world, 'web-1 resolved');
});

it('nor is one of which nothing is recorded, whoever has to be pinged by then', { timeout: 60_000 }, async () => {
  const { world, send } = await openNight();
  // Those who may acknowledge web-1 are more than those who may both.
  const both = webhook(['web-1', 'lab-1'].map((instance) => webhookAlert({ instance })));
  world.discord.order({ kind: 'lose-request', by: 'close', match: posts });
  await send(webhook([webhookAlert({ instance: 'web-1' })]), { to: 'alertmanager' });
  await until(() => cards(world).length === 1, 'its card');
  world.discord.order({ kind: 'status', status: 503, match: { ...posts, method: 'GET' }, times: 1_000 });
  await world.restart();
  await send(both, { to: 'alertmanager' });
  world.discord.clear();
  await until(() => world.entries().some((entry) => entry.kind === 'alert' && entry.step === 'shown'), 'its record');
  expect(cards(world)).toHaveLength(1);
});

it('a channel that is closed has its cards elsewhere, and a gateway that is away takes none', {
  timeout: 60_000,
}, async () => {
  const { world, send } = await openNight({ audit: true });
  world.discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'view' });
  await send(fires);
  await until(() => cards(world).length === 1, 'the card');
  expect(world.discord.messages('alice', 'ops')).toEqual([]);
  world.discord.clear();
  world.discord.order({ kind: 'drop-gateway' });
  await send(another);
  await send(ended);
  await shows(world, 'web-1 resolved', 'web-2 fires');
});

describeWithRedisServer('while Redis is away', () => {
  it.each(['redis', 'file'] as const)(
    'a ledger in %s takes what it can, and says so',
    { timeout: 120_000 },
    async (ledger) => {
      const redis = await ownRedisServer();
      const { world, send } = await openNight({ redisUrl: redis.url, ...(ledger === 'redis' ? { ledger } : {}) });
      expect(await send(fires)).toBe(202);
      await shows(world, 'web-1 fires');
      await redis.kill();
      const status = ledger === 'redis' ? 503 : 202;
      expect([await send(another), await send(ended)]).toEqual([status, status]);
      // What is in no ledger is on no card.
      await shows(world, ...(ledger === 'redis' ? ['web-1 fires'] : ['web-1 resolved', 'web-2 fires']));
      await redis.restart();
      await expect.poll(() => send(another), { timeout: 30_000 }).toBe(202);
      expect(await send(ended)).toBe(202);
      await shows(world, 'web-1 resolved', 'web-2 fires');
      const received = world
        .entries()
        .flatMap((entry) => (entry.kind === 'alert' && entry.step === 'received' ? entry.news : []));
      expect(received.map(({ state, servers }) => `${servers?.[0]?.name} ${state}`).sort()).toEqual([
        'web-1 firing',
        'web-1 resolved',
        'web-2 firing',
      ]);
    },
  );
});
