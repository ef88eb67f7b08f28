import { commands } from '../../commands/index.ts';
import { createFollowUps, type FollowUps } from '../follow-ups/index.ts';
import { createSource } from '../follow-ups/source.ts';
import type { Panel } from '../panel/client.ts';
import type { LivePolicy } from '../policy/live.ts';
import type { Runner } from '../shell/index.ts';
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
export function keepFollowing(followUps: FollowUps, redis: RedisSide, every: number, closing: Closing): void {
  const reconcile = (): void => void followUps.reconcile();
  redis.opened.then(
    ({ connection }) => connection.onReturn(reconcile),
    () => undefined,
  );
  const timer = setInterval(reconcile, every);
  closing.push(() => Promise.resolve(clearInterval(timer)));
}

/** Looks again and again for what is left to do, one look at a time. The answer stops that. */
export function recovering(runner: Pick<Runner, 'recover'>, every: number): () => Promise<void> {
  let under = Promise.resolve();
  let busy = false;
  const look = (): void => {
    if (busy) return;
    busy = true;
    under = runner.recover().finally(() => {
      busy = false;
    });
  };
  look();
  const timer = setInterval(look, every);
  return async () => {
    clearInterval(timer);
    await under;
  };
}
