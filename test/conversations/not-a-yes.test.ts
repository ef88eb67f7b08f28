import { expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

const world = worldForAll({ still: true });

const lastOf = () => {
  const entry = world.ledger().findLast(({ kind }) => kind === 'outcome');
  return entry?.kind === 'outcome' ? [entry.outcome, entry.reason] : undefined;
};

it.each([
  ['/firewall enable server:web-1', 'no-success'],
  ['/cpu throttle server:web-2 percent:50', 'no-success'],
  ['/ipv4 add server:web-3 addresses:203.0.113.20', 'no-success'],
  ['/power boot server:build-1', 'no-success'],
])('%s, to which the panel says 200 and no, is unknown, with its words', async (line, reason) => {
  const body = { success: false, errors: ['The server is suspended.'] };
  world.panel.order({ kind: 'status-before', status: 200, body, match: { changes: true } });
  const card = await world.alice.types(line);
  expect(card).toContain('panelops: UNKNOWN');
  expect(card).toContain('does not say that it succeeded. It answered 200.');
  expect(card).toContain('The answer says: `The server is suspended.`');
  expect(lastOf()).toEqual(['unknown', reason]);
});

it('what a proxy says is not told as what the panel says', async () => {
  const order = (changes: boolean): void =>
    world.panel.order({ kind: 'status-before', status: 403, body: { message: 'Forbidden' }, match: { changes } });
  order(true);
  const change = await world.alice.types('/firewall enable server:db-1');
  order(false);
  const read = await world.alice.types('/firewall show server:db-1');
  for (const card of [change, read]) {
    expect(card).toContain('panelops: UNKNOWN');
    expect(card).toContain('perhaps a proxy or firewall in front of it');
    expect(card).toContain('It answered 403.');
    expect(card).toContain('The answer says: `Forbidden`');
    expect(card).not.toContain('The panel says');
  }
  expect(lastOf()).toEqual(['unknown', 'not-the-panel']);
});

it('a firewall that says that it let nothing through is believed', async () => {
  const headers = { 'cf-mitigated': 'challenge' };
  world.panel.order({ kind: 'status-before', status: 403, headers, match: { changes: true } });
  const card = await world.alice.types('/firewall enable server:db-2');
  expect(card).toContain('panelops: REJECTED');
  expect(card).toContain('it did not reach the panel');
  expect(lastOf()).toEqual(['rejected', 'refused-before']);
});

it('a packed answer keeps the number of its job', async () => {
  world.panel.order({ kind: 'gzip', match: { changes: true } });
  expect(await world.alice.types('/power boot server:mail-1')).toContain('(item 5001)');
});
