import { expect, it } from 'vitest';
import { openBook } from '../../src/runs/book.ts';
import { isOfRun, type NewEntry } from '../../src/runs/entry.ts';
import { isOfStop } from '../../src/runs/open-events.ts';
import { alertLines, summary } from '../../src/view/incident.ts';
import { timeline } from '../../src/view/timeline.ts';
import { chain } from '../helpers/record/entries.ts';

const alice = { id: '1400000000000000001', name: 'alice', roles: [] };
const bob = { id: '1400000000000000002', name: 'bob', roles: [] };
const place = { guild: '1100000000000000001', channel: '1500000000000000001' };
const flush = { run: 'abc.1', command: 'firewall.flush', server: { id: 101, name: 'web-1' }, options: {}, place };
const expires = '2026-11-20T09:00:00.000Z';

/** Its lines below "## Timeline", without their times. */
function linesOf(entries: readonly NewEntry[], stops: readonly NewEntry[] = []): string[] {
  const book = openBook();
  for (const entry of chain([{ kind: 'incident', actor: alice, incident: '1', step: 'opened', place }]))
    book.add(entry);
  const [incident] = book.records.incidents();
  if (incident === undefined) throw new Error('no incident');
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

it('says what was done with break-glass, and why', () => {
  const asked: NewEntry = { ...flush, kind: 'asked', actor: bob, expires, glass: 'nobody `answers` <@1>' };
  expect(linesOf([asked, { ...flush, kind: 'outcome', actor: bob, outcome: 'succeeded' }])).toEqual([
    '`bob` `/firewall flush` on web-1 (101): **succeeded**. Break-glass: `nobody ˋanswersˋ <@1>`.',
  ]);
});

it('says so too while nobody knows how it ended', () => {
  const asked: NewEntry = { ...flush, kind: 'asked', actor: bob, expires, glass: 'nobody answers' };
  expect(linesOf([asked])).toEqual([
    '`bob` `/firewall flush` on web-1 (101): **asked**, and not confirmed yet. Break-glass: `nobody answers`.',
  ]);
});

it('names whoever froze what blocked a run, though that person is not in the run', () => {
  const until = '2026-11-20T22:00:00.000Z';
  const detail = 'All servers are frozen by <@1400000000000000001>.';
  const blocked: NewEntry = { ...flush, kind: 'outcome', actor: bob, outcome: 'blocked', reason: 'frozen', detail };
  const frozen: NewEntry = { kind: 'frozen', actor: alice, place, until, why: 'migration' };
  expect(linesOf([blocked], [frozen])[0]).toContain('All servers are frozen by `alice`.');
});

it('a declined request is that of the person who asked', () => {
  const requested: NewEntry = { ...flush, kind: 'requested', actor: bob, expires, denied: 'abb.1' };
  const detail = 'Declined by <@1400000000000000001>: `not <@1400000000000000001>`';
  const declined: NewEntry = {
    ...flush,
    kind: 'outcome',
    actor: alice,
    outcome: 'cancelled',
    reason: 'cancelled',
    detail,
  };
  expect(linesOf([requested, declined])).toEqual([
    '`bob` asked others for `/firewall flush` on web-1 (101): **cancelled**. Nothing was sent. Declined by `alice`: `not <@1400000000000000001>`',
  ]);
});

it('a request that was taken on is done by one for the other', () => {
  const requested: NewEntry = { ...flush, kind: 'requested', actor: bob, expires, denied: 'abb.1' };
  const asked: NewEntry = { ...flush, kind: 'asked', actor: alice, expires };
  expect(linesOf([requested, asked, { ...flush, kind: 'outcome', actor: alice, outcome: 'succeeded' }])).toEqual([
    '`alice`, for `bob`, `/firewall flush` on web-1 (101): **succeeded**.',
  ]);
});

it('a request stays one, and an approval what waits for it, when others are pinged about it', () => {
  const requested: NewEntry = { ...flush, kind: 'requested', actor: bob, expires, denied: 'abb.1' };
  const called: NewEntry = { ...flush, kind: 'called', actor: bob };
  const asked: NewEntry = { ...flush, kind: 'asked', actor: bob, expires };
  const confirmed: NewEntry = { ...flush, kind: 'confirmed', actor: bob, question: 'ab', owner: 'ab' };
  expect(linesOf([requested, called])).toEqual([
    '`bob` `/firewall flush` on web-1 (101): **asked others who may**, and nobody has taken it on yet.',
  ]);
  expect(linesOf([asked, confirmed, called])).toEqual([
    '`bob` `/firewall flush` on web-1 (101): **confirmed** by `bob`, and not sent yet.',
  ]);
  const runs = (entries: NewEntry[]) => chain(entries).filter(isOfRun);
  expect(summary(runs([requested, called]))).toBe('1 run: 1 asked others, and not taken on yet.');
  expect(summary(runs([asked, confirmed, called]))).toBe('1 run: 1 confirmed and not sent yet.');
});

it('has who approved, beside how it stands or ended', () => {
  const asked: NewEntry = { ...flush, kind: 'asked', actor: bob, expires, approvals: 1 };
  const confirmed: NewEntry = { ...flush, kind: 'confirmed', actor: bob, question: 'ab', owner: 'ab' };
  const approved: NewEntry = { ...flush, kind: 'approved', actor: alice, question: 'ab', owner: 'ab' };
  expect(linesOf([asked, confirmed, approved]).toSorted()).toEqual([
    '`alice` approved `/firewall flush` on web-1 (101).',
    '`bob` `/firewall flush` on web-1 (101): **approved** by `alice`, and not sent yet.',
  ]);
  expect(
    linesOf([asked, confirmed, approved, { ...flush, kind: 'outcome', actor: bob, outcome: 'succeeded' }]),
  ).toEqual([
    '`alice` approved `/firewall flush` on web-1 (101).',
    '`bob` `/firewall flush` on web-1 (101): **succeeded**.',
  ]);
});

it('has the freezes and holds, and their ends', () => {
  const of = { actor: alice, place };
  const until = '2026-11-20T22:00:00.000Z';
  expect(
    linesOf(
      [],
      [
        { ...of, kind: 'frozen', until, why: 'migration', tier: 'production' },
        { ...of, kind: 'held', until, why: 'disk', server: { id: 101, name: 'web-1' } },
        { ...of, kind: 'thawed', ends: 1, tier: 'production' },
      ],
    ),
  ).toEqual([
    '`alice` froze tier `production` until 2026-11-20 22:00:00 UTC: `migration`.',
    '`alice` holds web-1 (101) until 2026-11-20 22:00:00 UTC: `disk`.',
    '`alice` ended the freeze of tier `production`.',
  ]);
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
