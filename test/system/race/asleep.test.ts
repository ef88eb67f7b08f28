import { expect, it, onTestFinished } from 'vitest';
import { openRedisLedger } from '../../../src/ledger/redis-store.ts';
import { connection } from '../../helpers/ledger/places.ts';
import { asks, changes, ended, presses, quietLog, stateOf, until } from '../../helpers/messages.ts';
import { describeWithRedisServer, ownRedisServer } from '../../helpers/redis-server.ts';
import { startWorld } from '../../helpers/world.ts';

/** It renews only when it is asked whether it still leads, so that what happens in its sleep is up to the test. */
const lease = { renew: 3_600_000, look: 20, patience: 300, safe: 6_000 };
const successor = { id: 'b', version: '0.1.0' };

/** The steps of a change; how it ends, and how many requests it has, where nobody took over, and where somebody did. */
const steps = [
  ['before it is confirmed', 'SUCCEEDED', 1, 0],
  ['while the panel is read', 'NOT-SENT', 0, 0],
  ['while the panel does it', 'SUCCEEDED', 1, 1],
] as const;

describeWithRedisServer('a machine that sleeps with the leader on it', () => {
  async function asleep() {
    const redis = await ownRedisServer();
    let ahead = 0;
    const said: string[] = [];
    const world = await startWorld({
      ...{
        redisUrl: redis.url,
        ledger: 'redis',
        still: true,
        intervals: { lease },
        onTaken: (words) => said.push(words),
      },
      // The clock that stands while a machine sleeps is another one.
      clocks: () => [performance.now(), performance.now() + ahead, Date.now()],
    });
    onTestFinished(async () => {
      await world.panel.clear();
      await world.stop();
    });
    return {
      world,
      said,
      /** A minute passes, in which another process may take over. */
      async sleeps(isTaken: boolean): Promise<void> {
        if (isTaken) {
          const next = await openRedisLedger({
            ...{ redis: await connection(redis.url), holder: successor, log: quietLog, pace: { ...lease, renew: 100 } },
          });
          onTestFinished(() => next.close());
          const actor = { id: '1', name: 'bot', roles: [] };
          await next.lead(() => [{ kind: 'started', actor, owner: successor.id, facts: {} }]);
        }
        ahead += 60_000;
      },
    };
  }

  it.each(steps)(
    '%s: sends one request at most, and none once another process leads',
    { timeout: 60_000 },
    async (when, ends, alone, taken) => {
      for (const isTaken of [false, true]) {
        const { world, said, sleeps } = await asleep();
        const card = await asks(world, '/firewall flush server:web-1');
        const confirm = () => presses(world, card, 'Confirm');
        if (when === 'before it is confirmed') {
          await sleeps(isTaken);
          await confirm();
        } else {
          const before = world.panel.requests.length;
          const isChange = when === 'while the panel does it';
          world.panel.order({ kind: 'hang-after', match: { changes: isChange } });
          await confirm();
          await world.panel.until(() => world.panel.requests.length > before + Number(isChange));
          await sleeps(isTaken);
          await world.panel.clear();
        }
        if (isTaken) await until(() => said.length > 0, 'its end');
        else expect(stateOf(await ended(world, card))).toBe(ends);
        expect(changes(world)).toHaveLength(isTaken ? taken : alone);
        expect(said).toHaveLength(isTaken ? 1 : 0);
      }
    },
  );
});
