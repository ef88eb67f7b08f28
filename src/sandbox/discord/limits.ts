/** A rate limit: so many requests in so many milliseconds. */
export interface Limit {
  count: number;
  ms: number;
}

export interface Limits {
  /** Message posts a channel; Discord's own 5 in 5 seconds unless said otherwise. `false`: none. */
  posts?: Limit | false;
  /** Message edits a channel; none unless said otherwise. */
  edits?: Limit | false;
  /** All requests with the bot's token; 50 a second. Interaction callbacks and webhooks do not count. */
  global?: Limit | false;
  /** Edits of one message older than an hour; 3 an hour. Too many: error 30046. */
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

/**
 * Counts requests in fixed windows that begin with their first request. By the machine's clock and not the sandbox's:
 * clients wait in real time.
 */
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

/** Discord's headers for a bucket. */
export function limitHeaders(bucket: string, taken: Taken, epochMs: number): Record<string, string> {
  return {
    'x-ratelimit-bucket': bucket,
    'x-ratelimit-limit': String(taken.limit),
    'x-ratelimit-remaining': String(taken.remaining),
    'x-ratelimit-reset': seconds(epochMs + taken.resetAfterMs),
    'x-ratelimit-reset-after': seconds(taken.resetAfterMs),
  };
}

/** Milliseconds as the seconds with three places that Discord writes, never rounded down. */
export function seconds(ms: number): string {
  return (Math.ceil(ms) / 1000).toFixed(3);
}
