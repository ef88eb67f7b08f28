import { setTimeout as delay } from 'node:timers/promises';
import type { StandbyVitals, Vitals } from './vitals.ts';

/** `problem`: one sentence without secrets. */
interface Part {
  ok: boolean;
  problem?: string;
}

/** `parts`: only those that this process needs to serve. */
export interface Readiness {
  ready: boolean;
  /** Left out while the bot starts. */
  role?: 'leader' | 'standby';
  parts: Partial<Record<PartName, Part>>;
  /** Problems that do not keep the bot from serving. */
  warnings?: readonly string[];
}

/** `bot`: only while the bot starts. */
type PartName = (typeof partNames)[number] | 'bot';
export const partNames = ['gateway', 'redis', 'ledger', 'canary'] as const;

/** The maximum age of the canary, in ms: four of its intervals. */
const canaryStale = 60_000;
/** The timeout of one part, in ms. A disk or Redis that hangs counts as a problem. */
const partTimeout = 2_000;

/** Whether the bot can serve. `vitals`: or what its start is at. Calls neither the panel nor Discord. Never rejects. */
export async function readiness(
  vitals: Vitals | StandbyVitals | string | undefined,
  waits: readonly string[],
  now: () => number,
): Promise<Readiness> {
  if (vitals === undefined || typeof vitals === 'string') {
    const problem = vitals === undefined ? 'The bot is starting.' : `The bot is starting: it ${vitals}.`;
    return { ready: false, parts: { bot: { ok: false, problem } }, ...(waits.length === 0 ? {} : { warnings: waits }) };
  }
  if (vitals.role === 'standby') {
    const redis = partOf(vitals.redis(), noRedis);
    return { ready: redis.ok, role: 'standby', parts: { redis }, ...(waits.length === 0 ? {} : { warnings: waits }) };
  }
  const parts = {
    gateway: partOf(vitals.gateway(), 'The connection to Discord is gone.'),
    redis: partOf(vitals.redis(), noRedis),
    ledger: await ledgerPart(vitals),
    canary: await canaryPart(vitals, now),
  };
  const lag = vitals.lag();
  const warnings = [
    ...(lag === undefined ? [] : [`The audit channel is behind. ${lag.words} Changes continue.`]),
    ...waits,
  ];
  return {
    ready: Object.values(parts).every(({ ok }) => ok),
    role: 'leader',
    parts,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

const noRedis = 'Redis cannot be reached.';

const partOf = (ok: boolean, problem: string): Part => (ok ? { ok } : { ok, problem });

async function ledgerPart({ probeLedger }: Vitals): Promise<Part> {
  const works = probeLedger().then(
    () => true,
    () => false,
  );
  return partOf(await inTime(works, false), 'The ledger cannot be written.');
}

async function canaryPart({ lastCanary }: Vitals, now: () => number): Promise<Part> {
  const last = await inTime(lastCanary(), undefined);
  if (last === undefined) return partOf(false, 'No worker has taken the canary of the follow-ups yet.');
  const age = now() - last;
  return partOf(
    age <= canaryStale,
    `No worker has taken the canary of the follow-ups for ${Math.round(age / 1_000)} s.`,
  );
}

const inTime = <T>(work: Promise<T>, late: T): Promise<T> =>
  Promise.race([work, delay(partTimeout, late, { ref: false })]);
