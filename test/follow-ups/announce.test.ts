import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Announcing, announce } from '../../src/follow-ups/announce.ts';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { ends } from '../../src/outcome.ts';
import { folder } from '../ledger/samples.ts';
import { quietLog } from '../races.ts';
import {
  alice,
  begun,
  bob,
  card,
  cardsOf,
  channel,
  ended,
  follow,
  handedOver,
  moved,
  ops,
  ownLedger,
  stepsOf,
} from './bench.ts';

const partsOf = (ledger: Ledger): Announcing & { messages: ReturnType<typeof channel> } => ({
  ledger,
  messages: channel(),
  cards: cardsOf(),
  now: Date.now,
});

const last = (ledger: Ledger) => ledger.entries().at(-1);

it('An end is posted as a reply to the card, pings whoever follows, and is recorded with its message', async () => {
  const ledger = await ownLedger();
  const parts = partsOf(ledger);
  await follow(ledger, 'a.1');
  await ledger.append([handedOver('a.1', bob)]);
  await ledger.append([ended('a.1', 'finished')]);
  expect(await announce(parts, 'a.1')).toBe(true);
  const [post, ...others] = parts.messages.posts;
  expect(post).toMatchObject({ to: { channel: ops, message: card }, text: 'a', pings: [bob.id] });
  expect(others).toEqual([]);
  expect(last(ledger)).toMatchObject({ step: 'announced', place: { message: post?.id } });
  expect(await announce(parts, 'a.1')).toBe(true);
  expect(parts.messages.posts).toHaveLength(1);
});

it('What nobody follows any more pings nobody, and is over', async () => {
  const ledger = await ownLedger();
  const parts = partsOf(ledger);
  await follow(ledger, 'a.1');
  await ledger.append([ended('a.1', 'stopped')]);
  expect(await announce(parts, 'a.1')).toBe(true);
  expect(parts.messages.posts).toEqual([]);
  expect(last(ledger)).toMatchObject({ step: 'announced' });
  expect(last(ledger)).not.toHaveProperty('place.message');
});

it.each([
  ['is never shown', () => new Promise<void>(() => undefined)],
  ['is refused', () => Promise.reject(new Error('archived'))],
])('The end is announced also where its card %s', async (_, shown) => {
  const ledger = await ownLedger();
  const parts = partsOf(ledger);
  await follow(ledger, 'a.1');
  await ledger.append([ended('a.1', 'failed')]);
  const asked: unknown[] = [];
  const cards = {
    ...parts.cards,
    shown(...which: unknown[]) {
      asked.push(which);
      return shown();
    },
  };
  expect(await announce({ ...parts, cards }, 'a.1')).toBe(true);
  expect(asked).toEqual([['a', 2_000]]);
  expect(parts.messages.posts).toMatchObject([{ pings: [alice.id] }]);
});

it('The reply goes below the message that took the place of the card meanwhile', async () => {
  const ledger = await ownLedger();
  const parts = partsOf(ledger);
  await follow(ledger, 'a.1');
  await ledger.append([ended('a.1', 'finished')]);
  const message = '1500000000000000009';
  const shown = async (): Promise<void> => void (await ledger.append([moved('a.1', message)]));
  await announce({ ...parts, cards: { ...parts.cards, shown } }, 'a.1');
  expect(parts.messages.posts).toMatchObject([{ to: { message } }]);
});

it('In a channel that is no more the end is announced without a message', async () => {
  const ledger = await ownLedger();
  const parts = partsOf(ledger);
  await follow(ledger, 'a.1');
  await ledger.append([ended('a.1', 'finished')]);
  const messages = { find: () => Promise.resolve(undefined), reply: () => Promise.resolve(undefined) };
  expect(await announce({ ...parts, messages }, 'a.1')).toBe(true);
  expect(stepsOf(ledger, 'a.1')).toEqual(['started', 'ended', 'announced']);
});

it('Nothing is announced while servers of the same command are still to come, until the deadline', async () => {
  const ledger = await ownLedger();
  const parts = partsOf(ledger);
  const [both, deadline] = [{ width: 2 }, Date.now() + 3_600_000];
  await follow(ledger, 'a.1', { ...both, deadline });
  await ledger.append([ended('a.1', 'finished', both)]);
  expect(await announce(parts, 'a.1')).toBe(false);
  expect(parts.messages.posts).toEqual([]);
  expect(await announce({ ...parts, now: () => deadline }, 'a.1')).toBe(true);
  expect(parts.messages.posts).toHaveLength(1);
});

/** Somebody pulls the plug. */
class Killed extends Error {}

it('However ends come and processes are killed, one message pings, and everything is announced', async () => {
  const server = fc.record({ end: fc.constantFrom(...ends), rank: fc.nat() });
  /** At which of the steps of Discord and of the ledger the process is killed next; and how many work at once. */
  const kills = fc.array(fc.nat({ max: 12 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(server, { minLength: 1, maxLength: 3 }), kills, async (servers, order) => {
      const dir = folder();
      const ledger = await openFileLedger({ dir, log: quietLog });
      const messages = channel();
      const runs = servers.map((each, at) => ({ ...each, run: `a.${at + 1}` }));
      const how = { width: servers.length };
      for (const { run } of runs) for (const entries of begun(run, how)) await ledger.append(entries);

      let left = Number.POSITIVE_INFINITY;
      const tick = (): Promise<void> => {
        left -= 1;
        return left < 0 ? Promise.reject(new Killed()) : Promise.resolve();
      };
      messages.fault = async (when, what) => {
        await tick();
        // Whoever posts speaks for all.
        if (when === 'before' && what === 'reply')
          expect(runs.every(({ run }) => ledger.run(run)?.followUp?.ended)).toBe(true);
      };
      const append: Ledger['append'] = async (entries) => {
        await tick();
        const appended = await ledger.append(entries);
        await tick();
        return appended;
      };
      const parts: Announcing = { ledger: { ...ledger, append }, messages, cards: cardsOf(), now: Date.now };
      const plan = [...order];
      const open = () => ledger.following().filter(({ followUp }) => followUp?.ended !== undefined);
      for (const { run, end } of runs.toSorted((a, b) => a.rank - b.rank)) {
        await ledger.append([ended(run, end, how)]);
        left = plan.shift() ?? Number.POSITIVE_INFINITY;
        // One after the other, as jobs of the queue come, each until it is killed.
        for (const state of open()) await announce(parts, state.run).catch(onlyKilled);
      }
      while (open().length > 0) {
        left = plan.shift() ?? Number.POSITIVE_INFINITY;
        for (const state of open()) await announce(parts, state.run).catch(onlyKilled);
      }
      const told = runs.some(({ end }) => end !== 'stopped');
      expect(messages.posts.map(({ pings }) => pings)).toEqual(told ? [[alice.id]] : []);
      expect(runs.flatMap(({ run }) => stepsOf(ledger, run).filter((step) => step === 'announced'))).toHaveLength(
        runs.length,
      );
      await ledger.close();
    }),
    { numRuns: 150 },
  );
});

function onlyKilled(error: unknown): void {
  if (!(error instanceof Killed)) throw error;
}
