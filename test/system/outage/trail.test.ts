import { expect, it } from 'vitest';
import { ownRedisServer } from '../../helpers/bot-process.ts';
import { runOf, stateOf, textOf } from '../../helpers/messages.ts';
import { openScene, type Scene } from '../../helpers/quick-bot.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';
import { audit, isSeamless, linesOf } from '../../helpers/trail/process.ts';

const servers = ['web-1', 'web-2', 'web-3', 'db-1', 'db-2', 'mail-1', 'cache-1', 'build-1', 'vpn-1', 'lab-1'];
const rests = ['SUCCEEDED', 'UNKNOWN', 'NOT-SENT', 'UNAVAILABLE', 'BLOCKED'];

/** The cards that have come to an end: which command each answers, its run, and how it ended. */
const endedCards = ({ discord }: Scene) =>
  discord
    .messages('alice', 'ops')
    .map((card) => ({ card, answers: card.answers, state: stateOf(card) }))
    // What pings about a card answers no command.
    .filter(({ answers, state }) => answers !== undefined && rests.includes(state))
    .map(({ card, ...rest }) => ({ ...rest, run: /run \w+/.test(textOf(card)) ? runOf(card) : '' }));

/** How the trail says that runs ended: `STATE run`. A line may have what came before and after it, too. */
const endedLines = ({ discord }: Scene): string[] =>
  linesOf(discord).flatMap((line) => {
    const [, steps = '', run = ''] = /^\S+ ([A-Z, -]+) `\/firewall enable`.* · `(\w+)\.1`/.exec(line) ?? [];
    return steps.split(', ').flatMap((step) => (rests.includes(step) ? [`${step} ${run}`] : []));
  });

describeWithRedisServer('A ledger in Redis, while 200 commands are typed', () => {
  it('leaves a whole trail through outages of Discord and Redis, and a leader that is killed', {
    timeout: 240_000,
  }, async () => {
    const [scene, redis] = [await openScene({ audit: true }), await ownRedisServer()];
    const { discord, panel } = scene;
    const options = { redisUrl: redis.url, ledger: 'redis' } as const;
    const killed = await scene.start(options);
    const ended = (ids: string[]): Promise<true> =>
      discord.until(() => {
        const done = new Set(endedCards(scene).map(({ answers }) => answers));
        return ids.every((id) => done.has(id)) && (true as const);
      }, 90_000);

    /** What happens while the commands of which round are under way. */
    const blows: Record<number, (ids: readonly string[]) => unknown> = {
      3: () =>
        discord.order({ kind: 'status', status: 503, match: { path: `/channels/${audit}/*` }, times: 1_000_000 }),
      6: () => discord.clear(),
      8: () => redis.kill(),
      11: () => redis.restart(),
      13: () => panel.order({ kind: 'delay', ms: 500, match: { changes: true }, times: 0 }),
      14: async (ids) => {
        // Nobody else answers what it has not answered yet.
        await discord.until(() =>
          ids.every((id) => discord.messages('alice', 'ops').some((one) => one.answers === id)),
        );
        await killed.kill();
        await scene.start(options);
      },
      16: () => panel.clear(),
    };
    const typed: string[] = [];
    for (let round = 1; round <= 20; round += 1) {
      // What a process could not record yet is lost with it.
      if (round === 13) await discord.until(() => endedLines(scene).length >= 120, 60_000);
      const enables = servers.map((server) => discord.type('alice', 'ops', `/firewall enable server:${server}`));
      const ids = await Promise.all(enables);
      typed.push(...ids);
      await blows[round]?.(ids);
      // What a killed process had begun is swept up by the next, within a minute.
      if (round !== 14) await ended(ids);
    }
    await ended(typed);

    // A command that is refused while Redis is away has no run.
    const ends = (): string[] => endedCards(scene).flatMap(({ run, state }) => (run === '' ? [] : [`${state} ${run}`]));
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
