import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commands } from '../../commands/index.ts';
import { cardRenderer } from '../../src/app/cards.ts';
import { policyFor, rulesOf } from '../../src/app/rules.ts';
import { type Closing, inFiles } from '../../src/app/store.ts';
import { createSeal } from '../../src/cards/seal.ts';
import { createBot } from '../../src/discord/bot.ts';
import { botActor } from '../../src/outcome.ts';
import { livePolicy } from '../../src/policy/live.ts';
import { startDiscord } from '../../src/sandbox/discord/index.ts';
import { createRunner } from '../../src/shell/index.ts';
import { ledgerIn } from '../helpers/ledger/reading.ts';
import { notes } from '../helpers/ledger/samples.ts';
import { answerTo, quietLog, textOf, until } from '../helpers/messages.ts';
import { quiet } from '../helpers/stand-ins.ts';
import { examplePolicy } from '../helpers/world.ts';

const fault = (): never => {
  throw new Error('a fault of the bot');
};

/** A restore of web-1. */
const followed = {
  ...{ id: 'restore-101-9001', command: 'backup.restore', server: { id: 101, name: 'web-1', tier: 'production' } },
  ...{ startedBy: botActor, notify: botActor, card: { guild: '1', channel: '2', message: '3' }, since: Date.now() },
};

/** The bot on the sandbox's Discord, with a fault wherever the panel, or the end of what is followed, is asked for. */
async function startFaulty() {
  const discord = await startDiscord();
  const dir = mkdtempSync(join(tmpdir(), 'panelops-faulty-'));
  const closing: Closing = [];
  const log = notes();
  const about = { log, now: Date.now };
  const store = await inFiles({ dataDir: dir, ...about }, closing);
  const bot = createBot({
    ...{ token: discord.token, guild: discord.guildId, apiUrl: discord.apiUrl, commands, register: true, note: '' },
    ...{ isGiven: () => true, log: quietLog, onRefused: fault },
  });
  const read = policyFor(examplePolicy, discord.guildId);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const around = {
    ...{ ...about, cardStore: store.cardStore, ledger: store.ledger },
    ...{ rules: rulesOf(livePolicy(read.policy)), seal: createSeal(discord.token) },
  };
  const lookless = { lookOf: () => undefined, canLook: () => false };
  const drawn = cardRenderer({ ...around, ...bot, recipients: () => [], elsewhere: () => [], ...lookless });
  const called = { call: fault, look: fault, slot: fault, budgetLeft: fault, facts: fault };
  const runner = createRunner({
    ...{ ...around, ...quiet, ...drawn, commands },
    followUps: {
      ...{ list: () => Promise.resolve([followed]), unfollowed: () => Promise.resolve([]), troubles: () => [] },
      ...{ stop: fault, end: fault, handOver: fault, deadline: fault, canLook: () => false, look: fault },
    },
    panel: { ...called, useToken: fault, close: fault },
  });
  bot.serve(runner);
  await bot.connect();
  onTestFinished(async () => {
    await runner.stop(1_000);
    await bot.close();
    await discord.close();
    for (const each of closing.toReversed()) await each();
    rmSync(dir, { recursive: true });
  });
  return { discord, dir, recover: runner.recover, logged: log.messages };
}

it('A change whose request met a fault of the bot is unknown, and its card blames the bot, not a stop', async () => {
  const bot = await startFaulty();
  const id = await bot.discord.type('bob', 'ops', '/power boot server:web-1');
  const card = await answerTo(bot, id, ['UNKNOWN']);
  expect(textOf(card)).toContain('The bot failed because of a bug while the request was under way. Its log says why.');
  expect(bot.logged).toContain('a change failed because of a bug in the bot');
  expect(ledgerIn(bot.dir).map(({ kind, outcome, reason }) => [kind, outcome, reason])).toEqual([
    ['intent', undefined, undefined],
    ['outcome', 'unknown', 'bot-failed'],
  ]);
});

it('A command that met a fault of the bot while the ledger was away says so once the ledger is back', async () => {
  const bot = await startFaulty();
  const file = join(bot.dir, 'ledger.jsonl');
  // The ledger's file is there from its first entry on.
  await bot.discord.type('mallory', 'ops', '/firewall flush server:web-1');
  await until(() => existsSync(file) && ledgerIn(bot.dir).length === 1, 'a denial');
  renameSync(file, `${file}.away`);
  writeFileSync(file, '');
  const id = await bot.discord.type('alice', 'ops', '/firewall flush server:web-1');
  const faults = (): string[] => bot.logged.filter((message) => message.startsWith('a command failed'));
  await until(() => faults().length === 2, 'the fault');
  expect(faults()).toEqual([
    'a command failed because of a bug in the bot',
    // It could not be ended, either.
    'a command failed because the ledger cannot be used',
  ]);
  await bot.recover();
  await answerTo(bot, id, ['WORKING']);
  expect(readFileSync(file, 'utf8')).toBe('');

  rmSync(file);
  renameSync(`${file}.away`, file);
  await bot.recover();
  const card = await answerTo(bot, id, ['NOT-SENT']);
  expect(textOf(card)).toContain('The bot failed because of a bug, before it sent anything.');
  expect(ledgerIn(bot.dir).map(({ kind, outcome, reason }) => [kind, outcome, reason])).toEqual([
    ['denied', 'denied', 'denied'],
    ['outcome', 'not-sent', 'bot-fault'],
  ]);
});

it('A decision that met a fault of the bot is unknown: it may have been recorded', async () => {
  const bot = await startFaulty();
  const id = await bot.discord.type('alice', 'ops', '/follow-ups stop server:web-1');
  expect(textOf(await answerTo(bot, id, ['UNKNOWN']))).toContain(
    'It may or may not have been done. Nothing was sent to the panel.',
  );
});
