import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cardsInRedis } from '../../src/cards/redis-store.ts';
import { openRedisLedger } from '../../src/ledger/redis-store.ts';
import { LedgerUnavailable } from '../../src/outcome.ts';
import { createDiscord, type Discord } from '../helpers/cards/discord.ts';
import { cardsOn } from '../helpers/cards/process.ts';
import { clock, firstLine, flush, headlines, holding, pace, posted } from '../helpers/cards/scene.ts';
import * as story from '../helpers/cards/story.ts';
import { connection, ownServer } from '../helpers/ledger/places.ts';
import { notes } from '../helpers/ledger/samples.ts';
import { describeWithRedisServer } from '../helpers/redis-server.ts';

const { asks, bob, ends, follows, jobEnds, openedOf, sends, typed } = story;

describeWithRedisServer('Two processes on one ledger', () => {
  const server = ownServer();

  async function two() {
    const prefix = `${randomUUID()}:`;
    const discord = createDiscord();
    const living = new Set(['one', 'two']);
    const alive = (ids: readonly string[]) => Promise.resolve(new Set(ids.filter((id) => living.has(id))));
    const start = async (processId: string) => {
      const redis = await connection(server().url);
      const ledger = await openRedisLedger({ redis: await connection(server().url), log: notes(), prefix });
      onTestFinished(() => ledger.close());
      const store = cardsInRedis({ redis, processId, alive, log: notes(), prefix });
      return { ledger, ...cardsOn({ discord, clock, pace: { ...pace, retry: 5 } }, { ledger, store, processId }) };
    };
    return { discord, living, one: await start('one'), two: await start('two') };
  }
  const shows = (discord: Discord, of: story.Typed, line: string) =>
    expect.poll(() => firstLine(discord, of.message)).toBe(line);
  const expired = 'EXPIRED /firewall flush · web-1 (101, production)';
  const question = 'QUESTION /firewall flush · web-1 (101, production)';

  test('A late edit of one process does not hide for good what the other showed', async () => {
    const { discord, one, two: other } = await two();
    const of = posted(discord, flush);
    const held = holding(discord);
    await one.ledger.append([asks(of, 1, { expires: new Date(Date.now() + 60_000).toISOString() })]);
    await expect.poll(() => held.length).toBe(1);
    discord.react = () => 'edited';
    await other.ledger.refresh();
    await other.ledger.append([ends(of, 'expired', 1, { reason: 'expired' })]);
    await shows(discord, of, expired);
    // Now the first edit lands, and covers it.
    await held[0]?.();
    await shows(discord, of, expired);
    expect(headlines(discord)).toEqual([question, expired, expired]);
  });

  test('also if the ledger could not be read at that moment', async () => {
    const { discord, one, two: other } = await two();
    const of = posted(discord, flush);
    const held = holding(discord);
    await one.ledger.append([asks(of)]);
    await expect.poll(() => held.length).toBe(1);
    discord.react = () => 'edited';
    await other.ledger.refresh();
    await other.ledger.append([ends(of, 'expired', 1, { reason: 'expired' })]);
    await shows(discord, of, expired);
    const refresh = vi.spyOn(one.ledger, 'refresh').mockRejectedValueOnce(new LedgerUnavailable());
    await held[0]?.();
    await shows(discord, of, expired);
    expect(refresh.mock.calls.length).toBeGreaterThan(1);
  });

  test('What one showed is drawn again when the other showed something else since', async () => {
    const { discord, one, two: other } = await two();
    const down = posted(discord, typed('down', '/power shutdown server:101'));
    const up = posted(discord, typed('up', '/power boot server:101', { by: bob }));
    const said = () => story.wordsOf(discord.shown(down.message ?? '') ?? story.firstCard('down', openedOf(down)));
    await one.ledger.append([sends(down)]);
    await one.ledger.append([ends(down, 'accepted')]);
    await one.cards.shown('down', 5_000);
    const before = said();
    await other.ledger.refresh();
    await other.ledger.append([sends(up)]);
    await other.ledger.append([ends(up, 'accepted'), follows(up, 4)]);
    await expect.poll(said).toContain('Undo accepted, by <@1100000000000000002>: see the newer card.');
    // It is the first that learns how the job ended.
    await one.ledger.refresh();
    await one.ledger.append([jobEnds(up, 'failed')]);
    await expect.poll(said).toEqual(before);
  });

  test('What an edit of a process that died covered is drawn again by whoever takes over', async () => {
    const { discord, living, one, two: other } = await two();
    const of = posted(discord, flush);
    const held = holding(discord);
    await one.ledger.append([asks(of)]);
    await expect.poll(() => held.length).toBe(1);
    discord.react = () => 'edited';
    await other.ledger.refresh();
    other.cards.touched('flush', { id: '77', token: 'of-the-click', at: 0, message: of.message });
    await other.ledger.append([ends(of, 'expired', 1, { reason: 'expired' })]);
    await shows(discord, of, expired);
    one.cut();
    living.delete('one');
    await held[0]?.();
    await shows(discord, of, question);
    await other.cards.takeOver();
    await shows(discord, of, expired);
  });
});
