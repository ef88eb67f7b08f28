import { expect, it } from 'vitest';
import { answerTo, messageOf, presses, stateOf, textOf, typed, until, whispers } from '../../helpers/messages.ts';
import { describeWithRedisServer, ownRedisServer } from '../../helpers/redis-server.ts';
import { startBot } from '../../helpers/stage.ts';
import { surroundings } from '../../helpers/surroundings.ts';
import { wayTo } from '../../helpers/tcp.ts';

async function stage() {
  const [around, redis] = [await surroundings(), await ownRedisServer()];
  const way = await wayTo(redis.port);
  await startBot(around, { env: { REDIS_URL: way.url, LEDGER: 'redis' } });
  return { around, way, discord: around.discord };
}

/** One of the bot's connections to Redis may be back before another is: asked again for as long as it is UNAVAILABLE. */
async function askUntilServed(around: Awaited<ReturnType<typeof surroundings>>, line: string) {
  for (;;) {
    const card = await typed(around, line, ['INVALID', 'UNAVAILABLE']);
    if (stateOf(card) === 'INVALID') return card;
  }
}

describeWithRedisServer('what the ledger took without an answer', () => {
  it('is not said not to have been recorded: the end of an incident', async () => {
    const { around, way, discord } = await stage();
    await typed(around, '/incident start title:"web-1 is slow"', ['SUCCEEDED']);
    way.cutAfter('"step":"ended"');
    const id = await discord.type('alice', 'ops', '/incident end');
    await until(way.isCut, 'the append', 20_000);
    const card = await answerTo(around, id, ['SUCCEEDED', 'UNAVAILABLE', 'UNKNOWN']);
    expect(textOf(card)).not.toContain('Nothing was sent');
    way.mend();
    await until(() => stateOf(messageOf(around, card.id)) === 'SUCCEEDED', 'what the ledger says', 60_000);
    expect(textOf(await askUntilServed(around, '/incident end'))).toContain('No incident is open');
  });

  it('is shown when it turns up: what somebody said of an unknown end', async () => {
    const { around, way, discord } = await stage();
    around.panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
    const card = await typed(around, '/firewall enable server:web-1', ['UNKNOWN']);
    await presses(around, card, 'Say what happened');
    await discord.until(() => discord.modalOf('alice'));
    way.cutAfter('"kind":"resolved"');
    await discord.submit('alice', 'It happened: saw it');
    await until(way.isCut, 'the append', 20_000);
    const [said] = await until(() => whispers(around, card).length > 0 && whispers(around, card), 'a word', 20_000);
    expect(said && textOf(said)).toContain('It may have recorded this.');
    way.mend();
    await until(() => textOf(messageOf(around, card.id)).includes('It happened'), 'what the ledger says', 60_000);
  });
});
