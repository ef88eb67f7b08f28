import type { Followed } from '../../src/command.ts';
import { genesis } from '../../src/ledger/chain.ts';
import { unobserved } from '../../src/metrics/observe.ts';
import type { CallResult } from '../../src/outcome.ts';
import { openBook } from '../../src/runs/book.ts';
import type { EntryStore } from '../../src/runs/entries.ts';
import type { Entry } from '../../src/runs/entry.ts';
import type { Parts } from '../../src/shell/parts.ts';
import { team } from './team.ts';

/** Rules that let everybody do everything, ask for nothing and know no server. */
export const lenientRules: Parts['rules'] = {
  channels: [],
  listDigest: undefined,
  answersIn: () => true,
  decide: () => ({ allowed: true, role: 'lead', by: '*' }),
  mayDuringFreeze: () => false,
  mayApprove: () => ({ allowed: true, role: 'lead', by: 'approve' }),
  mayAcknowledge: () => ({ allowed: true, role: 'lead', by: 'alerts.acknowledge' }),
  suggested: () => [],
  approvers: () => [],
  thawers: () => [],
  toAsk: () => [],
  askOthers: false,
  requirements: () => ({ confirm: false, typed: false, reason: false }),
  limit: () => undefined,
  find: () => undefined,
  suggest: () => [],
  most: () => 10,
  serversOf: () => undefined,
  selectors: () => [],
  near: () => [],
  reachOf: () => ({ has: () => true, hasListed: () => true }),
  team,
  servers: [],
  roleName: () => undefined,
};

/** A panel that gives every call this answer. */
export const panelOf = (answer: CallResult<unknown>): Parts['panel'] => ({
  // Each test asks the endpoints that its answer is for.
  call: () => Promise.resolve(answer as CallResult<never>),
  look: () => Promise.resolve(answer),
  slot: () => 0,
  useToken: () => undefined,
  budgetLeft: () => ({ circuitOpen: false }),
  facts: () => ({}),
  close: () => Promise.resolve(),
});

/** Follow-ups with this list, of which none can be decided. */
export const followUpsOf = (list: readonly Followed[] = []): Parts['followUps'] => ({
  list: () => Promise.resolve(list),
  stop: () => Promise.resolve(false),
  unfollowed: () => Promise.resolve([]),
  end: () => Promise.resolve(false),
  handOver: () => Promise.resolve(false),
  deadline: () => undefined,
  canLook: () => false,
  look: () => Promise.resolve(undefined),
  troubles: () => [],
});

/** A ledger that holds these entries and takes no others. */
export function ledgerOf(entries: readonly Entry[] = [], kept?: EntryStore): Parts['ledger'] {
  const book = openBook(kept);
  for (const entry of entries) book.add(entry);
  return {
    ...book.records,
    append: () => Promise.resolve([]),
    settle: () => Promise.resolve(),
    probe: () => Promise.resolve(),
    subscribe: book.subscribe,
    head: () => genesis,
    isHeld: () => true,
    record: () => Promise.resolve(),
    unrecorded: () => [],
    waiting: () => 0,
    flush: () => Promise.resolve(),
  };
}

/** No incidents, no pictures, and no queue for the ledger. */
export const forCommands: Parts['forCommands'] = {
  check: () => Promise.resolve([]),
  walks: (work) => work(),
  written: String,
  paint: () => Promise.resolve(undefined),
  inventory: { refresh: () => Promise.resolve({ kind: 'off' }) },
  onCall: { now: () => [] },
  backups: () => Promise.resolve(undefined),
  incidents: {
    start: () => Promise.reject(new Error('there are no incidents here')),
    greet: () => Promise.resolve(),
    announceEnd: () => Promise.resolve(),
    note: () => Promise.resolve('over'),
    recordRead: () => Promise.resolve(),
    end: () => Promise.resolve('over'),
  },
};

/** With a healthy trail. */
export const quiet: Pick<Parts, 'trail' | 'forCommands' | 'observe'> = {
  observe: unobserved,
  forCommands,
  trail: {
    troubles: () => [],
    lag: () => undefined,
    verify: () => Promise.reject(new Error('there is no trail here')),
    acknowledge: () => Promise.resolve(false),
  },
};

/** The dependencies of a read or a local command. */
export const readPartsOf = (now = Date.now()): Pick<Parts, 'ledger' | 'trail' | 'forCommands' | 'now'> => ({
  ...quiet,
  ledger: ledgerOf(),
  now: () => now,
});
