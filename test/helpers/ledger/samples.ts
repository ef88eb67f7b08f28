import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { openFileLedger } from '../../../src/ledger/file-store.ts';
import { Refused } from '../../../src/ledger/ledger.ts';
import type { Log } from '../../../src/outcome.ts';
import type { Entry, NewRunEntry } from '../../../src/runs/entry.ts';

/** A folder of its own for a test, gone with it. */
export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'panelops-ledger-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** One for all tests of a file or group. */
export function folderForAll(): string {
  const dir = mkdtempSync(join(tmpdir(), 'panelops-all-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A log that keeps its messages; `lines` has their facts, too. */
export function notes(): Log & { messages: string[]; lines: readonly string[] } {
  const messages: string[] = [];
  const all: object[] = [];
  const write = (facts: object, message: string): void => {
    messages.push(message);
    all.push(facts);
  };
  return {
    ...{ messages, debug: write, info: write, warn: write, error: write },
    get lines() {
      return messages.map((message, at) => `${message} ${JSON.stringify(all[at])}`);
    },
  };
}

/** A ledger in files, closed with the test at the latest, with its folder and what it logged. */
export async function openLedger({
  dir = folder(),
  log = notes(),
  ...more
}: Partial<Parameters<typeof openFileLedger>[0]> = {}) {
  const ledger = await openFileLedger({ dir, log, ...more });
  onTestFinished(() => ledger.close());
  return { ...ledger, dir };
}

/** The members of one kind of entry, or one step, beyond the common ones. */
export type Own<E extends NewRunEntry = NewRunEntry> = E extends NewRunEntry
  ? Omit<E, 'run' | 'actor' | 'command' | 'options' | 'server' | 'place'>
  : never;

const base = {
  actor: { id: '1100000000000000002', name: 'bob', roles: ['1200000000000000002'] },
  command: 'firewall.flush',
  options: { server: 'web-1', sync: true },
  place: { guild: '1000000000000000001', channel: '1300000000000000001', message: '1400000000000000001' },
};

/** On its own server, so that no run blocks another. */
const of = (run: string) => ({
  ...base,
  run,
  server: { id: Number.parseInt(run.replaceAll(/[^0-9a-z]/g, ''), 36), name: 'web-1' },
});

export const asked = (run: string): NewRunEntry => ({
  ...of(run),
  kind: 'asked',
  question: 'AAAAAAAAAAAAAAAAAAAAAA',
  expires: '2026-11-19T22:02:00.000Z',
  facts: { enabled: true, rules: 4 },
});
/** Of an `asked` entry that was recorded. */
export const confirmed = ({ run, hash }: { run: string; hash: string }): NewRunEntry => ({
  ...of(run),
  kind: 'confirmed',
  question: hash,
  owner: '0e2031b0f508033f',
});
export const intent = (run: string): NewRunEntry => ({ ...of(run), kind: 'intent' });
export const outcome = (run: string, said = ''): NewRunEntry => ({
  ...of(run),
  kind: 'outcome',
  outcome: 'rejected',
  reason: 'refused',
  said,
});
export const denied = (run: string): NewRunEntry => ({
  ...of(run),
  kind: 'denied',
  outcome: 'denied',
  reason: 'denied',
});
export const accepted = (run: string): NewRunEntry => ({ ...of(run), kind: 'outcome', outcome: 'accepted' });
export const started = (run: string): NewRunEntry => ({
  ...of(run),
  kind: 'follow-up',
  step: 'started',
  follow: 'restore',
  job: 91,
  deadline: '2026-11-20T22:00:00.000Z',
});
type WithoutKind<E> = E extends { kind: string } ? Omit<E, 'kind'> : never;

/** A later step of a follow-up. */
export const step = (
  run: string,
  own: WithoutKind<Own<Extract<NewRunEntry, { kind: 'follow-up' }>>>,
  place: NewRunEntry['place'] = base.place,
): NewRunEntry => ({ ...of(run), kind: 'follow-up', ...own, place });

/** The rule that refuses an append, and the `seq` of the entry that blocks it. */
export const refusal = (append: Promise<readonly Entry[]>): Promise<unknown> =>
  append.then(
    (entries) => entries,
    (error: unknown) => (error instanceof Refused ? [error.rule, error.by?.seq] : error),
  );
