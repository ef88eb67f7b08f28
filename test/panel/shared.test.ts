import { expect, test } from 'vitest';
import type { Learned, SharedBudget } from '../../src/panel/client.ts';
import { alice, bob, bot, connect } from '../helpers/panel/client.ts';
import { createClock, type Said, serve } from '../helpers/panel/server.ts';

const followUp = { kind: 'follow-up' } as const;
const fine: Said = { status: 200, body: { data: {} } };

/** The others, who know what `known` has at the moment; keeps what it was told and asked. */
function others(known: { now: Learned | undefined }) {
  const told: Learned[] = [];
  const slots: [number, number][] = [];
  const shared: SharedBudget = {
    exchange(learned) {
      told.push(learned);
      return Promise.resolve(known.now);
    },
    slot(perMinute, after) {
      slots.push([perMinute, after]);
      return Promise.resolve(known.now && { inMs: 7_000, known: known.now });
    },
  };
  return { shared, told, slots };
}

async function talk(known: { now: Learned | undefined }, ...answers: Said[]) {
  const clock = createClock();
  const { url, heard } = await serve(...answers);
  const { shared, told, slots } = others(known);
  return { clock, heard, told, slots, client: connect(url, { ...clock, shared: () => shared }) };
}

test('other processes are asked before a request, at most once a second', async () => {
  const { client, clock, told, heard } = await talk({ now: {} }, fine);
  for (let count = 0; count < 5; count += 1) await client.call('connect', {}, bot);
  await Promise.all([client.call('connect', {}, alice), client.call('connect', {}, bob)]);
  expect(told).toHaveLength(1);
  await clock.wait(999);
  await client.look(['queue', 1], followUp);
  expect(told).toHaveLength(1);
  await clock.wait(1);
  await Promise.all([client.call('connect', {}, alice), client.call('connect', {}, bob)]);
  expect(told).toEqual([{}, {}]);
  expect(heard).toHaveLength(10);
});

test('what the panel says goes to the others: its limit, a wait, a refused token, and that it works again', async () => {
  const limits = { 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '599', 'x-ratelimit-reset': '1800000045' };
  const { client, clock, told } = await talk(
    { now: {} },
    { ...fine, headers: limits },
    { status: 429, headers: { 'retry-after': '12' } },
    { status: 401 },
    { status: 429, headers: { 'retry-after': '17' }, body: { errors: ['Locked out.'], retry_after_seconds: 17 } },
    fine,
  );
  const look = async (after: number) => {
    await clock.wait(after);
    await client.look(['queue', 1], followUp);
  };
  for (const after of [0, 0, 12_000, 60_000, 17_000]) await look(after);
  expect(told.filter((learned) => Object.keys(learned).length > 0)).toEqual([
    { limit: 600, minute: { reset: 1_800_000_045, remaining: 599, endsIn: 45_000 } },
    { heldFor: 12_000 },
    { openFor: 60_000 },
    { openFor: 17_000, heldFor: 17_000 },
    { openFor: 0 },
  ]);
});

test.each<[string, Learned, object]>([
  ['a wait', { heldFor: 31_000 }, { kind: 'not-sent', reason: 'waited-too-long' }],
  ['a refused token', { openFor: 5_000 }, { kind: 'not-sent', reason: 'circuit-open' }],
  [
    'a minute that is used up',
    { limit: 600, minute: { reset: 1_800_000_040, remaining: 0, endsIn: 40_000 } },
    { kind: 'not-sent', reason: 'waited-too-long' },
  ],
])('%s that the others met holds here as well', async (_title, known, answer) => {
  const { client, heard } = await talk({ now: known }, fine);
  expect(await client.call('connect', {}, alice)).toEqual(answer);
  expect(await client.look(['queue', 1], followUp)).toMatchObject({ kind: 'not-sent' });
  expect(heard).toHaveLength(0);
});

test('what the others have left of the minute holds follow-ups and not people', async () => {
  const minute = { reset: 1_800_000_040, remaining: 120, endsIn: 40_000 };
  const { client, heard } = await talk({ now: { limit: 600, minute } }, fine);
  expect(await client.look(['queue', 1], followUp)).toMatchObject({ kind: 'not-sent', again: 1_800_000_040_000 });
  expect(await client.call('connect', {}, alice)).toMatchObject({ kind: 'yes' });
  expect(heard).toHaveLength(1);
});

test('a turn is asked for at four fifths of the limit that the others know, after what holds', async () => {
  const { client, slots } = await talk({ now: { limit: 600, heldFor: 3_000 } }, fine);
  expect(await client.slot()).toBe(1_800_000_007_000);
  expect(slots).toEqual([[480, 3_000]]);
});

test('without an answer each goes by what it knows, also in its pace', async () => {
  const { client, heard } = await talk({ now: undefined }, fine);
  expect(await client.call('connect', {}, alice)).toMatchObject({ kind: 'yes' });
  expect([await client.slot(), await client.slot()]).toEqual([1_800_000_000_000, 1_800_000_001_000]);
  expect(heard).toHaveLength(1);
});

test('after one question without an answer nobody waits for the next, until one is answered', async () => {
  const clock = createClock();
  const { url, heard } = await serve(fine);
  const asked: ((known: Learned | undefined) => void)[] = [];
  const exchange = () => new Promise<Learned | undefined>((resolve) => asked.push(resolve));
  const client = connect(url, { ...clock, shared: () => ({ exchange, slot: () => Promise.resolve(undefined) }) });
  const first = client.call('connect', {}, alice);
  asked[0]?.(undefined);
  await first;
  await clock.wait(1_000);
  // The second question stays open, and still the call comes back.
  expect(await client.call('connect', {}, alice)).toMatchObject({ kind: 'yes' });
  expect(asked).toHaveLength(2);
  asked[1]?.({ openFor: 60_000 });
  await clock.wait(0);
  expect(await client.call('connect', {}, alice)).toEqual({ kind: 'not-sent', reason: 'circuit-open' });
  expect(heard).toHaveLength(2);
});
