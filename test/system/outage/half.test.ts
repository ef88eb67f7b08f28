import { expect, it } from 'vitest';
import type { BotProcess, Surroundings } from '../../helpers/bot-process.ts';
import { half } from '../../helpers/cut-off.ts';
import { changes, stateOf, textOf, until } from '../../helpers/messages.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';

const servers = ['web-1', 'web-2', 'web-3', 'db-1', 'db-2', 'mail-1', 'cache-1', 'build-1', 'vpn-1', 'lab-1'];

const type = ({ discord }: Surroundings): Promise<string[]> =>
  Promise.all(servers.map((server) => discord.type('alice', 'ops', `/firewall enable server:${server}`)));
const cardsOf = ({ discord }: Surroundings, ids: readonly string[]) =>
  discord.messages('alice', 'ops').filter(({ answers }) => answers !== undefined && ids.includes(answers));
const statesOf = (around: Surroundings, ids: readonly string[]): string[] => cardsOf(around, ids).map(stateOf);
const logged = (bot: BotProcess, text: string): number => bot.logged().split(text).length - 1;
const all = <T>(one: T): T[] => servers.map(() => one);

describeWithRedisServer('of two processes, one that has lost Redis', () => {
  it('does not say that nothing was sent of what the other one is doing', async () => {
    const { around, lost, way } = await half();
    around.panel.order({ kind: 'hang-before', match: { changes: true }, times: 0 });
    const ids = await type(around);
    await around.panel.until(() => changes(around).length === 10);
    await until(() => logged(lost, '"answered"') === 10, 'its words on all', 20_000);
    for (const card of cardsOf(around, ids)) expect(textOf(card)).not.toContain('Nothing was sent');

    way.mend();
    await until(
      () => logged(lost, 'the ledger refuses an entry from the outbox') === 10,
      'all that it is not to record',
      20_000,
    );
    await around.panel.clear();
    await until(() => statesOf(around, ids).every((state) => state === 'SUCCEEDED'), 'the end of all', 20_000);
    expect(statesOf(around, ids)).toEqual(all('SUCCEEDED'));
    expect(changes(around)).toHaveLength(10);
  });

  it('speaks for itself alone, and its cards say how it ended once the other one did it', async () => {
    const { around, lost, other, way } = await half();
    other.kill('SIGSTOP');
    const ids = await type(around);
    await until(() => statesOf(around, ids).join() === all('UNAVAILABLE').join(), 'its words', 20_000);
    for (const card of cardsOf(around, ids)) {
      expect(textOf(card)).not.toContain('Nothing was sent');
      expect(textOf(card)).toContain('if another process of the bot took this before, the card will say how it ended');
    }
    expect(changes(around)).toEqual([]);

    other.kill('SIGCONT');
    await until(() => statesOf(around, ids).every((state) => state === 'SUCCEEDED'), 'what the other one did', 20_000);
    way.mend();
    await until(
      () => logged(lost, 'the ledger refuses an entry from the outbox') === 10,
      'what it is not to record',
      20_000,
    );
    expect(statesOf(around, ids)).toEqual(all('SUCCEEDED'));
    expect(changes(around)).toHaveLength(10);
  });

  it('does not say that an incident was not begun that the other one began', async () => {
    const { around, lost, way } = await half();
    const cards = () => around.discord.messages('alice', 'ops').filter(({ content }) => /incident start/.test(content));
    lost.kill('SIGSTOP');
    await around.discord.type('alice', 'ops', '/incident start title:"web-1 does not answer"');
    await until(() => cards().map(stateOf).join() === 'SUCCEEDED', 'its begin');
    lost.kill('SIGCONT');
    await until(() => lost.logged().includes('"command":"incident.start"'), 'the answer of the lost one', 20_000);
    expect(cards().map(textOf).join()).not.toContain('Nothing was sent');
    way.mend();
    await until(() => cards().map(stateOf).join() === 'SUCCEEDED', 'what the ledger says', 20_000);
  });
});
