import { commands } from '../../commands/index.ts';
import { createFollowUps, type FollowUps } from '../follow-ups/index.ts';
import { createSource } from '../follow-ups/source.ts';
import type { Panel } from '../panel/client.ts';
import type { LivePolicy } from '../policy/live.ts';
import { connectRedis, type RedisHandle } from '../redis/connect.ts';
import type { CardRoom } from './cards.ts';
import type { AppOptions } from './options.ts';
import { type Closing, quietLog, type RedisPlace, type Store } from './store.ts';

interface Followable extends RedisPlace, Pick<Store, 'ledger'> {
  panel: Panel;
  room: CardRoom;
  policy: Pick<LivePolicy, 'current'>;
}

/** Restores and power actions, followed to their end. */
export function follow(
  options: AppOptions,
  { ledger, panel, connection, url, room, policy: { current } }: Followable,
  closing: Closing,
): FollowUps {
  const { log } = options;
  const worker = options.still ? undefined : connectRedis(url, quietLog(log), 'forWorker');
  if (worker !== undefined) closing.push(() => worker.close());
  const followUps = createFollowUps({
    ledger,
    redis: { producer: connection.redis, worker: worker?.redis },
    source: createSource(panel, () => current().restoreStatus, log),
    follows: () => ({ restore: true, power: current().queueStatus, deadline: current().followUps.deadline }),
    readable: () => current().restoreStatus !== undefined,
    changed: (id) => room.cards.mark(id, 'later'),
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

/** Now, whenever Redis may have lost something, and now and then. */
export function keepFollowing(followUps: FollowUps, connection: RedisHandle, every: number, closing: Closing): void {
  const reconcile = (): void => void followUps.reconcile();
  reconcile();
  connection.onReturn(reconcile);
  const timer = setInterval(reconcile, every);
  closing.push(() => Promise.resolve(clearInterval(timer)));
}
