import type { Fault, RecordedRequest } from '../../src/sandbox/panel/index.ts';
import type { Random } from './random.ts';
import type { Stage } from './stage.ts';

/** Of each kind: what it is ordered with. Those that hold until cleared are about connections. */
const kinds: Readonly<Record<Fault['kind'], (random: Random) => Omit<Fault, 'kind' | 'match' | 'times'>>> = {
  delay: (random) => ({ ms: random.between(50, 2_500) }),
  'reset-before': () => ({}),
  'reset-after': () => ({}),
  'status-before': (random) => random.pick(refusals),
  'status-after': (random) => ({ status: random.pick([500, 502, 504]) }),
  truncated: () => ({}),
  oversized: () => ({}),
  slow: (random) => ({ ms: random.between(50, 2_000) }),
  html: () => ({}),
  gzip: () => ({}),
  'wrong-token': () => ({}),
  'hang-before': () => ({}),
  'hang-after': () => ({}),
  'wrong-certificate': () => ({}),
  refuse: () => ({}),
};

const refusals = [
  { status: 500 },
  { status: 503 },
  { status: 403, body: { errors: ['Not with this token.'] } },
  { status: 404, body: { errors: ['It is not there.'] } },
  { status: 422, body: { errors: { server: ['It is busy.'] } } },
  { status: 423, body: { errors: ['The server is locked.'] } },
  { status: 429, headers: { 'retry-after': '1' }, body: { errors: ['Slow down.'] } },
] as const;

export const panelFaults = Object.keys(kinds).map((kind) => `panel ${kind}`);

/** After these, the bot cannot know what became of a request: unless it was one of the refusals that say no. */
const ambiguous: readonly Fault['kind'][] = [
  'reset-before',
  'reset-after',
  'status-before',
  'status-after',
  'truncated',
  'oversized',
  'html',
  'hang-before',
  'hang-after',
];

/** An order, and when it was there. */
interface Order {
  fault: Fault;
  from: number;
  to: number;
}

/** The panel's faults, with their times. */
export interface PanelFaults {
  /** Orders it; answers how to take it back. */
  order(kind: string, random: Random): () => Promise<void>;
  /** Whether a request may have met something after which the bot cannot know. */
  mayBeAmbiguous(request: RecordedRequest): boolean;
  /** Whether its port was closed then. That ends connections whose request the panel has not read: it knows nothing of them. */
  closedBetween(from: number, to: number): boolean;
}

export function watchPanel({ panel, mode, story }: Stage): PanelFaults {
  const orders: Order[] = [];
  panel.changed(() => {
    const open = orders.filter(({ to }) => to === Number.POSITIVE_INFINITY);
    for (const order of open) if (!panel.isOrdered(order.fault)) order.to = Date.now();
  });
  return {
    order(name, random) {
      const kind = kindOf(name);
      // Without TLS there is no certificate: then the port is closed instead.
      const real = kind === 'wrong-certificate' && !mode.tls ? 'refuse' : kind;
      const isForAll = real === 'refuse' || real === 'wrong-certificate';
      const match = random.pick([{ changes: true }, { changes: true }, { changes: false }, {}]);
      const what = kinds[real](random);
      const times = isForAll ? 1 : random.between(1, 3);
      const own = Array.from({ length: times }, (): Order => {
        const fault: Fault = { kind: real, ...what, ...(isForAll ? {} : { match }) };
        panel.order(fault);
        return { fault, from: Date.now(), to: Number.POSITIVE_INFINITY };
      });
      orders.push(...own);
      story.tell(`the panel: ${JSON.stringify(own[0]?.fault)}, ${times} times`);
      return async () => {
        // Only this puts the right certificate back; it ends the other faults as well.
        if (real === 'wrong-certificate') await panel.clear();
        for (const order of own) {
          await panel.cancel(order.fault);
          order.to = Math.min(order.to, Date.now());
        }
      };
    },
    mayBeAmbiguous: (request) =>
      request.status === undefined || orders.some((order) => mayMeet(order, request) && isAmbiguous(order.fault)),
    closedBetween: (after, before) =>
      orders.some(({ fault, from }) => fault.kind === 'refuse' && from >= after && from <= before),
  };
}

function kindOf(name: string): Fault['kind'] {
  const kind = Object.keys(kinds).find((each) => name === `panel ${each}`);
  if (kind === undefined) throw new Error(`no fault of the panel: ${name}`);
  // One of its own keys.
  return kind as Fault['kind'];
}

const isAmbiguous = ({ kind, status }: Fault): boolean =>
  ambiguous.includes(kind) && (kind !== 'status-before' || (status ?? 500) >= 500);

function mayMeet({ fault, from, to }: Order, { at, method, path }: RecordedRequest): boolean {
  const changes = method !== 'GET' || path.includes('sync=true');
  const fits = fault.match?.changes === undefined || fault.match.changes === changes;
  return fits && at.getTime() >= from && at.getTime() <= to;
}
