import { LedgerUnavailable } from '../outcome.ts';
import { type Heads, touches } from '../runs/book.ts';
import { type Entry, isOfRun, type Kind, type NewEntry, type RunEntry, readEntry } from '../runs/entry.ts';
import { openFindings } from '../runs/findings.ts';
import { type Incident, proceed } from '../runs/incident.ts';
import { advance, type RunState } from '../runs/state.ts';
import { type Head, seal, toLine } from './chain.ts';
import { refusalOf } from './rules.ts';

/** An append that waits for its turn. */
export interface Request {
  entries: readonly NewEntry[];
  resolve(entries: Entry[]): void;
  reject(error: Error): void;
}

/** A group as it would be recorded, and which of its appends the rules refuse. */
export interface Staged {
  /** All that is to be written, in order. */
  entries: readonly Entry[];
  accepted: readonly { request: Request; sealed: Entry[] }[];
  refused: readonly { request: Request; error: Error }[];
  head: Head;
}

/** An entry has not the form of its kind: a fault of whoever appends it. */
class Malformed extends TypeError {
  constructor({ kind }: Entry) {
    super(`an entry has not the form of its kind, ${kind}`);
    this.name = 'Malformed';
  }
}

/** What the heads would come to, entry by entry. Changes nothing of what it is drawn from. */
function draftOf(base: Heads): Heads & { take(entry: Entry): void } {
  const runs = new Map<string, RunState>();
  const incidents = new Map<string, Incident>();
  const intents = new Map<number, readonly Kind<'intent'>[]>();
  const touched = new Map<number, RunEntry>();
  const findings = openFindings(base);
  const heads: Heads = {
    run: (id) => runs.get(id) ?? base.run(id),
    incident: (id) => incidents.get(id) ?? base.incident(id),
    intents: (server) => intents.get(server) ?? base.intents(server),
    touched: (server) => touched.get(server) ?? base.touched(server),
    ...{ finding: findings.finding, alerted: findings.alerted },
  };

  function takeRun(entry: RunEntry): void {
    const state = advance(heads.run(entry.run), entry);
    runs.set(entry.run, state);
    const server = entry.server?.id;
    if (server === undefined) return;
    if (entry.kind === 'intent') intents.set(server, [...heads.intents(server), entry]);
    if (entry.kind === 'outcome') {
      const left = heads.intents(server).filter(({ run }) => run !== entry.run);
      intents.set(server, left);
    }
    if (touches(entry, state)) touched.set(server, entry);
  }

  return {
    ...heads,
    take(entry) {
      if (isOfRun(entry)) takeRun(entry);
      else if (entry.kind === 'incident') {
        const incident = proceed(heads.incident(entry.incident), entry);
        if (incident !== undefined) incidents.set(entry.incident, incident);
      } else findings.take(entry);
    },
  };
}

/** Seals what may be recorded of a group after `head`, as if all of it were on disk. Changes nothing. */
export function stage(group: readonly Request[], heads: Heads, head: Head, now: () => Date): Staged {
  const whole = draftOf(heads);
  const accepted: { request: Request; sealed: Entry[] }[] = [];
  const refused: { request: Request; error: Error }[] = [];
  let tip = head;
  for (const request of group) {
    const own = draftOf(whole);
    const sealed: Entry[] = [];
    let refusal: Error | undefined;
    for (const entry of request.entries) {
      const last = sealed.at(-1) ?? tip;
      const next = seal(entry, last.seq + 1, now().toISOString(), last.hash);
      // What could not be read again must not be written.
      refusal = readEntry(JSON.parse(toLine(next))) === undefined ? new Malformed(next) : refusalOf(next, own);
      if (refusal !== undefined) break;
      own.take(next);
      sealed.push(next);
    }
    if (refusal !== undefined) {
      refused.push({ request, error: refusal });
      continue;
    }
    accepted.push({ request, sealed });
    for (const entry of sealed) whole.take(entry);
    const last = sealed.at(-1);
    if (last !== undefined) tip = { seq: last.seq, hash: last.hash };
  }
  return { entries: accepted.flatMap(({ sealed }) => sealed), accepted, refused, head: tip };
}

/** Tells those who wait what became of a group that is recorded. */
export function answer({ accepted, refused }: Staged): void {
  for (const { request, sealed } of accepted) request.resolve(sealed);
  for (const { request, error } of refused) request.reject(error);
}

/** Takes appends one by one and has them written in groups, one group at a time. */
export interface Grouping {
  append(entries: readonly NewEntry[]): Promise<Entry[]>;
  /** Takes nothing more, waits for what is being written, then ends. */
  close(): Promise<void>;
}

/** `write` answers every request of its group and never rejects; `end` is called once, after the last group. */
export function grouping(write: (group: readonly Request[]) => Promise<void>, end: () => Promise<void>): Grouping {
  let queue: Request[] = [];
  let writing: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  /** What arrives while one group is being written becomes the next: it shares one write and one sync. */
  async function writeQueue() {
    while (queue.length > 0) {
      const group = queue;
      queue = [];
      // A fault in the middle must not keep all others waiting.
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
    append(entries) {
      if (closing !== undefined) return Promise.reject(new LedgerUnavailable(new Error('the ledger is closed')));
      return new Promise((resolve, reject) => {
        // Copied: the caller's objects may change before their turn comes.
        queue.push({ entries: structuredClone(entries), resolve, reject });
        writing ??= Promise.resolve().then(writeQueue);
      });
    },
    close() {
      closing ??= finish();
      return closing;
    },
  };
}
