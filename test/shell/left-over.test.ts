import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openCardFile } from '../../src/cards/file-store.ts';
import type { RawOptions } from '../../src/outcome.ts';
import { botActor } from '../../src/outcome.ts';
import { textOf } from '../helpers/cards/story.ts';
import { ledgerIn, openCards } from '../helpers/ledger/reading.ts';
import { denied, notes } from '../helpers/ledger/samples.ts';
import { until } from '../helpers/messages.ts';
import { openPipeline, replyOf } from '../helpers/run/pipeline.ts';
import { followUpsOf, lenientRules, panelOf } from '../helpers/stand-ins.ts';

const fault = (): never => {
  throw new Error('a fault of the bot');
};

const web1 = { id: 101, name: 'web-1' };
/** A restore of web-1. */
const followed = {
  ...{ id: 'restore-101-9001', command: 'backup.restore', server: web1, since: Date.now() },
  ...{ startedBy: botActor, notify: botActor, card: { guild: '1', channel: '2', message: '3' } },
};

/** A bot with a fault wherever the panel, or the end of what is followed, is asked for. */
async function startFaulty() {
  const log = notes();
  let shown = '';
  const { dir, ledger, runner, close } = await openPipeline({
    rules: { ...lenientRules, find: () => web1 },
    panel: { ...panelOf({ kind: 'yes', data: undefined }), call: fault },
    followUps: { ...followUpsOf([followed]), stop: fault },
    log,
    openStore: (folder) => openCardFile(folder, log),
    edit(_place, card) {
      shown = textOf(card).join('\n');
      return Promise.resolve('edited');
    },
  });
  onTestFinished(close);
  const bot = runner();
  const reply: ReturnType<typeof replyOf> = {
    ...replyOf('7'),
    acknowledge(card) {
      shown = textOf(card).join('\n');
      return Promise.resolve('7');
    },
  };
  return {
    ...{ dir, ledger, recover: bot.recover, logged: log.messages },
    types: (command: string, options: RawOptions = { server: '101' }, id = '123456789012345678'): Promise<void> =>
      bot.command({
        ...{ interaction: { id, token: 'token' }, place: { guild: 'g', channel: 'c' } },
        ...{ actor: { id: '1', name: 'alice', roles: [] }, command, options, reply },
        mayReturn: () => Promise.resolve(true),
      }),
    shows: (words: string) =>
      until(
        () => shown.includes(words),
        () => `"${words}" in ${shown}`,
      ),
    ends: () => ledgerIn(dir).map(({ kind, outcome, reason }) => [kind, outcome, reason]),
  };
}

it('A change whose request met a fault of the bot is unknown, and its card blames the bot, not a stop', async () => {
  const bot = await startFaulty();
  await bot.types('power.boot');
  await bot.shows('The bot failed because of a bug while the request was under way. Its log says why.');
  expect(bot.logged).toContain('a change failed because of a bug in the bot');
  expect(bot.ends()).toEqual([
    ['intent', undefined, undefined],
    ['outcome', 'unknown', 'bot-failed'],
  ]);
});

it('A command that met a fault of the bot while the ledger was away says so once the ledger is back', async () => {
  const bot = await startFaulty();
  const file = join(bot.dir, 'ledger.jsonl');
  // The ledger's file is there from its first entry on.
  await bot.ledger.append([denied('other.1')]);
  renameSync(file, `${file}.away`);
  writeFileSync(file, '');
  await bot.types('firewall.flush');
  expect(bot.logged.filter((message) => message.startsWith('a command failed'))).toEqual([
    'a command failed because of a bug in the bot',
    // It could not be ended, either.
    'a command failed because the ledger cannot be used',
  ]);
  await bot.recover();
  await bot.shows('WORKING');
  expect(readFileSync(file, 'utf8')).toBe('');

  rmSync(file);
  renameSync(`${file}.away`, file);
  await bot.recover();
  await bot.shows('The bot failed because of a bug, before it sent anything.');
  expect(bot.ends()).toEqual([
    ['denied', 'denied', 'denied'],
    ['outcome', 'not-sent', 'bot-fault'],
  ]);
});

it('A decision that met a fault of the bot is unknown: it may have been recorded', async () => {
  const bot = await startFaulty();
  await bot.types('follow-ups.stop');
  await bot.shows('It may or may not have been done. Nothing was sent to the panel.');
});

it('A freeze that the ledger may have recorded is known to the next process, too, until its card says what it has', async () => {
  const bot = await startFaulty();
  const file = join(bot.dir, 'ledger.jsonl');
  await bot.ledger.append([denied('other.1')]);
  renameSync(file, `${file}.away`);
  writeFileSync(file, '');
  const freezes = (...id: string[]) => bot.types('freeze', { tier: 'production', reason: 'x' }, ...id);
  await freezes();
  await bot.shows('Bring it back: the card will say what it has.');
  // Its record is stored after whatever became of the first one.
  await freezes('123456789012345679');
  expect(openCards(bot)).toHaveLength(2);
  rmSync(file);
  renameSync(`${file}.away`, file);
  await bot.recover();
  await bot.shows('Nothing changed.');
  await until(() => openCards(bot).length === 0, 'the records to go');
});
