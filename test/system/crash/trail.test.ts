import { expect, it } from 'vitest';
import type { DiscordFault } from '../../../src/sandbox/discord/index.ts';
import { ownRedisServer } from '../../helpers/bot-process.ts';
import { answerTo, until } from '../../helpers/messages.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';
import { openScene, type Scene } from '../../helpers/trail/killing.ts';
import { audit, isSeamless, linesOf, posted, reaches } from '../../helpers/trail/process.ts';

const messages = `/channels/${audit}/messages`;
const boot = (scene: Scene, server: string): Promise<string> =>
  scene.discord.type('alice', 'ops', `/firewall enable server:${server}`);
const isOnce = ({ discord }: Scene): boolean => {
  const lines = linesOf(discord);
  return new Set(lines).size === lines.length;
};

/** Where the poster is when it is killed: what its request meets, and what was asked of Discord by then. */
const steps: [string, DiscordFault, RegExp][] = [
  ['reads the channel', { kind: 'lose-request', by: 'hang', match: { method: 'GET', path: messages } }, /^GET/],
  [
    'posts, before Discord takes it',
    { kind: 'status', status: 503, match: { method: 'POST', path: messages }, times: 99 },
    /^POST/,
  ],
  [
    'has posted, before it hears so',
    { kind: 'lose-request', by: 'hang', match: { method: 'POST', path: messages } },
    /^POST/,
  ],
];

it.each(steps)('A bot that is killed when the poster %s leaves no gap and no double', async (title, fault, request) => {
  const scene = await openScene();
  const { discord } = scene;
  const victim = await scene.start();
  await reaches(discord, scene.head);
  const before = posted(discord).length;
  discord.order(fault);
  const asked = discord.requests.length;
  await answerTo(scene, await boot(scene, 'web-1,web-2,web-3'), ['SUCCEEDED']);
  const isMet = ({ method, path }: { method: string; path: string }): boolean =>
    path.includes(messages) && request.test(`${method} ${path}`);
  await until(() => discord.requests.slice(asked).some(isMet), 'the request');
  if (title.startsWith('has posted')) await discord.until(() => posted(discord).length > before);
  await victim.kill();
  discord.clear();
  scene.forget(10 * 60_000);
  await scene.start();
  await reaches(discord, scene.head);
  expect(isSeamless(discord)).toBe(true);
  expect(isOnce(scene)).toBe(true);
  expect(linesOf(discord).filter((line) => line.includes('SUCCEEDED'))).toHaveLength(3);
});

it('Newest messages that somebody deleted while a killed bot was down are posted again: nobody saw them go', async () => {
  const scene = await openScene();
  const { discord } = scene;
  const victim = await scene.start();
  for (const server of ['web-1', 'web-2', 'web-3']) {
    await answerTo(scene, await boot(scene, server), ['SUCCEEDED']);
    await reaches(discord, scene.head);
  }
  await victim.kill();
  for (const { id } of posted(discord).slice(-2)) discord.deleteMessage('alice', id);
  await scene.start();
  await reaches(discord, scene.head);
  expect(linesOf(discord).filter((line) => line.includes('TRAIL CHANGED'))).toEqual([]);
  expect(isSeamless(discord)).toBe(true);
  expect(linesOf(discord).filter((line) => line.includes('SUCCEEDED'))).toHaveLength(3);
});

/** How a run ended. What came before and after it may stand on the same line. */
const ended = /\b(?:SUCCEEDED|UNKNOWN|NOT-SENT|UNAVAILABLE)\b/;

describeWithRedisServer('Processes with one ledger, of which each leads after the one before was killed,', () => {
  it('post every line once and in order', async () => {
    const [scene, redis] = [await openScene(), await ownRedisServer()];
    const options = { redisUrl: redis.url, ledger: 'redis' } as const;
    let bot = await scene.start(options);
    const servers = ['web-1', 'web-2', 'web-3', 'db-1', 'db-2', 'mail-1', 'cache-1', 'build-1', 'vpn-1', 'lab-1'];
    for (const server of servers) {
      await answerTo(scene, await boot(scene, server), ['SUCCEEDED', 'UNKNOWN', 'NOT-SENT', 'UNAVAILABLE']);
      if (server === 'web-3' || server === 'cache-1') {
        await bot.kill();
        bot = await scene.start(options);
      }
    }
    const last = (): boolean =>
      linesOf(scene.discord).some((line) => line.includes('SUCCEEDED') && line.includes('lab-1'));
    await scene.discord.until(last, 30_000);
    expect(isSeamless(scene.discord)).toBe(true);
    expect(isOnce(scene)).toBe(true);
    for (const server of servers) {
      const ends = linesOf(scene.discord).filter((line) => ended.test(line) && line.includes(`${server} (`));
      expect(ends, server).toHaveLength(1);
    }
    scene.discord.deleteMessage('alice', posted(scene.discord)[3]?.id ?? '');
    const told = (): string[] => linesOf(scene.discord).filter((line) => line.includes('TRAIL CHANGED deleted'));
    await scene.discord.until(() => told().length > 0);
    const done = (): string[] => linesOf(scene.discord).filter((line) => /SUCCEEDED.* web-1 \(/.test(line));
    const before = done().length;
    await answerTo(scene, await boot(scene, 'web-1'), ['SUCCEEDED']);
    await scene.discord.until(() => done().length > before);
    expect(told()).toHaveLength(1);
  });
});
