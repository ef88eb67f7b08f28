import { expect, it } from 'vitest';
import { type Entry, isOfRun, type NewEntry, type NewRunEntry } from '../../src/runs/entry.ts';
import { isOfStop } from '../../src/runs/freezes.ts';
import { markdown } from '../../src/view/file.ts';
import { alertLines, entriesOf, summary } from '../../src/view/incident.ts';
import { timeline } from '../../src/view/timeline.ts';
import { chain } from '../helpers/record/entries.ts';
import { ledgerOf } from '../helpers/stand-ins.ts';

const alice = { id: '1400000000000000001', name: 'alice', roles: [] };
const bob = { id: '1400000000000000002', name: 'bob', roles: [] };
const place = { guild: '1100000000000000001', channel: '1500000000000000001' };
const flush = { run: 'abc.1', command: 'firewall.flush', server: { id: 101, name: 'web-1' }, options: {}, place };
const expires = '2026-11-20T09:00:00.000Z';

function incidentOf(entries: readonly Entry[]) {
  const [incident] = ledgerOf(entries).incidents();
  return incident ?? expect.fail('no incident');
}

/** Its lines below "## Timeline", without their times. */
function linesOf(entries: readonly NewEntry[], stops: readonly NewEntry[] = []): string[] {
  const incident = incidentOf(chain([{ kind: 'incident', actor: alice, incident: '1', step: 'opened', place }]));
  const text = timeline(
    incident,
    { by: alice, at: Date.parse('2026-11-21T08:00:00Z') },
    chain(entries).filter(isOfRun),
    chain(stops).filter(isOfStop),
  );
  return text
    .split('\n')
    .filter((line) => line.startsWith('- **2026'))
    .map((line) => line.slice('- **2026-11-20 08:00:00 UTC** '.length))
    .slice(1, -1);
}

const asked = { ...flush, kind: 'asked', actor: bob, expires } as const;
const requested = { ...flush, kind: 'requested', actor: bob, expires, denied: 'abb.1' } as const;
const confirmed = { ...flush, kind: 'confirmed', actor: bob, question: 'ab', owner: 'ab' } as const;
const approved = { ...confirmed, kind: 'approved', actor: alice } as const;
const called = { ...flush, kind: 'called', actor: bob } as const;
const ends = (actor: typeof bob, outcome: 'succeeded' | 'cancelled' | 'blocked', detail?: string) =>
  ({ ...flush, kind: 'outcome', actor, outcome, detail }) as const;
const declined = 'Declined by <@1400000000000000001>: `not <@1400000000000000001>`';
const until = '2026-11-20T22:00:00.000Z';
const frozen = { kind: 'frozen', actor: alice, place, until, why: 'migration' } as const;
const held = { ...frozen, kind: 'held', why: 'disk', server: { id: 101, name: 'web-1' } } as const;
const what = '`/firewall flush` on web-1 (101)';

it.each<[string, NewEntry[], string[], NewEntry[]?]>([
  [
    'what was done with break-glass, and why',
    [{ ...asked, glass: 'nobody `answers` <@1>' }, ends(bob, 'succeeded')],
    [`\`bob\` ${what}: **succeeded**. Break-glass: \`nobody ˋanswersˋ <@1>\`.`],
  ],
  [
    'so too while nobody knows how it ended',
    [{ ...asked, glass: 'nobody answers' }],
    [`\`bob\` ${what}: **asked**, and not confirmed yet. Break-glass: \`nobody answers\`.`],
  ],
  [
    'of a declined request that it is that of the person who asked',
    [requested, { ...ends(alice, 'cancelled', declined), reason: 'cancelled' }],
    [
      `\`bob\` asked others for ${what}: **cancelled**. Nothing was sent. Declined by \`alice\`: \`not <@1400000000000000001>\``,
    ],
  ],
  [
    'of a request that was taken on that one does it for the other',
    [requested, { ...asked, actor: alice }, ends(alice, 'succeeded')],
    [`\`alice\`, for \`bob\`, ${what}: **succeeded**.`],
  ],
  [
    'of a request what it is, also when others are pinged about it',
    [requested, called],
    [`\`bob\` ${what}: **asked others who may**, and nobody has taken it on yet.`],
  ],
  [
    'of an approval what waits for it, also when others are pinged about it',
    [asked, confirmed, called],
    [`\`bob\` ${what}: **confirmed** by \`bob\`, and not sent yet.`],
  ],
  [
    'who approved, beside how it stands',
    [{ ...asked, approvals: 1 }, confirmed, approved],
    [`\`bob\` ${what}: **approved** by \`alice\`, and not sent yet.`, `\`alice\` approved ${what}.`],
  ],
  [
    'who approved, beside how it ended',
    [{ ...asked, approvals: 1 }, confirmed, approved, ends(bob, 'succeeded')],
    [`\`alice\` approved ${what}.`, `\`bob\` ${what}: **succeeded**.`],
  ],
  [
    'freezes and holds, and their ends',
    [],
    [
      '`alice` froze tier `production` until 2026-11-20 22:00:00 UTC: `migration`.',
      '`alice` holds web-1 (101) until 2026-11-20 22:00:00 UTC: `disk`.',
      '`alice` ended the freeze of tier `production`.',
    ],
    [{ ...frozen, tier: 'production' }, held, { kind: 'thawed', actor: alice, place, ends: 1, tier: 'production' }],
  ],
])('says %s', (_what, entries, lines, stops = []) => {
  expect(linesOf(entries, stops)).toEqual(lines);
});

it('names whoever froze what blocked a run, though that person is not in the run', () => {
  const blocked = {
    ...ends(bob, 'blocked', 'All servers are frozen by <@1400000000000000001>.'),
    reason: 'frozen',
  } as const;
  expect(linesOf([blocked], [frozen])[0]).toContain('All servers are frozen by `alice`.');
});

it('counts what waits for others as that', () => {
  const runs = (entries: NewEntry[]) => chain(entries).filter(isOfRun);
  expect(summary(runs([requested, called]))).toBe('1 run: 1 asked others, and not taken on yet.');
  expect(summary(runs([asked, confirmed, called]))).toBe('1 run: 1 confirmed and not sent yet.');
});

it('counts how runs ended as far as it is known now', () => {
  // Entries as they lie in a file.
  const steps = (run: string, ...own: object[]): NewEntry[] =>
    JSON.parse(JSON.stringify(own.map((each) => ({ ...flush, run, actor: bob, ...each }))));
  const started = { kind: 'follow-up', step: 'started', follow: 'power', job: 7, deadline: expires };
  const all = [
    ...steps('a.1', { kind: 'outcome', outcome: 'accepted' }, started, {
      kind: 'follow-up',
      step: 'ended',
      end: 'finished',
    }),
    ...steps('b.1', { kind: 'outcome', outcome: 'succeeded' }),
    ...steps('c.1', { kind: 'outcome', outcome: 'unknown' }, { kind: 'resolved', happened: false, why: 'looked' }),
    ...steps('d.1', { kind: 'outcome', outcome: 'accepted' }, started),
  ];
  expect(summary(chain(all).filter(isOfRun))).toBe('4 runs: 2 done, 1 did not happen, 1 accepted.');
});

it('the lines of alerts fit in a message, however many there are, and the rest is counted', () => {
  const servers = [101, 102, 103].map((id) => ({ id, name: `web-${'x'.repeat(50)}-${id}` }));
  const news = {
    source: 'a',
    group: 'g',
    key: 'k',
    since: '2026-11-20T08:00:00.000Z',
    title: 'y'.repeat(200),
    servers,
  };
  const steps = Array.from({ length: 30 }, (_, seq) => ({
    ...{ seq, time: '2026-11-20T08:00:00.000Z' },
    news: { ...news, state: 'firing' as const },
  }));
  const lines = alertLines(steps).map(({ markup }) => markup);
  expect(lines.join('\n').length).toBeLessThan(1_100);
  expect(lines.at(-1)).toBe('27 more of its alerts are in the timeline.');
});

it('the line of an alert has a date where the time of day is not enough, and no start after it came', () => {
  const line = (since: string, state: 'firing' | 'resolved' = 'firing', written?: string) => {
    const news = { source: 'a', group: 'g', key: 'k', since, title: 'HostDown', state };
    const steps = [{ seq: 1, time: '2026-11-20T08:00:00.000Z', news }];
    return alertLines(steps, written === undefined ? undefined : Date.parse(written))[0]?.markup;
  };
  expect(line('2026-11-20T07:55:00.000Z')).toBe('`HostDown` fired <t:1795161300:t>.');
  expect(line('2026-11-17T08:00:00.000Z')).toBe('`HostDown` fired <t:1794902400:f>.');
  expect(line('3000-01-01T00:00:00.000Z')).toBe('`HostDown` fired <t:1795161600:t>.');
  // In the greeting and the summary of an incident it may be told days later.
  const later = '2026-11-22T08:00:00.000Z';
  expect(line('2026-11-20T07:55:00.000Z', 'firing', later)).toBe('`HostDown` fired <t:1795161300:f>.');
  expect(line('2026-11-20T07:55:00.000Z', 'resolved', later)).toBe('`HostDown` resolved <t:1795161600:f>.');
});

const mallory = { id: '1400000000000000004', name: 'mallory', roles: [] };
const denied: NewRunEntry = {
  ...{ run: 'abc.1', kind: 'denied', actor: mallory, command: 'power.boot', options: { server: 'web-1' }, place },
  ...{ outcome: 'denied', reason: 'denied' },
};
/** Seven denials, of which the last were not named any more. */
const folded: NewRunEntry = {
  ...{ ...denied, run: 'abd.1', options: {} },
  folded: {
    ...{ count: 7, digest: 'ab', first: '2026-11-20T08:00:01.000Z', last: '2026-11-20T08:09:59.000Z' },
    commands: [
      { command: 'power.boot', server: 'web-1', count: 4 },
      { command: 'handover', count: 1 },
    ],
  },
};
const flooded = chain([
  { kind: 'incident', actor: alice, incident: '1500000000000000001', step: 'opened', place, title: 'web-1 is down' },
  denied,
  folded,
]);
const runs = flooded.filter(isOfRun);

it('an incident tells how often somebody was denied, of what and until when', () => {
  const text = timeline(incidentOf(flooded), { by: alice, at: Date.parse('2026-11-20T09:00:00Z') }, runs);
  expect(text).toContain('- Runs: 8 (8 denied)');
  expect(text).toContain(
    '- **2026-11-20 08:00:01 UTC** `mallory` `/power boot` with `server:web-1` ×4, `/handover` ×1 and others: **denied** ×7, until 2026-11-20 08:09:59 UTC. Not allowed.',
  );
});

it('the summary of an incident, and of a record to be read, counts each of them', () => {
  expect(summary(entriesOf(incidentOf(flooded), flooded))).toBe('8 runs: 8 denied.');
  const text = [...markdown(flooded, () => undefined)].join('');
  expect(text).toContain('- Runs: 8 (8 denied)');
  expect(text).toContain('**DENIED ×7** `/power boot` `server:web-1` and others');
  expect(text).toContain(
    '  - Counted together, 2026-11-20 08:00:01 UTC to 2026-11-20 08:09:59 UTC: `/power boot server:web-1` ×4, `/handover` ×1 and others ×2.',
  );
});
