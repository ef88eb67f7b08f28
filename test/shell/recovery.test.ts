import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Card } from '../../src/card.ts';
import type { LeftOver } from '../../src/cards/record.ts';
import { cardStoreOf, openPipeline, replyOf } from '../helpers/run/pipeline.ts';
import { followUpsOf, lenientRules, panelOf } from '../helpers/stand-ins.ts';

const alice = { id: '1400000000000000001', name: 'alice', roles: [] };
const place = { guild: 'g', channel: 'c', message: '7' };
const ofRun = {
  run: 'boot.1',
  actor: alice,
  command: 'power.shutdown',
  options: { server: '101' },
  server: { id: 101, name: 'web-1' },
  place,
};
const opened: LeftOver['cards'][number]['opened'] = {
  interaction: { id: '1', token: '', at: 0 },
  audience: 'public',
  ...{
    place,
    actor: alice,
    command: 'power.shutdown',
    options: { server: '101' },
    servers: [ofRun.server],
    asks: true,
  },
};

/** A bot that takes over these cards. */
async function start({ left }: { left?: LeftOver }) {
  const shown: Card[] = [];
  const { ledger, runner, close } = await openPipeline({
    rules: {
      ...lenientRules,
      requirements: () => ({ confirm: true, typed: false, reason: false }),
      find: () => ofRun.server,
    },
    openStore: () => cardStoreOf(left),
    edit: (_target, card) => {
      shown.push(card);
      return Promise.resolve('edited');
    },
  });
  onTestFinished(close);
  const asks = async (): Promise<string> => {
    const expires = new Date(Date.now() + 120_000).toISOString();
    const [asked] = await ledger.append([{ ...ofRun, kind: 'asked', expires }]);
    return asked?.hash ?? '';
  };
  return {
    ledger,
    asks,
    recover: runner().recover,
    shown,
    /** alice confirmed, and another process sent it. */
    async sends(owner: string) {
      const question = await asks();
      await ledger.append([{ ...ofRun, kind: 'confirmed', question, owner }]);
      await ledger.append([{ ...ofRun, kind: 'intent', owner }]);
    },
    ends: () =>
      ledger
        .entries()
        .slice()
        .flatMap((entry) => (entry.kind === 'outcome' ? [[entry.outcome, entry.reason].join(' ')] : [])),
  };
}

/** The card is of a process that is no more. */
const cardOfTheAsker: LeftOver = { cards: [{ id: 'boot', opened }] };

it('a change is unknown whose process is no more', async () => {
  const { recover, sends, ends } = await start({ left: cardOfTheAsker });
  await sends('sender');
  await recover();
  expect(ends()).toEqual(['unknown bot-stopped']);
});

it('whoever is killed right after the outcome of a change leaves the start of what follows it, too', async () => {
  const { ledger, dir, runner, close } = await openPipeline({
    rules: { ...lenientRules, find: () => ofRun.server },
    panel: panelOf({ kind: 'yes', data: { queueId: 5001 } }),
    followUps: { ...followUpsOf(), deadline: () => Date.now() + 60_000 },
  });
  onTestFinished(close);
  let left = '';
  ledger.subscribe(({ kind }) => {
    if (kind === 'outcome') left = readFileSync(join(dir, 'ledger.jsonl'), 'utf8');
  });
  await runner().command({
    ...{ interaction: { id: '123456789012345678', token: 'token' }, actor: alice, place, reply: replyOf('7') },
    ...{ command: 'power.shutdown', options: { server: '101' }, mayReturn: () => Promise.resolve(true) },
  });
  expect(left.match(/"kind":"[^"]+"/g)).toEqual(['"kind":"intent"', '"kind":"outcome"', '"kind":"follow-up"']);
});

it('what an older ledger does not have of a card is unknown, never said not to have been sent', async () => {
  const { recover, ends } = await start({ left: { ...cardOfTheAsker, isAhead: true } });
  await recover();
  expect(ends()).toEqual(['unknown ledger-replaced']);
});

it('a question that an older ledger has for open is not asked any more: it may have been confirmed', async () => {
  const { recover, asks, ends } = await start({ left: { cards: [], isAhead: true } });
  await asks();
  await recover();
  expect(ends()).toEqual(['unknown ledger-replaced']);
});

it.each([
  ['that an earlier process asked, is closed like that', 3, true, ['unknown ledger-replaced']],
  ['that an earlier process asked after that, is not', 1, true, []],
  ['that this process asked, is not: nothing was sent', 3, false, []],
])('a question from before what only the trail has, %s', async (_what, from, isLater, ended) => {
  const { ledger, recover, asks, ends } = await start({ left: cardOfTheAsker });
  await asks();
  const bot = { id: '1000000000000000001', name: 'panelops', roles: [] };
  if (isLater) await ledger.append([{ kind: 'started', actor: bot, owner: 'b', facts: {} }]);
  await recover();
  expect(ends()).toEqual([]);
  await ledger.append([{ kind: 'tampered', channel: 'c', actor: bot, finding: 'ahead', message: '8', from, to: 4 }]);
  await recover();
  expect(ends()).toEqual(ended);
});

it('a question from after the finding stays open over a restart, whatever numbers the trail has', async () => {
  const { ledger, recover, asks, ends } = await start({ left: cardOfTheAsker });
  const bot = { id: '1000000000000000001', name: 'panelops', roles: [] };
  await ledger.append([
    { kind: 'tampered', channel: 'c', actor: bot, finding: 'ahead', message: '8', from: 149, to: 150 },
  ]);
  await asks();
  await ledger.append([{ kind: 'started', actor: bot, owner: 'b', facts: {} }]);
  await recover();
  expect(ends()).toEqual([]);
});

it('a question stays open over a restart', async () => {
  const { recover, asks, ends } = await start({ left: cardOfTheAsker });
  await asks();
  await recover();
  expect(ends()).toEqual([]);
});

it.each([
  ['firewall.show', 'unknown', 'The bot was restarted before it could answer.'],
  ['server.show', 'unknown', 'The bot was restarted before it could answer.'],
  ['help', 'unknown', 'The bot was restarted before it could answer.'],
  ['power.shutdown', 'not-sent', 'The bot was restarted, or its ledger failed, before it sent anything.'],
])('of %s that was cut off by a kill, the card claims no more than is known', async (command, state, fact) => {
  // A change that has no entry sent nothing. A read has none even where the panel had it.
  const servers = command === 'power.shutdown' ? [ofRun.server] : [];
  const card = { id: 'cut', opened: { ...opened, command, servers } };
  const { recover, shown } = await start({ left: { cards: [card] } });
  await recover();
  await vi.waitFor(() => expect(shown.at(-1)).toMatchObject({ state, fact: { markup: fact } }));
});

it('a question that is confirmed while the bot closes what was left keeps the end of its change', async () => {
  const killed = [201, 202, 203, 204, 205, 206, 207, 208];
  const on = (id: number) => ({ ...ofRun, run: `left${id}.1`, server: { id, name: `web-${id}` } });
  const left = {
    cards: [
      ...killed.map((id) => ({ id: `left${id}`, opened: { ...opened, servers: [on(id).server] } })),
      { id: 'boot', opened },
    ],
  };
  let recovering: Promise<void> | undefined;
  const yes = panelOf({ kind: 'yes', data: undefined });
  const { ledger, runner, seal, close } = await openPipeline({
    rules: {
      ...lenientRules,
      requirements: () => ({ confirm: true, typed: false, reason: false }),
      find: (id) => (id === '101' ? ofRun.server : on(Number(id)).server),
    },
    // Its answer comes once all that was left is closed.
    panel: { ...yes, call: (...asked) => Promise.resolve(recovering).then(() => yes.call(...asked)) },
    openStore: () => cardStoreOf(left),
  });
  onTestFinished(close);
  await ledger.append(killed.map((id) => ({ ...on(id), kind: 'intent' })));
  const expires = new Date(Date.now() + 120_000).toISOString();
  const [asked] = await ledger.append([{ ...ofRun, kind: 'asked', expires }]);
  if (asked?.kind !== 'asked') throw new Error('nothing was asked');
  const { recover, click } = runner();
  recovering = recover();
  await new Promise((resolve) => setImmediate(resolve));
  await click({
    ...{ interaction: { id: '1500000000000000001', token: 't' }, actor: alice, place, isPrivate: false, offered: true },
    button: `confirm:boot.${seal.of('confirm', asked)}`,
    mayReturn: () => Promise.resolve(true),
    rolesNow: () => Promise.resolve([]),
    reply: replyOf('7'),
  });
  await recovering;
  await expect.poll(() => ledger.run('boot.1')?.outcome?.outcome).toBe('accepted');
  expect(killed.map((id) => ledger.run(`left${id}.1`)?.outcome?.reason)).toEqual(killed.map(() => 'bot-stopped'));
});

it('a question of whose Confirm the ledger lost the answer is not said to have met a restart for certain', async () => {
  const shown: Card[] = [];
  const { ledger, runner, seal, lose, close } = await openPipeline({
    rules: {
      ...lenientRules,
      requirements: () => ({ confirm: true, typed: false, reason: false }),
      find: () => ofRun.server,
    },
    edit: (_target, card) => {
      shown.push(card);
      return Promise.resolve('edited');
    },
  });
  onTestFinished(close);
  const expires = new Date(Date.now() + 120_000).toISOString();
  const [asked] = await ledger.append([{ ...ofRun, kind: 'asked', expires }]);
  if (asked?.kind !== 'asked') throw new Error('nothing was asked');
  const { recover, click } = runner();
  await recover();
  lose();
  await click({
    ...{ interaction: { id: '1500000000000000001', token: 't' }, actor: alice, place, isPrivate: false, offered: true },
    button: `confirm:boot.${seal.of('confirm', asked)}`,
    mayReturn: () => Promise.resolve(true),
    rolesNow: () => Promise.resolve([]),
    reply: replyOf('7'),
  });
  await recover();
  const fact = { markup: 'The bot was restarted, or its ledger failed, before it sent anything.' };
  await vi.waitFor(() => expect(shown.at(-1)).toMatchObject({ state: 'not-sent', fact }));
});
