import { expect, it } from 'vitest';
import { answerTo, asks, changes, ended, idOf, stateOf, textOf } from '../helpers/messages.ts';
import { describeWithRedisServer, ownRedisServer } from '../helpers/redis-server.ts';
import { startBot } from '../helpers/stage.ts';
import { surroundings } from '../helpers/surroundings.ts';

describeWithRedisServer('a standby of a bot whose ledger is in a Redis', () => {
  it('goes on with all that the leader knew, when that stops', async () => {
    const [around, redis] = [await surroundings(), await ownRedisServer()];
    const env = { REDIS_URL: redis.url, LEDGER: 'redis' };
    const leader = await startBot(around, { env });
    const standby = startBot(around, { env });
    const { discord } = around;
    const ends = async (who: 'alice' | 'bob', line: string): Promise<string> => {
      const states = ['SUCCEEDED', 'ACCEPTED', 'BLOCKED', 'UNAVAILABLE'];
      return textOf(await answerTo(around, await discord.type(who, 'ops', line), states, who));
    };

    const question = await asks(around, '/firewall flush server:web-1');
    expect(await ends('bob', '/hold server:web-2 reason:mine')).toContain('Held until');
    expect((await leader.end('SIGTERM')).code).toBe(0);
    await standby;
    expect(await ends('alice', '/power boot server:web-2')).toContain('BLOCKED');
    await discord.click('alice', question.id, idOf(question, 'Confirm'));
    expect(stateOf(await ended(around, question))).toBe('SUCCEEDED');
    expect(changes(around)).toHaveLength(1);
  });
});
