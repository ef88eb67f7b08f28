import fc from 'fast-check';
import { genesis, seal } from '../../../src/ledger/chain.ts';
import type { Entry, NewEntry, NewRunEntry } from '../../../src/runs/entry.ts';
import type { Own } from '../ledger/samples.ts';

const people = ['1400000000000000001', '1400000000000000002', '1400000000000000004'];
const outside = fc.oneof(
  fc.string({ maxLength: 200, unit: 'binary' }),
  fc.constantFrom(
    '@everyone',
    '<@1400000000000000001>',
    '[a](https://evil.example)',
    '`x`',
    '#1–#9 · 0123456789ab',
    '\n# x',
  ),
);
const actor = fc.record({ id: fc.constantFrom(...people), name: outside, roles: fc.constant([]) });
const command = fc.constantFrom(
  'firewall.flush',
  'power.boot',
  'ipv4.assign',
  'cpu.throttle',
  'vlan.set',
  'backup.restore',
);

const run = fc.record({
  // Steps of one run stand together often.
  run: fc.oneof(fc.constantFrom('byb7k3w66dj4.1', 'byb7k3w66dj4.2'), fc.stringMatching(/^[0-9a-z]{11,13}\.[1-9]$/)),
  actor,
  command,
  options: outside.map((reason) => ({ reason })),
  server: fc.constantFrom({ id: 101, name: 'web-1', tier: 'production' }, { id: 4711 }),
  place: fc.constant({ guild: '1100000000000000001', channel: '1300000000000000001', message: '1500000000000000007' }),
});

const step: fc.Arbitrary<Own> = fc.oneof(
  fc.constantFrom<Own>(
    { kind: 'asked', expires: '2026-11-19T22:02:00.000Z' },
    { kind: 'confirmed', question: '0'.repeat(64), owner: '0e2031b0f508033f' },
    { kind: 'intent' },
    { kind: 'denied', outcome: 'denied' },
    { kind: 'reminded' },
  ),
  outside.map((said): Own => ({ kind: 'outcome', outcome: 'rejected', reason: 'refused', said })),
  outside.map((why): Own => ({ kind: 'resolved', happened: true, why })),
  outside.map((typed): Own => {
    const times = { first: '2026-11-19T21:50:00.000Z', last: '2026-11-19T21:59:00.000Z' };
    const commands = [
      { command: typed, count: 7 },
      { command: 'power.boot', server: typed, count: 1 },
    ];
    return { kind: 'denied', outcome: 'denied', folded: { ...times, count: 9, digest: typed, commands } };
  }),
  fc.constantFrom<Own>(
    { kind: 'follow-up', step: 'started', follow: 'restore', job: 91, deadline: '2026-11-20T22:00:00.000Z' },
    { kind: 'follow-up', step: 'moved' },
    { kind: 'follow-up', step: 'reminded', n: 1 },
    { kind: 'follow-up', step: 'announced' },
  ),
  actor.map((to): Own => ({ kind: 'follow-up', step: 'handed-over', to })),
  outside.map((said): Own => ({ kind: 'follow-up', step: 'ended', end: 'failed', said })),
  actor.map((by): Own => ({ kind: 'follow-up', step: 'ended', end: 'finished', by })),
);

const ofRun = fc.tuple(run, step).map(([all, own]): NewRunEntry => ({ ...all, ...own }));
const place = { guild: '1100000000000000001', channel: '1300000000000000001' };
const event: fc.Arbitrary<NewEntry> = fc.oneof(
  actor.map((each): NewEntry => ({ kind: 'stopped', actor: each, owner: '0e2031b0f508033f' })),
  fc
    .tuple(actor, fc.array(outside, { minLength: 1, maxLength: 30 }))
    .map(([each, changed]): NewEntry => ({ kind: 'configured', actor: each, changed })),
  fc.tuple(actor, fc.array(outside, { minLength: 1, maxLength: 30 })).map(
    ([each, lines]): NewEntry => ({
      kind: 'configured',
      actor: each,
      owner: 'ab',
      changed: lines,
      difference: lines,
    }),
  ),
  fc
    .tuple(actor, fc.array(outside, { minLength: 1, maxLength: 30 }))
    .map(([each, problems]): NewEntry => ({ kind: 'configured', actor: each, owner: 'ab', changed: [], problems })),
  fc.tuple(actor, outside).map(
    ([each, title]): NewEntry => ({
      kind: 'incident',
      actor: each,
      incident: '1573286612442284032',
      step: 'opened',
      place,
      title,
    }),
  ),
  actor.map(
    (each): NewEntry => ({
      ...{ kind: 'tampered', actor: each, finding: 'deleted', channel: '1300000000000000002' },
      ...{ message: '1573286612442284032', from: 1, to: 2 },
    }),
  ),
);

/** A chain of these, a second apart. */
export function chained(entries: readonly NewEntry[]): Entry[] {
  const sealed: Entry[] = [];
  for (const [at, entry] of entries.entries()) {
    const time = new Date(Date.parse('2026-11-19T22:00:00Z') + at * 1_000).toISOString();
    sealed.push(seal(entry, at + 1, time, sealed.at(-1)?.hash ?? genesis.hash));
  }
  return sealed;
}

/** Any entries that a ledger may hold, of texts from anywhere. */
export const anyEntries = (most: number, least = 1): fc.Arbitrary<Entry[]> =>
  fc
    .array(fc.oneof({ arbitrary: ofRun, weight: 6 }, { arbitrary: event, weight: 1 }), {
      minLength: least,
      maxLength: most,
    })
    .map(chained);

export const denial = (who: { id: string; name: string }, name = 'power.boot'): NewRunEntry => ({
  ...{ run: 'byb7k49z46bk.1', kind: 'denied', actor: { ...who, roles: [] }, command: name, options: {} },
  place: { guild: '1100000000000000001', channel: '1300000000000000001' },
  ...{ outcome: 'denied', reason: 'denied' },
});
