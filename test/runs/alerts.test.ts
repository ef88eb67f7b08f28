import { expect, it } from 'vitest';
import { botActor } from '../../src/outcome.ts';
import { openAlerts } from '../../src/runs/alerts.ts';

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
