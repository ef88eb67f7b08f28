import { commands } from '../../commands/index.ts';
import { createFollowUps, type FollowUps } from '../follow-ups/index.ts';
import { createSource } from '../follow-ups/source.ts';
import type { Panel } from '../panel/client.ts';
import type { LivePolicy } from '../policy/live.ts';
import { every } from '../waits.ts';
import type { CardRenderer } from './cards.ts';
import type { AppOptions } from './options.ts';
import { quietLog, type RedisSide } from './redis-place.ts';
import type { Closing, Store } from './store.ts';

interface Followable extends Pick<Store, 'ledger'> {
  redis: RedisSide;
  panel: Panel;
  drawn: CardRenderer;
  policy: Pick<LivePolicy, 'current'>;
}

/** Restores and power actions, followed to their end. */
export function follow(
  options: AppOptions,
  { ledger, panel, redis, drawn, policy: { current } }: Followable,
  closing: Closing,
): FollowUps {
  const { log } = options;
  const connected = redis.opened.then(async ({ url, connection }) => {
    if (options.still) return { producer: connection.redis };
    const { connectRedis } = await import('../redis/connect.ts');
    const worker = connectRedis(url, quietLog(log), 'forWorker');
    closing.unshift(() => worker.close());
    return { producer: connection.redis, worker: worker.redis };
  });
  const followUps = createFollowUps({
    ledger,
    redis: connected,
    source: createSource(panel, () => current().restoreStatus, log),
    follows: () => ({ restore: true, power: current().queueStatus, deadline: current().followUps.deadline }),
    readable: () => current().restoreStatus !== undefined,
    changed: (id) => drawn.cards.mark(id, 'later'),
    stuckAfter(id) {
      const { ifStuck } = commands.find((command) => command.id === id) ?? {};
      return ifStuck === undefined ? undefined : (options.intervals?.stuck ?? ifStuck.after);
    },
    intervals: options.intervals?.followUps,
    observe: options.observe,
    log,
  });
  closing.push(() => followUps.close());
  return followUps;
}

/** As soon as there is a Redis, whenever it may have lost something, and now and then. */
export function keepFollowing({ reconcile }: FollowUps, redis: RedisSide, ms: number, closing: Closing): void {
  redis.opened.then(
    ({ connection }) => connection.onReturn(() => void reconcile()),
    () => undefined,
  );
  closing.push(every(ms, reconcile));
}
