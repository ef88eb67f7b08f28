import { expect, it, onTestFinished } from 'vitest';
import { startEmbeddedRedis } from '../../../src/redis/embedded.ts';
import { moment, openScene, startQuick } from '../../helpers/follow-ups/killing.ts';
import { wait } from '../../helpers/follow-ups/story.ts';
import { asks, ended, idOf, quietLog } from '../../helpers/messages.ts';

it.each([
  ['an empty Redis', false],
  ['a Redis that outlives it', true],
])(
  'killed between the message and its entry, with %s, the bot does not ping again',
  async (_, outlives) => {
    let ahead = 0;
    const scene = await openScene(1_000, () => Date.now() + ahead);
    const redis = outlives ? await startEmbeddedRedis(quietLog) : undefined;
    onTestFinished(async () => redis?.close());
    const first = await startQuick(scene, redis?.url);
    const question = await asks(scene, '/firewall disable server:web-1 remind:5m');
    await scene.discord.click('alice', question.id, idOf(question, 'Confirm'));
    await ended(scene, question);
    await first.kill();

    // However late the kill comes: the bot cannot know that its message was posted.
    scene.discord.order({ kind: 'lose-request', by: 'hang', match: { method: 'POST', path: '/channels/*/messages' } });
    const pings = () => scene.discord.messages('alice', 'ops').filter(({ pinged }) => pinged.length > 0);
    const later = 6 * 60_000;
    // Discord's clock goes with the bot's.
    ahead = later;
    const posting = moment(scene, () => pings().length > 0);
    const second = await startQuick(scene, redis?.url, later);
    await posting;
    await second.kill();
    scene.discord.clear();
    const reminded = () => scene.ledger().filter(({ kind }) => kind === 'reminded');
    expect(reminded()).toEqual([]);

    // Discord has forgotten the nonce.
    ahead = 2 * later;
    await startQuick(scene, redis?.url, 2 * later);
    await wait(() => reminded().length === 1, 'the entry', 40_000);
    expect(pings().map(({ pinged, replyTo }) => [replyTo, ...pinged])).toEqual([[question.id, 'alice']]);
    expect(reminded()[0]?.place.message).toBe(pings()[0]?.id);
    expect(scene.chain()).toBe(true);
  },
  90_000,
);
