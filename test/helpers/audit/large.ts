import type { Entry, NewEntry, NewRunEntry } from '../../../src/runs/entry.ts';
import { chain } from '../record/entries.ts';

const lead = { id: '1400000000000000001', name: 'alice', roles: ['1200000000000000003'] };
const place = { guild: '1100000000000000001', channel: '1300000000000000001', message: '1500000000000000001' };

/** One flush, from the question to its end; every fifth was refused instead. */
function flush(n: number): NewEntry[] {
  const base = { run: `r${n}.1`, actor: lead, command: 'firewall.flush', place };
  const options = { server: '101', interface: 'primary', sync: true, reason: `locked out by rule ${n}` };
  if (n % 5 === 0) return [{ ...base, options, kind: 'denied', outcome: 'denied', reason: 'denied' }];
  const run = { ...base, options, server: { id: 101, name: 'web-1', tier: 'production' } };
  const steps: NewRunEntry[] = [
    { ...run, kind: 'asked', expires: '2026-11-20T08:02:00.000Z', facts: { enabled: true, rules: 4 } },
    { ...run, kind: 'intent', owner: '0e2031b0f508033f' },
    { ...run, kind: 'outcome', outcome: 'succeeded', detail: 'Primary interface: all rules were removed.' },
  ];
  return steps;
}

/** A sealed ledger of this many entries, one a second until now. */
export function large(count: number): Entry[] {
  const all = Array.from({ length: Math.ceil(count / 2) }, (_, n) => flush(n + 1)).flat();
  return chain(all.slice(0, count), Date.now() - count * 1_000);
}
