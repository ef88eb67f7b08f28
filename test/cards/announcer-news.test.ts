import { expect, it } from 'vitest';
import {
  alice,
  announcing,
  card,
  channel,
  ended,
  follow,
  ops,
  ownLedger,
  stepsOf,
  watched,
} from '../helpers/follow-ups/bench.ts';
import { until } from '../helpers/messages.ts';

const change = {
  ...{ run: 'a.1', actor: alice, command: 'power.boot', options: { server: '101' }, server: { id: 101 } },
  place: { guild: '1', channel: ops, message: card },
};
const botActor = { id: '0', name: 'panelops', roles: [] };

it('What a crash left behind unknown pings whoever ordered it, once, whoever announces and however often', async () => {
  const ledger = await ownLedger();
  const messages = channel();
  await ledger.append([{ ...change, kind: 'intent' }]);
  await ledger.append([{ ...change, actor: botActor, kind: 'outcome', outcome: 'unknown', reason: 'bot-stopped' }]);
  announcing({ ledger, messages });
  await until(() => ledger.entries().at(-1)?.kind === 'pinged', 'the ping');
  const look = watched(ledger);
  announcing({ ledger: look.ledger, messages });
  await look.looks();
  expect(messages.posts).toMatchObject([
    { to: { channel: ops, message: card }, text: 'a · outcome', pings: [alice.id] },
  ]);
  expect(
    ledger
      .entries()
      .slice()
      .filter(({ kind }) => kind === 'pinged'),
  ).toHaveLength(1);
});

it.each([
  ['resolved', [{ ...change, kind: 'resolved', happened: true, why: 'seen' }], 0],
  ['older than a day', [], 25 * 3_600_000],
] as const)('What ended unknown and is %s pings nobody', async (_how, entries, later) => {
  const ledger = await ownLedger();
  const messages = channel();
  await ledger.append([{ ...change, kind: 'intent' }]);
  await ledger.append([{ ...change, kind: 'outcome', outcome: 'unknown', reason: 'timeout' }, ...entries]);
  const look = watched(ledger);
  announcing({ ledger: look.ledger, messages, now: () => Date.now() + later });
  await look.looks();
  expect(messages.posts).toEqual([]);
});

it.each([
  ['What took seconds and went well', 'power', 'finished', 0],
  ['A job that failed', 'power', 'failed', 1],
  ['A job that was not seen to end', 'power', 'unknown', 1],
  ['A restore that went well', 'restore', 'finished', 1],
] as const)('%s pings: %s %s, %i', async (_what, kind, end, posts) => {
  const ledger = await ownLedger();
  const messages = channel();
  await follow(ledger, 'a.1', { follow: kind });
  announcing({ ledger, messages });
  await ledger.append([ended('a.1', end)]);
  await until(() => stepsOf(ledger, 'a.1').includes('announced'), 'its end');
  expect(messages.posts).toHaveLength(posts);
});
