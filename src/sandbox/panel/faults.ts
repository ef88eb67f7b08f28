import { z } from 'zod';
import { fieldErrors } from './answer.ts';

const kinds = [
  'delay',
  'reset-before',
  'reset-after',
  'status-before',
  'status-after',
  'truncated',
  'oversized',
  'slow',
  'html',
  'wrong-token',
  'hang-before',
  'hang-after',
  'wrong-certificate',
  'refuse',
] as const;

/**
 * Something that goes wrong on order. `before` and `after` say whether the change takes effect first; `wrong-token`: the token
 * is refused as one that was taken back, and nobody is locked out for it.
 */
export interface Fault {
  /** The requests that meet it; left out: all. Nothing to match for `wrong-certificate` and `refuse`: they hold until cleared. */
  match?: {
    method?: string;
    /** Part of the path below /api/v1, with the query. */
    path?: string;
    /** true: only what changes something, that is anything but GET, and GET with sync=true; false: only the rest. */
    changes?: boolean;
  };
  /** How many requests meet it; 0: until cleared. Default 1. */
  times?: number;
  kind: (typeof kinds)[number];
  /** `delay`: before the effect (1000). `slow`: to send the body (1000). `refuse`: until it listens again (until cleared). */
  ms?: number;
  /** `status-before`, `status-after`: the status, default 500. */
  status?: number;
  /** With `status-…` and `html`: text when a string, otherwise JSON. */
  body?: unknown;
  /** Sent beside, or instead of, the headers of the answer. */
  headers?: Record<string, string>;
}

const schema = z.strictObject({
  match: z
    .strictObject({
      method: z.string().optional(),
      path: z.string().optional(),
      changes: z.boolean().optional(),
    })
    .optional(),
  times: z.int().min(0).optional(),
  kind: z.enum(kinds),
  ms: z.number().min(0).optional(),
  status: z.int().min(200).max(599).optional(),
  body: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});

/** Messages by key where the value is no fault, otherwise undefined. */
export function faultProblems(value: unknown): Record<string, string[]> | undefined {
  const result = schema.safeParse(value);
  return result.success ? undefined : fieldErrors(result.error);
}

/** Whether the value is a fault as ordered over HTTP. */
export function isFault(value: unknown): value is Fault {
  return faultProblems(value) === undefined;
}

/** The faults that are on order. */
export interface Faults {
  list(): Fault[];
  add(fault: Fault): void;
  /** The first fault that this request meets; it counts as met. */
  take(method: string, path: string): Fault | undefined;
  /** Whether this very object is on order. */
  has(fault: Fault): boolean;
  /** Takes one back. */
  drop(fault: Fault): void;
  clear(): void;
  /** Resolves at the next clear(). */
  cleared(): Promise<void>;
}

/** Whether the fault is about connections, not about single requests. */
function isAboutConnections({ kind }: Fault): boolean {
  return kind === 'refuse' || kind === 'wrong-certificate';
}

function isMet({ match = {} }: Fault, method: string, path: string): boolean {
  const changes = method !== 'GET' || /[?&]sync=true(&|$)/.test(path);
  if (match.method !== undefined && match.method.toUpperCase() !== method) return false;
  if (match.path !== undefined && !path.includes(match.path)) return false;
  return match.changes === undefined || match.changes === changes;
}

/** An empty list of faults. */
export function createFaults(): Faults {
  let orders: { fault: Fault; left: number }[] = [];
  let release: () => void;
  let cleared: Promise<void>;
  const renew = () => {
    cleared = new Promise((resolve) => {
      release = resolve;
    });
  };
  renew();
  return {
    list: () => orders.map(({ fault, left }) => ({ ...fault, times: Number.isFinite(left) ? left : 0 })),
    add(fault) {
      const forEver = fault.times === 0 || isAboutConnections(fault);
      orders.push({ fault, left: forEver ? Number.POSITIVE_INFINITY : (fault.times ?? 1) });
    },
    take(method, path) {
      const order = orders.find(({ fault }) => !isAboutConnections(fault) && isMet(fault, method, path));
      if (!order) return undefined;
      order.left -= 1;
      orders = orders.filter(({ left }) => left > 0);
      return order.fault;
    },
    has: (fault) => orders.some((order) => order.fault === fault),
    drop(fault) {
      orders = orders.filter((order) => order.fault !== fault);
    },
    clear() {
      orders = [];
      release();
      renew();
    },
    cleared: () => cleared,
  };
}
