import { LedgerUnsafe } from '../ledger/ledger.ts';
import { syncOf } from '../ledger/redis-stream.ts';
import { applicationOf, type Log, RedisUnavailable } from '../outcome.ts';
import type { RedisHandle } from '../redis/connect.ts';
import { claimDatabase, otherBot } from '../redis/owner.ts';
import { askRedis, type LedgerIn, type RedisFinding, type RedisFound, unusable } from '../redis/probe.ts';

/** What is asked of a Redis, and by whom: `token` is Discord's. Without one, it may be anybody's. */
export interface RedisUse {
  ledgerIn: LedgerIn;
  token?: string | undefined;
}

/** With this Redis, the bot does not start, now or later, until somebody changes something. */
export class RedisUnfit extends Error {
  constructor({ problem, remedy }: RedisFinding) {
    super(`${problem}. ${remedy}`);
    this.name = 'RedisUnfit';
  }
}

/** What a check says of this Redis, and what a start goes by. */
export async function judgeRedis(redis: RedisHandle['redis'], { ledgerIn, token }: RedisUse): Promise<RedisFound> {
  try {
    const found = await askRedis(redis, ledgerIn);
    const application = token === undefined ? undefined : applicationOf(token);
    const findings = [
      ...found.findings,
      // Both need what the first findings say is missing.
      ...(found.findings.some(({ state }) => state === 'wrong')
        ? []
        : [
            ...(ledgerIn === 'redis' ? await aboutLedger(redis) : []),
            ...(application === undefined ? [] : await otherBot(redis, application)),
          ]),
    ];
    return { ...found, findings };
  } catch (error) {
    return unusable(error);
  }
}

async function aboutLedger(redis: RedisHandle['redis']): Promise<RedisFinding[]> {
  try {
    await syncOf(redis);
    return [];
  } catch (error) {
    if (!(error instanceof LedgerUnsafe)) throw error;
    const { problem, remedy } = error;
    return [{ state: 'wrong', problem: `The ledger is not safe in this Redis: ${problem}`, remedy }];
  }
}

/**
 * Goes on only with a Redis that `panelops check` finds nothing wrong with, and logs its warnings; later, whatever is found
 * when it is back, once each. Throws RedisUnfit, or RedisUnavailable for what passes by itself.
 */
export async function admit({ redis, onReturn }: RedisHandle, use: RedisUse, log: Log): Promise<void> {
  let told = new Set<string>();
  function tell(findings: readonly RedisFinding[]): void {
    for (const { problem, remedy } of findings) if (!told.has(problem)) log.warn({}, `${problem}. ${remedy}`);
    told = new Set(findings.map(({ problem }) => problem));
  }
  const found = await judgeRedis(redis, use);
  if (found.state === 'unusable') throw new RedisUnavailable(undefined, found);
  const wrong = found.findings.find(({ state }) => state === 'wrong');
  if (wrong !== undefined) throw wrong.passes ? new RedisUnavailable(undefined, wrong) : new RedisUnfit(wrong);
  tell(found.findings);
  await own(redis, use);
  const again = async (): Promise<void> => {
    const now = await judgeRedis(redis, use);
    // Otherwise it is away again, which its connection logs.
    if (now.state === 'ok') tell(now.findings);
    await own(redis, use);
  };
  onReturn(() => void again());
}

async function own(redis: RedisHandle['redis'], { token }: RedisUse): Promise<void> {
  const application = token === undefined ? undefined : applicationOf(token);
  // Nothing is lost by a Redis that takes no writes now: the next start does it.
  if (application !== undefined) await claimDatabase(redis, application).catch(() => undefined);
}
