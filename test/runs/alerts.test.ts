import { expect, it } from 'vitest';
import { firedCard } from '../../src/cards/render/index.ts';
import { botActor } from '../../src/outcome.ts';
import { openAlerts } from '../../src/runs/alerts.ts';
import { drawing, flush, off, offAgain, on, restore, running, type Step } from '../helpers/cards/drawing.ts';
import { ends, follows, jobEnds, says, sends, typed } from '../helpers/cards/story.ts';

const time = '2026-11-27T02:00:00.000Z';
const place = { guild: '1100000000000000001', channel: '1300000000000000001' };

/** Each alert is a group of its own. */
function heard() {
  const alerts = openAlerts();
  let seq = 0;
  const next = () => {
    seq += 1;
    return { kind: 'alert' as const, seq, time, prev: '', hash: '', actor: botActor };
  };
  const says = (state: 'firing' | 'resolved', ...keys: readonly string[]): void => {
    const news = keys.map((key) => ({ source: 'prometheus', group: key, key, state, since: time, title: key }));
    alerts.take({ ...next(), step: 'received', news });
  };
  return {
    ...alerts,
    says,
    /** Its card. */
    fires(key: string): string {
      says('firing', key);
      const card = alerts.last({ source: 'prometheus', key })?.card ?? expect.fail('it has no card');
      alerts.take({ ...next(), step: 'shown', card, upTo: seq, place, pings: [] });
      return card;
    },
  };
}

it('Of cards of alerts that are over a thousand are remembered, the newest, and each that is not over', () => {
  const alerts = heard();
  const [open, first, ...cards] = ['open', ...Array.from({ length: 1_002 }, (_, n) => `${n}`)].map(alerts.fires);
  for (let n = 0; n < 1_002; n += 1) alerts.says('resolved', `${n}`);
  const known = (id = '') => alerts.card(id) !== undefined;
  expect([open, first, cards[0], cards[1], cards.at(-1)].map(known)).toEqual([true, false, false, true, true]);
  expect(alerts.open().map(({ id }) => id)).toEqual([open]);
  expect([alerts.hasCard('prometheus', 'open'), alerts.hasCard('prometheus', '0')]).toEqual([true, false]);
});

it('Of alerts that do not fire ten thousand are remembered of a source, those last heard of, and each that fires', () => {
  const alerts = heard();
  alerts.fires('open');
  alerts.says('resolved', ...Array.from({ length: 10_001 }, (_, n) => `${n}`));
  expect(alerts.size('prometheus')).toBe(10_000);
  const known = ['open', '0', '1', '2', '10000'].map((key) => alerts.last({ source: 'prometheus', key }) !== undefined);
  expect(known).toEqual([true, false, false, true, true]);
});

/** What its card says below the headline, some minutes later; the alert came ten hours after that history. */
function linesAfter(history: readonly Step[], since: string, end?: string): string[] {
  const alerts = openAlerts();
  const takes = (state: 'firing' | 'resolved', seq: number, at: string): void => {
    const news = { source: 'prometheus', group: 'g', key: 'k', state, since, title: 'HostDown' };
    const servers = [{ id: 101, name: 'web-1' }];
    const entry = { kind: 'alert', seq, time: at, prev: '', hash: '', actor: botActor, step: 'received' } as const;
    alerts.take({ ...entry, news: [{ ...news, servers }] });
  };
  takes('firing', 1, '2026-11-20T08:00:00.000Z');
  if (end !== undefined) takes('resolved', 2, end);
  const card = alerts.card('1-0') ?? expect.fail('it has no card');
  const { records } = drawing(history, {}).parts;
  return firedCard(card, records, Date.parse('2026-11-20T08:10:00Z'), []).body?.map(({ markup }) => markup) ?? [];
}

const restart = typed('restart', '/power restart server:101');
const lost = [sends(restart), ends(restart, 'unknown')];
it.each<[what: string, history: readonly Step[], line: string]>([
  ['nothing', [], 'No changes there in the 24 hours before.'],
  ['what was said to have happened', [...lost, says(restart, true, 'it is up again')], '1 change there'],
  ['what is under way, as was said', [...lost, says(restart, true, 'it runs'), follows(restart, 7)], '1 change there'],
  ['what was said not to have happened', [...lost, says(restart, false, 'no task')], 'No changes there'],
  ['what nobody knows', lost, '1 unknown there'],
  ['what failed after it had begun', [...running, jobEnds(restore, 'failed')], '1 failed there'],
  [
    'each of several once',
    [
      ...[...lost, says(restart, true, 'it is up again'), sends(off), ends(off, 'succeeded'), ...running],
      ...[jobEnds(restore, 'finished'), sends(on), ends(on, 'unknown'), sends(flush), ends(flush, 'rejected')],
      ...[sends(offAgain), ends(offAgain, 'unknown'), says(offAgain, false, 'no task')],
    ],
    '3 changes, 1 unknown there',
  ],
])('The card of an alert counts of what was done on its server: %s', (_what, history, line) => {
  expect(linesAfter(history, '2026-11-20T08:00:00.000Z')[1]).toContain(line);
});

it('An alert began no later than it came, and a start long before its end has a date', () => {
  const [came, lie] = ['2026-11-20T08:00:00.000Z', '3000-01-01T00:00:00.000Z'];
  expect(linesAfter([], '2026-11-20T07:55:00.000Z')[0]).toBe('Firing since <t:1795161300:R>.');
  expect(linesAfter([], lie)[0]).toBe('Firing since <t:1795161600:R>.');
  const end = '2026-11-20T08:05:00.000Z';
  expect(linesAfter([], lie, end)[0]).toBe('Resolved <t:1795161900:R>, fired <t:1795161600:t>.');
  expect(linesAfter([], came, end)[0]).toBe('Resolved <t:1795161900:R>, fired <t:1795161600:t>.');
  const before = '2026-11-17T08:00:00.000Z';
  expect(linesAfter([], before, end)[0]).toBe('Resolved <t:1795161900:R>, fired <t:1794902400:f>.');
});
