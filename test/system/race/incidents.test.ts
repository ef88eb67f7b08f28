import { expect, it } from 'vitest';
import { ownRedisServer, startBot, surroundings } from '../../helpers/bot-process.ts';
import { fileIn, says, threadsOf } from '../../helpers/incidents/scene.ts';
import { answerTo, stateOf } from '../../helpers/messages.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';

const label = 'Add to incident timeline';

describeWithRedisServer('two processes with one ledger', () => {
  it('open, note and end each incident once, whoever of them hears it', async () => {
    const [around, redis] = [await surroundings(), await ownRedisServer()];
    const env = { REDIS_URL: redis.url, LEDGER: 'redis' };
    await Promise.all([startBot(around, { env }), startBot(around, { env })]);
    const { discord } = around;
    const started = ['one', 'two', 'three'].map((title) =>
      discord.type('alice', 'ops', `/incident start title:${title}`),
    );
    for (const id of started) await answerTo(around, await id, ['SUCCEEDED']);
    expect(
      discord
        .threads()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['one', 'three', 'two']);

    for (const thread of threadsOf(around)) {
      /** How the answers to these ended, in the order of the alphabet. */
      const ends = async (interactions: readonly Promise<string>[]): Promise<string[]> => {
        const ids = await Promise.all(interactions);
        return discord.until(() => {
          const seen = (['alice', 'bob'] as const).flatMap((who) => discord.messages(who, thread));
          const answers = ids.map((id) => seen.find((one) => one.answers === id));
          const states = answers.map((one) => (one === undefined ? 'WORKING' : stateOf(one)));
          return !states.includes('WORKING') && states.sort();
        });
      };
      const message = await says(around, 'carol', thread, 'it is the switch');
      const kept = [discord.menu('alice', message, label), discord.menu('bob', message, label)];
      expect(await ends(kept)).toEqual(['INVALID', 'SUCCEEDED']);
      const ended = [discord.type('alice', thread, '/incident end'), discord.type('bob', thread, '/incident end')];
      expect(await ends(ended)).toEqual(['INVALID', 'SUCCEEDED']);
      expect(fileIn(around, thread).match(/it is the switch/g)).toHaveLength(1);
      const greetings = discord.messages('bob', thread).filter(({ content }) => content.startsWith('**Incident**'));
      expect(greetings).toHaveLength(1);
    }
  });
});
