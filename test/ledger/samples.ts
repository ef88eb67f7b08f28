import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { FollowStep, NewRunEntry } from '../../src/ledger/entry.ts';
import type { Log } from '../../src/outcome.ts';

/** A folder of its own for a test, gone with it. */
export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'panelops-ledger-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A log that keeps its messages. */
export function notes(): Log & { messages: string[] } {
  const messages: string[] = [];
  const write = (_facts: object, message: string) => messages.push(message);
  return { messages, debug: write, info: write, warn: write, error: write };
}

const base = {
  actor: { id: '1100000000000000002', name: 'bob', roles: ['1200000000000000002'] },
  command: 'firewall.flush',
  options: { server: 'web-1', sync: true },
  server: { id: 101, name: 'web-1' },
  place: { guild: '1000000000000000001', channel: '1300000000000000001', message: '1400000000000000001' },
};

export const asked = (run: string): NewRunEntry => ({
  ...base,
  run,
  kind: 'asked',
  question: 'AAAAAAAAAAAAAAAAAAAAAA',
  expires: '2026-11-19T22:02:00.000Z',
  facts: { enabled: true, rules: 4 },
});
export const intent = (run: string): NewRunEntry => ({ ...base, run, kind: 'intent' });
export const outcome = (run: string, said = ''): NewRunEntry => ({
  ...base,
  run,
  kind: 'outcome',
  outcome: 'rejected',
  reason: 'refused',
  said,
});
export const denied = (run: string): NewRunEntry => ({
  ...base,
  run,
  kind: 'denied',
  outcome: 'denied',
  reason: 'denied',
});
export const accepted = (run: string): NewRunEntry => ({ ...base, run, kind: 'outcome', outcome: 'accepted' });
export const started = (run: string): NewRunEntry => ({
  ...base,
  run,
  kind: 'follow-up',
  step: 'started',
  follow: 'restore',
  job: 91,
  deadline: '2026-11-20T22:00:00.000Z',
});
/** A later step of a follow-up. */
export const step = (run: string, name: FollowStep, more: Partial<NewRunEntry> = {}): NewRunEntry => ({
  ...base,
  run,
  kind: 'follow-up',
  step: name,
  ...more,
});
