import { expect, it } from 'vitest';
import { ownRedisServer, startBot, surroundings } from '../helpers/bot-process.ts';
import { answerTo, asks, changes, ended, idOf, stateOf, textOf } from '../helpers/messages.ts';
import { describeWithRedisServer } from '../helpers/redis-server.ts';

describeWithRedisServer('two processes with one ledger', () => {
  it('stop what is frozen or held, whichever of them hears what; and change nothing while it cannot be read', async () => {
    const [around, redis] = [await surroundings(), await ownRedisServer()];
    const env = { REDIS_URL: redis.url, LEDGER: 'redis' };
    const bots = await Promise.all([startBot(around, { env }), startBot(around, { env })]);
    const { discord } = around;
    const ends = async (who: 'alice' | 'bob', line: string): Promise<string> =>
      textOf(
        await answerTo(
          around,
          await discord.type(who, 'ops', line),
          ['SUCCEEDED', 'ACCEPTED', 'BLOCKED', 'UNAVAILABLE'],
          who,
        ),
      );

    const questions = await Promise.all(
      ['web-1', 'web-2', 'web-3', 'db-1'].map((name) => asks(around, `/firewall flush server:${name}`)),
    );
    expect(await ends('alice', '/freeze reason:migration')).toContain('frozen until');
    await Promise.all(questions.map((one) => discord.click('alice', one.id, idOf(one, 'Confirm'))));
    for (const one of questions) expect(stateOf(await ended(around, one))).toBe('BLOCKED');
    for (const name of ['web-1', 'web-2', 'web-3'])
      expect(await ends('bob', `/power boot server:${name}`)).toContain('BLOCKED');
    expect(changes(around)).toEqual([]);

    // The one that heard of it may be gone.
    bots[0]?.kill('SIGKILL');
    expect(await ends('bob', '/power boot server:web-1')).toContain('BLOCKED');
    expect(await ends('alice', '/thaw')).toContain('is over');
    expect(await ends('bob', '/hold server:web-1 reason:mine')).toContain('Held until');
    expect(await ends('alice', '/power boot server:web-1')).toContain('BLOCKED');
    expect(await ends('bob', '/power boot server:web-1')).toContain('ACCEPTED');

    const sent = changes(around).length;
    await redis.kill();
    expect(await ends('alice', '/power boot server:web-2')).toContain('UNAVAILABLE');
    expect(changes(around)).toHaveLength(sent);
  }, 60_000);
});
