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
  'gzip',
  'wrong-token',
  'hang-before',
  'hang-after',
  'wrong-certificate',
  'refuse',
] as const;

/** A fault on order. `before` and `after`: when the change takes effect. `wrong-token`: as if revoked. */
export interface Fault {
  /** The requests it applies to; missing: all, as it must be for `wrong-certificate` and `refuse`. */
  match?: {
    method?: string;
    /** Part of the path below /api/v1, with the query. */
    path?: string;
    /** true: only changes, that is anything but GET, and GET with sync=true; false: only reads. */
    changes?: boolean;
  };
  /** How many requests it applies to; 0: until cleared. Default 1. */
  times?: number;
  kind: (typeof kinds)[number];
  /** `delay`: before the effect (1000). `slow`: to send the body (1000). `refuse`: until it listens again. */
  ms?: number;
  /** `status-before`, `status-after`: the status, default 500. */
  status?: number;
  /** With `status-…` and `html`: text if a string, otherwise JSON. */
  body?: unknown;
  /** Added to the answer's headers, or replacing them. */
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

/** Messages by key if the value is not a fault, otherwise undefined. */
export function faultProblems(value: unknown): Record<string, string[]> | undefined {
  const result = schema.safeParse(value);
  return result.success ? undefined : fieldErrors(result.error);
}

/** Whether the value is a fault as ordered over HTTP. */
export function isFault(value: unknown): value is Fault {
  return faultProblems(value) === undefined;
}

export interface Faults {
  list(): Fault[];
  add(fault: Fault): void;
  /** The first fault that matches this request; counts as used. */
  take(method: string, path: string): Fault | undefined;
  /** Whether this very object is active. */
  has(fault: Fault): boolean;
  drop(fault: Fault): void;
  clear(): void;
  /** Resolves at the next clear(). */
  cleared(): Promise<void>;
}

/** Whether the fault applies to connections rather than single requests. */
function isAboutConnections({ kind }: Fault): boolean {
  return kind === 'refuse' || kind === 'wrong-certificate';
}

function isMet({ match = {} }: Fault, method: string, path: string): boolean {
  const changes = method !== 'GET' || /[?&]sync=true(&|$)/.test(path);
  if (match.method !== undefined && match.method.toUpperCase() !== method) return false;
  if (match.path !== undefined && !path.includes(match.path)) return false;
  return match.changes === undefined || match.changes === changes;
}

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
