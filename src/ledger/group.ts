import { LedgerUnavailable } from '../outcome.ts';
import { stepOf } from '../runs/alerts.ts';
import type { Heads } from '../runs/book.ts';
import { type Entry, isOfRun, type Kind, type NewEntry, type RunEntry, readEntry } from '../runs/entry.ts';
import { openFindings } from '../runs/findings.ts';
import { isOfStop, openStops } from '../runs/freezes.ts';
import { proceed } from '../runs/incident.ts';
import { advance, touches } from '../runs/state.ts';
import { type Head, sealLine, type Written, written } from './chain.ts';
import { refusalOf } from './rules.ts';

export interface Request {
  entries: readonly Written[];
  resolve(entries: Entry[]): void;
  reject(error: Error): void;
}

/** A group ready to be written, and the appends that the rules refuse. */
export interface Staged {
  /** Everything to write, in order; and each as its line, without the line feed. */
  entries: readonly Entry[];
  lines: readonly string[];
  accepted: readonly { request: Request; sealed: Entry[] }[];
  refused: readonly { request: Request; error: Error }[];
  head: Head;
}

/** An entry does not match the schema of its kind: a bug in the caller. */
class Malformed extends TypeError {
  constructor({ kind }: Written) {
    super(`an entry does not match the schema of its kind, ${kind}`);
    this.name = 'Malformed';
  }
}

/** What is known by a key, on top of what others know. */
function above<K, V>(known: (key: K) => V | undefined) {
  const own = new Map<K, V>();
  return {
    of: (key: K): V | undefined => own.get(key) ?? known(key),
    set: (key: K, value: V): void => void own.set(key, value),
  };
}

/** A draft on top of `base` that tracks what the heads become entry by entry. Never changes `base`. */
function draftOf(base: Heads): Heads & { take(entry: Entry): void } {
  const runs = above(base.run);
  const incidents = above(base.incident);
  const cards = above(base.alerts.card);
  const intents = above(base.intents);
  const touched = above(base.touched);
  const findings = openFindings(base);
  const stops = openStops(base);
  const openIntents = (server: number): readonly Kind<'intent'>[] => intents.of(server) ?? [];

  function takeRun(entry: RunEntry): void {
    const state = advance(runs.of(entry.run), entry);
    runs.set(entry.run, state);
    const server = entry.server?.id;
    if (server === undefined) return;
    if (entry.kind === 'intent') intents.set(server, [...openIntents(server), entry]);
    if (entry.kind === 'outcome')
      intents.set(
        server,
        openIntents(server).filter(({ run }) => run !== entry.run),
      );
    if (touches(entry, state)) touched.set(server, entry);
  }

  return {
    ...{ run: runs.of, incident: incidents.of, alerts: { card: cards.of }, intents: openIntents, touched: touched.of },
    ...{ finding: findings.finding, alerted: findings.alerted, freezes: stops.freezes, hold: stops.hold },
    take(entry) {
      if (isOfRun(entry)) takeRun(entry);
      else if (entry.kind === 'incident') {
        const incident = proceed(incidents.of(entry.incident), entry);
        if (incident !== undefined) incidents.set(entry.incident, incident);
      } else if (entry.kind === 'alert') {
        // Nobody can have seen a card that begins in the same group.
        if (entry.step === 'received') return;
        const card = cards.of(entry.card);
        if (card !== undefined) cards.set(card.id, { ...card, ...stepOf(card, entry) });
      } else if (isOfStop(entry)) stops.take(entry);
      else findings.take(entry);
    },
  };
}

/** Judges and seals the entries of a group after `head`, as if it were already on disk. Changes nothing. */
export function stage(group: readonly Request[], heads: Heads, head: Head, now: () => Date): Staged {
  const draft = draftOf(heads);
  const lines: string[] = [];
  const accepted: { request: Request; sealed: Entry[] }[] = [];
  const refused: { request: Request; error: Error }[] = [];
  let tip = head;
  for (const request of group) {
    const trial = draftOf(draft);
    const sealed: Entry[] = [];
    const own: string[] = [];
    let refusal: Error | undefined;
    let last = tip;
    for (const entry of request.entries) {
      const line = sealLine(entry, now().toISOString(), last);
      // Never write what could not be read back. What is read back is the entry from here on.
      const next = readEntry(JSON.parse(line));
      refusal = next === undefined ? new Malformed(entry) : refusalOf(next, trial);
      if (refusal !== undefined || next === undefined) break;
      trial.take(next);
      sealed.push(next);
      own.push(line);
      last = { seq: next.seq, hash: next.hash };
    }
    if (refusal !== undefined) {
      refused.push({ request, error: refusal });
      continue;
    }
    accepted.push({ request, sealed });
    lines.push(...own);
    for (const entry of sealed) draft.take(entry);
    tip = last;
  }
  return { entries: accepted.flatMap(({ sealed }) => sealed), lines, accepted, refused, head: tip };
}

/** Settles the requests of a group once it is written. */
export function answer({ accepted, refused }: Staged): void {
  for (const { request, sealed } of accepted) request.resolve(sealed);
  for (const { request, error } of refused) request.reject(error);
}

/**
 * Collects appends and writes them in groups, one group at a time. `write` settles every request of its group and never
 * rejects. `end` is called once, after the last group.
 */
export function grouping(write: (group: readonly Request[]) => Promise<void>, end: () => Promise<void>) {
  let queue: Request[] = [];
  let writing: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  /** Appends that arrive during a write form the next group and share one write and one sync. */
  async function writeQueue() {
    while (queue.length > 0) {
      const group = queue;
      queue = [];
      // A bug in `write` must not leave the other requests waiting.
      await write(group).catch((error: unknown) => {
        for (const request of group) request.reject(new LedgerUnavailable(error));
      });
    }
    writing = undefined;
  }

  async function finish() {
    await writing;
    await end();
  }

  return {
    append(entries: readonly NewEntry[]): Promise<Entry[]> {
      if (closing !== undefined) return Promise.reject(new LedgerUnavailable(new Error('the ledger is closed')));
      return new Promise((resolve, reject) => {
        // As text at once, because the caller may change its objects before they are written.
        queue.push({ entries: entries.map(written), resolve, reject });
        writing ??= Promise.resolve().then(writeQueue);
      });
    },
    /** Waits for the writes in progress. */
    settle: async (): Promise<void> => writing,
    /** Accepts no more appends, waits for the writes in progress, then calls `end`. */
    close(): Promise<void> {
      closing ??= finish();
      return closing;
    },
  };
}
