import { expect, it } from 'vitest';
import { type Ledger, Refused } from '../../src/ledger/ledger.ts';
import {
  alice,
  announcing,
  bob,
  card,
  channel,
  ended,
  follow,
  handedOver,
  moved,
  ops,
  stepsOf,
  watched,
} from '../helpers/follow-ups/bench.ts';
import { openLedger } from '../helpers/ledger/samples.ts';
import { until } from '../helpers/messages.ts';

const last = (ledger: Ledger) => ledger.entries().at(-1);
const isAnnounced = (ledger: Ledger, run = 'a.1') => stepsOf(ledger, run).includes('announced');
const announced = (ledger: Ledger, run?: string) => until(() => isAnnounced(ledger, run), 'the announcement');

/** A ledger of which a run is followed, and a channel. */
async function followed(how: Parameters<typeof follow>[2] = {}) {
  const ledger = await openLedger();
  await follow(ledger, 'a.1', how);
  return { ledger, messages: channel() };
}

it('An end is posted as a reply to the card, pings whoever follows, and is recorded with its message', async () => {
  const { ledger, messages } = await followed();
  announcing({ ledger, messages });
  await ledger.append([handedOver('a.1', bob)]);
  await ledger.append([ended('a.1', 'finished')]);
  await announced(ledger);
  const [post, ...others] = messages.posts;
  expect(post).toMatchObject({ to: { channel: ops, message: card }, text: 'a', pings: [bob.id] });
  expect(others).toEqual([]);
  expect(last(ledger)).toMatchObject({ step: 'announced', place: { message: post?.id } });
});

it('An end is announced as soon as it is in the ledger, and where the timer alone wakes', async () => {
  const { ledger, messages } = await followed();
  announcing({ ledger, messages, pace: { every: 3_600_000 } });
  await ledger.append([ended('a.1', 'finished')]);
  await announced(ledger);
  const late = await followed();
  await late.ledger.append([ended('a.1', 'finished')]);
  announcing(late);
  await announced(late.ledger);
});

it.each([
  ['is never shown', () => new Promise<void>(() => undefined)],
  ['is refused', () => Promise.reject(new Error('archived'))],
])('The end is announced also where its card %s', async (_, shown) => {
  const { ledger, messages } = await followed();
  const asked: unknown[] = [];
  const cards = {
    shown(...which: unknown[]) {
      asked.push(which);
      return shown();
    },
  };
  announcing({ ledger, messages, cards });
  await ledger.append([ended('a.1', 'failed')]);
  await announced(ledger);
  expect(asked).toEqual([['a', 2_000]]);
  expect(messages.posts).toMatchObject([{ pings: [alice.id] }]);
});

it('The reply goes below the message that took the place of the card meanwhile', async () => {
  const { ledger, messages } = await followed();
  const message = '1500000000000000009';
  const cards = { shown: async (): Promise<void> => void (await ledger.append([moved('a.1', message)])) };
  announcing({ ledger, messages, cards });
  await ledger.append([ended('a.1', 'finished')]);
  await announced(ledger);
  expect(messages.posts).toMatchObject([{ to: { message } }]);
});

it('In a deleted channel the end counts as announced, without a message', async () => {
  const { ledger } = await followed();
  const messages = { find: () => Promise.resolve(undefined), reply: () => Promise.resolve(undefined) };
  announcing({ ledger, messages });
  await ledger.append([ended('a.1', 'finished')]);
  await announced(ledger);
  expect(stepsOf(ledger, 'a.1')).toEqual(['started', 'ended', 'announced']);
});

it('The first fallback channel that exists gets the announcement, and the ledger names it', async () => {
  const { ledger, messages } = await followed();
  const gone = [ops, '31'];
  const reply: typeof messages.reply = (to, ...what) =>
    gone.includes(to.channel) ? Promise.resolve(undefined) : messages.reply(to, ...what);
  announcing({ ledger, messages: { ...messages, reply }, elsewhere: () => [...gone, '32', '33'] });
  await ledger.append([ended('a.1', 'finished')]);
  await announced(ledger);
  expect(messages.posts).toMatchObject([{ to: { channel: '32' } }]);
  expect(last(ledger)).toMatchObject({ step: 'announced', place: { channel: '32', message: messages.posts[0]?.id } });
});

it('Nothing is announced while servers of the same command are still to come, until the deadline', async () => {
  const [width, deadline] = [2, Date.now() + 3_600_000];
  const { ledger, messages } = await followed({ width, deadline });
  let now = Date.now();
  const { looks, ...seen } = watched(ledger);
  announcing({ ...seen, messages, now: () => now });
  await ledger.append([ended('a.1', 'finished', { width })]);
  await looks();
  expect([isAnnounced(ledger), messages.posts]).toEqual([false, []]);
  now = deadline;
  await announced(ledger);
  expect(messages.posts).toHaveLength(1);
});

it('What Discord refuses is tried again, later each time, and holds up nothing else', async () => {
  const { ledger, messages } = await followed();
  await follow(ledger, 'b.1');
  const tries: number[] = [];
  messages.fault = (when, what) => {
    if (when !== 'before' || what !== 'find' || tries.length === 5) return Promise.resolve();
    tries.push(performance.now());
    return Promise.reject(new Error('Discord is away'));
  };
  announcing({ ledger, messages, pace: { retry: 10, most: 80 } });
  await ledger.append([ended('a.1', 'finished')]);
  await until(() => tries.length === 4, 'four tries');
  await ledger.append([ended('b.1', 'stopped')]);
  await announced(ledger, 'b.1');
  await announced(ledger);
  const pauses = tries.slice(1).map((at, before) => at - (tries[before] ?? 0));
  for (const [count, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(10 * 2 ** count - 2);
  expect(messages.posts).toHaveLength(1);
});

const minute = 60_000;

it('What Discord refuses is tried again in time where the clock is set back', async () => {
  const { ledger, messages } = await followed();
  let [tries, back] = [0, 0];
  messages.fault = (when) => {
    if (when === 'before') tries += 1;
    return tries === 1 ? Promise.reject(new Error('Discord is away')) : Promise.resolve();
  };
  announcing({ ledger, messages, now: () => Date.now() - back, pace: { retry: 200, most: 200 } });
  await ledger.append([ended('a.1', 'finished')]);
  await until(() => tries === 1, 'a try');
  back = 60 * minute;
  await announced(ledger);
});

function onlyRefused(error: unknown): void {
  if (!(error instanceof Refused)) throw error;
}

it('Where there is no read, reminders come one by one, once each, and none once somebody has said how it ended', async () => {
  const { ledger } = await followed({ deadline: Date.now() + 90 * minute });
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const messages = channel(now);
  const { looks, ...seen } = watched(ledger);
  announcing({ ...seen, messages, now, readable: () => false, pace: { reminders: [15 * minute, 60 * minute] } });
  const texts = () => messages.posts.map(({ text, pings }) => [text, ...pings]);
  await looks();
  expect(texts()).toEqual([]);
  // Posted, and killed before that was recorded.
  messages.fault = (when, what) => {
    if (when === 'before' || what === 'find') return Promise.resolve();
    messages.fault = () => Promise.resolve();
    return Promise.reject(new Error('killed'));
  };
  ahead = 16 * minute;
  await until(() => stepsOf(ledger, 'a.1').includes('reminded'), 'the reminder');
  expect(texts()).toEqual([['a · reminder 1']]);
  expect(last(ledger)).toMatchObject({ step: 'reminded', n: 1, place: { message: messages.posts[0]?.id } });
  messages.fault = async (when, what) => {
    if (when === 'after' && what === 'find') await ledger.append([ended('a.1', 'stopped')]).catch(onlyRefused);
  };
  ahead = 61 * minute;
  await announced(ledger);
  await looks();
  expect(texts()).toEqual([['a · reminder 1']]);
  expect(stepsOf(ledger, 'a.1')).toEqual(['started', 'reminded', 'ended', 'announced']);
});

it('Missed reminders become one; none comes where the panel offers a read, and none after the deadline', async () => {
  const reminders = [15 * minute, 60 * minute];
  const deadline = Date.now() + 90 * minute;
  const { ledger, messages } = await followed({ deadline });
  const now = (): number => Date.now() + 61 * minute;
  for (const other of [
    { now, readable: () => true },
    { now: () => deadline, readable: () => false },
  ]) {
    const { looks, ...seen } = watched(ledger);
    announcing({ ...seen, ...other, messages, pace: { reminders } });
    await looks();
  }
  expect(messages.posts).toEqual([]);
  announcing({ ledger, messages, now, readable: () => false, pace: { reminders } });
  await until(() => stepsOf(ledger, 'a.1').includes('reminded'), 'the reminder');
  expect(last(ledger)).toMatchObject({ n: 2 });
  expect(messages.posts).toHaveLength(1);
});

const change = {
  ...{ run: 'a.1', actor: alice, command: 'power.boot', options: { server: '101' }, server: { id: 101 } },
  place: { guild: '1', channel: ops, message: card },
};

const botActor = { id: '0', name: 'panelops', roles: [] };

it('What a crash left behind unknown pings whoever ordered it, once, whoever announces and however often', async () => {
  const ledger = await openLedger();
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
  const ledger = await openLedger();
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
  const ledger = await openLedger();
  const messages = channel();
  await follow(ledger, 'a.1', { follow: kind });
  announcing({ ledger, messages });
  await ledger.append([ended('a.1', end)]);
  await until(() => stepsOf(ledger, 'a.1').includes('announced'), 'its end');
  expect(messages.posts).toHaveLength(posts);
});
