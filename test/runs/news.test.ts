import { expect, it } from 'vitest';
import type { RunEntry } from '../../src/runs/entry.ts';
import { isRecent, newsForWaiters, newsOfJob, newsOfOutcome } from '../../src/runs/news.ts';
import { pressedOn } from '../../src/runs/pings.ts';
import { advance, type RunState } from '../../src/runs/state.ts';

const run = {
  ...{ run: 'a.1', actor: { id: '1400000000000000001', name: 'alice', roles: [] }, command: 'power.boot' },
  ...{ options: { server: '101' }, server: { id: 101 }, place: { guild: '1', channel: '2', message: '3' } },
};

/** The run after these entries, each so many seconds after the first. */
function after(...steps: (readonly [seconds: number, entry: object])[]): RunState {
  return steps.reduce<RunState>(
    (state, [seconds, own], seq) => {
      const link = { seq, time: new Date(Date.UTC(2026, 10, 19, 22, 0, seconds)).toISOString(), prev: '', hash: '' };
      // As it lies in a file.
      const entry: RunEntry = JSON.parse(JSON.stringify({ ...run, ...own, ...link }));
      return advance(state, entry);
    },
    { run: 'a.1' },
  );
}

const intent = { kind: 'intent' };
const outcome = (word: string) => ({ kind: 'outcome', outcome: word });
const started = { kind: 'follow-up', step: 'started', follow: 'power', job: 7, deadline: '2026-11-20T22:00:00.000Z' };
const ended = (end: string) => ({ kind: 'follow-up', step: 'ended', end });

it.each([
  ['in time', after([0, intent], [30, outcome('succeeded')]), []],
  ['late', after([0, intent], [31, outcome('succeeded')]), ['slow']],
  ['late, since the click', after([0, { kind: 'confirmed' }], [20, intent], [31, outcome('rejected')]), ['slow']],
  ['unknown', after([0, intent], [1, outcome('unknown')]), ['unknown']],
  ['unknown and told', after([0, intent], [1, outcome('unknown')], [2, { kind: 'pinged' }]), []],
  ['unknown and resolved', after([0, intent], [1, outcome('unknown')], [2, { kind: 'resolved', happened: false }]), []],
  ['never begun', after([0, { kind: 'asked' }], [300, outcome('expired')]), []],
  ['not known yet', after([0, intent]), []],
  ['followed', after([0, intent], [40, outcome('accepted')], [40, started]), []],
])('an outcome %s', (_how, state, news) => {
  expect(newsOfOutcome(state)).toEqual(news);
});

it.each([
  ['well, in seconds', started, [4, ended('finished')], []],
  ['well, late', started, [40, ended('finished')], ['slow']],
  ['badly', started, [4, ended('failed')], ['failed']],
  ['unseen, late', started, [40, ended('unknown')], ['unknown', 'slow']],
  ['well, a restore', { ...started, follow: 'restore' }, [4, ended('finished')], ['restore']],
  ['stopped by a person', { ...started, follow: 'restore' }, [40, ended('stopped')], []],
] as const)('a job that ends %s', (_how, begin, end, news) => {
  expect(newsOfJob(after([0, intent], [0, outcome('accepted')], [0, begin], [...end]))).toEqual(news);
});

const [alice, bob] = ['1400000000000000001', '1400000000000000002'].map((id) => ({ id, name: id, roles: [] }));
const requested = { kind: 'requested', actor: bob, denied: 'z.1', expires: '2026-11-19T22:15:00.000Z' };
const asked = { kind: 'asked', actor: alice, expires: '2026-11-19T22:05:00.000Z' };
const approvable = { ...asked, actor: bob, approvals: 1 };
const confirmed = (actor: object | undefined) => ({ kind: 'confirmed', actor, until: '2026-11-19T22:15:00.000Z' });
const approved = { kind: 'approved', actor: alice };
const done = (word: string, actor: object | undefined) => ({ kind: 'outcome', outcome: word, actor });
const answered = [{ waiter: bob, news: ['answered'] }];

it.each([
  ['asks others', [requested], []],
  ['is taken on', [requested, asked], answered],
  ['is taken on, and told', [requested, asked, { kind: 'pinged' }], []],
  ['is confirmed by whoever took it on', [requested, asked, confirmed(alice)], []],
  ['is declined', [requested, done('cancelled', alice)], answered],
  ['is withdrawn', [requested, done('cancelled', bob)], []],
  ['runs out', [requested, done('expired', bob)], answered],
  [
    'is done by another',
    [requested, asked, { kind: 'pinged' }, confirmed(alice), intent, done('succeeded', alice)],
    [{ waiter: bob, news: ['done'] }],
  ],
  [
    'is followed for another',
    [requested, asked, { kind: 'pinged' }, confirmed(alice), intent, done('accepted', alice), started],
    [{ waiter: bob, news: [] }],
  ],
  ['waits for an approval', [approvable, confirmed(bob)], []],
  [
    'is approved and done',
    [approvable, confirmed(bob), approved, intent, done('succeeded', bob)],
    [{ waiter: bob, news: ['answered', 'done'] }],
  ],
  [
    'is approved and followed',
    [approvable, confirmed(bob), approved, intent, done('accepted', bob), started],
    answered,
  ],
  ['is cancelled by another', [approvable, confirmed(bob), done('cancelled', alice)], answered],
  ['is cancelled by whoever waits', [approvable, confirmed(bob), done('cancelled', bob)], []],
  ['needs nobody', [asked, confirmed(alice), intent, done('succeeded', alice)], []],
] as const)('what waits for others and %s', (_how, entries, news) => {
  expect(newsForWaiters(after(...entries.map((entry, at): [number, object] => [at, entry])))).toEqual(news);
});

it('is news for a day', () => {
  const state = after([0, intent], [0, outcome('unknown')]);
  const at = Date.UTC(2026, 10, 19, 22);
  expect(isRecent(state, at + 24 * 3_600_000 - 1)).toBe(true);
  expect(isRecent(state, at + 24 * 3_600_000)).toBe(false);
});

const at = (message: string) => ({ place: { guild: '1', channel: '2', message } });
const restoring = [
  [0, { kind: 'asked', actor: bob, expires: '2026-11-19T22:05:00.000Z', glass: 'nobody answers' }],
  [1, intent],
  [2, outcome('accepted')],
  [2, { ...started, follow: 'restore', card: '3' }],
  [3, { kind: 'called', ...at('to alice') }],
] as const;

it.each([
  ['before its end, of whoever was called', [], 'to alice'],
  ['of the reviewers, once it ended and bob was told', [[9, ended('finished')]], 'to alice'],
  ['of bob, while its end is not known', [[9, ended('unknown')]], 'to bob'],
] as const)('the buttons of what was done with break-glass are on the message %s', (_, end, message) => {
  const told = end.length === 0 ? [] : ([[9, { kind: 'follow-up', step: 'announced', ...at('to bob') }]] as const);
  const state = after(...restoring, ...end, ...told);
  expect(pressedOn([state])?.place.message).toBe(message);
});
