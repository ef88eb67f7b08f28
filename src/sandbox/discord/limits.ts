/** A rate limit: a number of requests per window, in ms. */
export interface Limit {
  count: number;
  ms: number;
}

export interface Limits {
  /** New messages per channel; default 5 in 5 seconds, as Discord has it. `false`: no limit. */
  posts?: Limit | false;
  /** Message edits per channel; default none. */
  edits?: Limit | false;
  /** All requests with the bot's token, except interaction callbacks and webhooks; default 50 a second. */
  global?: Limit | false;
  /** Edits of one message older than an hour; default 3 an hour. More fail with 30046. */
  lateEdits?: Limit | false;
}

export const DEFAULT_LIMITS: Required<Limits> = {
  posts: { count: 5, ms: 5000 },
  edits: false,
  global: { count: 50, ms: 1000 },
  lateEdits: { count: 3, ms: 3_600_000 },
};

export interface Taken {
  ok: boolean;
  limit: number;
  remaining: number;
  resetAfterMs: number;
}

/** Counts requests in fixed windows from their first one, by the machine's clock: clients wait in real time. */
export function makeBuckets(clock: () => number = () => performance.now()) {
  const windows = new Map<string, { endsAt: number; used: number }>();
  return (key: string, { count, ms }: Limit): Taken => {
    const at = clock();
    const known = windows.get(key);
    const window = known && known.endsAt > at ? known : { endsAt: at + ms, used: 0 };
    windows.set(key, window);
    const ok = window.used < count;
    if (ok) window.used += 1;
    return { ok, limit: count, remaining: count - window.used, resetAfterMs: Math.max(1, window.endsAt - at) };
  };
}

/** Discord's rate limit headers for a bucket. */
export function limitHeaders(bucket: string, taken: Taken, epochMs: number): Record<string, string> {
  return {
    'x-ratelimit-bucket': bucket,
    'x-ratelimit-limit': String(taken.limit),
    'x-ratelimit-remaining': String(taken.remaining),
    'x-ratelimit-reset': seconds(epochMs + taken.resetAfterMs),
    'x-ratelimit-reset-after': seconds(taken.resetAfterMs),
  };
}

/** Formats ms as seconds with three decimals, as Discord does, never rounded down. */
export function seconds(ms: number): string {
  return (Math.ceil(ms) / 1000).toFixed(3);
}
