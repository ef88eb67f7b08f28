import { expect, it } from 'vitest';
import { ownRedisServer } from '../../helpers/bot-process.ts';
import { stateOf } from '../../helpers/messages.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';
import { openScene, type Scene } from '../../helpers/trail/killing.ts';
import { audit, isSeamless, linesOf } from '../../helpers/trail/studio.ts';

const servers = ['web-1', 'web-2', 'web-3', 'db-1', 'db-2', 'mail-1', 'cache-1', 'build-1', 'vpn-1', 'lab-1'];
const rests = ['SUCCEEDED', 'UNKNOWN', 'NOT-SENT', 'UNAVAILABLE', 'BLOCKED'];

/** The cards that have come to an end: which command each answers, and how it ended. */
const endedCards = ({ discord }: Scene) =>
  discord
    .messages('alice', 'ops')
    .map((card) => ({ id: card.id, answers: card.answers, state: stateOf(card) }))
    .filter(({ state }) => rests.includes(state));

/** How the trail says that runs ended: `STATE card`. */
const endedLines = ({ discord }: Scene): string[] =>
  linesOf(discord)
    .filter((line) => line.includes('/firewall enable') && !line.includes('> SENT '))
    .map((line) => line.replace(/^\S+ (\S+) .*\/(\d+)\)$/, '$1 $2'));

describeWithRedisServer('Two processes with one ledger, while 200 commands are typed', () => {
  it('leave a whole trail through outages of Discord and Redis, one of them killed', { timeout: 240_000 }, async () => {
    const [scene, redis] = [await openScene(), await ownRedisServer()];
    const { discord, panel } = scene;
    const options = { redisUrl: redis.url, ledger: 'redis' } as const;
    const [killed] = await Promise.all([scene.start(options), scene.start(options)]);
    const ended = (ids: string[]): Promise<true> =>
      discord.until(() => {
        const done = new Set(endedCards(scene).map(({ answers }) => answers));
        return ids.every((id) => done.has(id)) && (true as const);
      }, 90_000);

    /** What happens while the commands of which round are under way. */
    const blows: Record<number, () => unknown> = {
      3: () =>
        discord.order({ kind: 'status', status: 503, match: { path: `/channels/${audit}/*` }, times: 1_000_000 }),
      6: () => discord.clear(),
      8: () => redis.kill(),
      11: () => redis.restart(),
      13: () => panel.order({ kind: 'delay', ms: 500, match: { changes: true }, times: 0 }),
      14: () => killed.kill(),
      16: () => panel.clear(),
      17: () => scene.start(options),
    };
    const typed: string[] = [];
    for (let round = 1; round <= 20; round += 1) {
      // What a process could not record yet is lost with it.
      if (round === 13) await discord.until(() => endedLines(scene).length >= 120, 60_000);
      const enables = servers.map((server) => discord.type('alice', 'ops', `/firewall enable server:${server}`));
      const ids = await Promise.all(enables);
      typed.push(...ids);
      await blows[round]?.();
      // What a killed process had in hand is swept up by another, within a minute.
      if (round !== 14) await ended(ids);
    }
    await ended(typed);

    const ends = (): string[] => endedCards(scene).map(({ id, state }) => `${state} ${id}`);
    await discord.until(() => endedLines(scene).sort().join() === ends().sort().join(), 60_000);
    const cards = endedCards(scene);
    expect(typed).toHaveLength(200);
    expect(cards.map(({ answers }) => answers).sort()).toEqual(typed.sort());
    expect(isSeamless(discord)).toBe(true);
    // Nothing was done of which a card says that it was not.
    const count = (end: string): number => cards.filter(({ state }) => state === end).length;
    expect(panel.effects.length).toBeGreaterThanOrEqual(count('SUCCEEDED'));
    expect(panel.effects.length).toBeLessThanOrEqual(count('SUCCEEDED') + count('UNKNOWN'));
    expect(count('SUCCEEDED')).toBeGreaterThan(50);
  });
});
