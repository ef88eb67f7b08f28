import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { Deposed } from './ledger.ts';
import { type Clocks, stopwatch } from './stopwatch.ts';

/** In ms. */
export interface LeasePace {
  /** How often the leader renews, and how often a standby looks. */
  renew: number;
  look: number;
  /** How long a standby sees one lease unchanged before it takes it. */
  patience: number;
  /** For how long after a renewal the leader sends and posts. */
  safe: number;
}

export const usualPace: LeasePace = { renew: 2_000, look: 250, patience: 10_000, safe: 6_000 };

/** Who leads, as the lease says it: `<process> <version> <renewals> <host>`, or `released <version>`. Empty: nobody ever did. */
export interface Holder {
  id: string;
  version: string;
  /** The name of its machine. */
  host?: string;
}

export const leaseOf = ({ id, version, host }: Holder, renewals: number): string =>
  [id, version, renewals, ...(host === undefined ? [] : [host])].join(' ');
export const released = ({ version }: Pick<Holder, 'version'>): string => `released ${version}`;
export const isReleased = (lease: string): boolean => lease.startsWith('released ');
export const isOf = ({ id }: Pick<Holder, 'id'>, lease: string): boolean => lease.startsWith(`${id} `);
export const versionIn = (lease: string): string | undefined => lease.split(' ')[1];
export const hostIn = (lease: string): string | undefined => lease.split(' ')[3];

/** Whether one version is older than another, by its numbers. */
export function isOlder(version: string, other: string): boolean {
  const [mine, theirs] = [version, other].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  const at = mine?.findIndex((number, i) => number !== theirs?.[i]) ?? -1;
  return at >= 0 && (mine?.[at] ?? 0) < (theirs?.[at] ?? 0);
}

/** Whether a standby may take the lease that it sees. While it was frozen, the leader may have been, too. */
export function patienceWith({ look, patience }: LeasePace, now = () => performance.now()) {
  let [seen, since, unchanged] = ['', now(), 0];
  return {
    mayTake(lease: string): boolean {
      const passed = Math.min(now() - since, 4 * look);
      unchanged = lease === seen ? unchanged + passed : 0;
      [seen, since] = [lease, now()];
      return isReleased(lease) || unchanged >= patience;
    },
    /** Redis did not answer: the leader may not have reached it either. */
    begin(): void {
      unchanged = 0;
      seen = '-';
    },
  };
}

/** Replaces the lease, unless it is another process's. One that is gone is nobody's: a successor would show in the ledger. */
const script = `
local lease = redis.call('GET', KEYS[1])
if lease and string.sub(lease, 1, #ARGV[1]) ~= ARGV[1] then return lease end
redis.call('SET', KEYS[1], ARGV[2])
return ARGV[2]`;

/** How long an answer may wait to learn whether this process still leads, in ms: Discord waits for 3 seconds. */
const waitForNews = 1_000;

interface LeaseParts {
  redis: Pick<Redis, 'eval'>;
  key: string;
  holder: Holder;
  pace: LeasePace;
  clocks?: Clocks | undefined;
  onDeposed(error: Deposed): void;
}

export type Lease = ReturnType<typeof createLease>;

/** The leader's side of the lease. */
export function createLease({ redis, key, holder, pace, clocks, onDeposed }: LeaseParts) {
  /** Since the last renewal that was acknowledged was sent, and since Redis did not answer one. Undefined: never. */
  let renewed: (() => number) | undefined;
  let failed: (() => number) | undefined;
  let renewals = 0;
  let renewing: Promise<void> | undefined;
  let deposed: Deposed | undefined;

  function depose(): Deposed {
    if (deposed !== undefined) return deposed;
    deposed = new Deposed();
    onDeposed(deposed);
    return deposed;
  }

  const put = async (lease: string): Promise<boolean> =>
    (await redis.eval(script, 1, key, `${holder.id} `, lease)) === lease;

  async function attempt(): Promise<void> {
    const sent = stopwatch(clocks);
    renewals += 1;
    try {
      if (await put(leaseOf(holder, renewals))) renewed = sent;
      else depose();
      failed = undefined;
    } catch {
      failed = stopwatch(clocks);
    }
  }

  function renew(): Promise<void> {
    renewing ??= attempt().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  const isHeld = (): boolean => deposed === undefined && renewed !== undefined && renewed() < pace.safe;

  return {
    ...{ isHeld, renew, depose },
    /** `sent`: since the request left that took the lease. */
    begin(sent: () => number): void {
      renewed = sent;
    },
    /** Whether this process has ever led, and was not deposed. */
    isLeader: (): boolean => renewed !== undefined && deposed === undefined,
    /**
     * Resolves while this process leads, or knows that Redis does not answer; after a sleep, as soon as either is known.
     * Rejects with Deposed.
     */
    async awake(): Promise<void> {
      // The first renewal may have left before the sleep.
      for (let tries = 0; tries < 2 && !isHeld(); tries += 1) {
        if (failed !== undefined && failed() < 2 * pace.renew) break;
        await Promise.race([renew(), delay(waitForNews, undefined, { ref: false })]);
      }
      if (deposed !== undefined) throw deposed;
    },
    /** Lets a standby take it at once. */
    async release(): Promise<void> {
      await renewing;
      if (renewed === undefined || deposed !== undefined) return;
      // What still waits to be said finds a lease that is not ours. That is no news to anybody.
      deposed = new Deposed();
      await put(released(holder)).catch(() => undefined);
    },
  };
}
