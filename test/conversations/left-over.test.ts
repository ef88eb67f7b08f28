import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startPipeline } from '../helpers/follow-ups/pipeline.ts';
import { ledgerIn } from '../helpers/ledger/reading.ts';
import { answerTo, textOf, until } from '../helpers/messages.ts';

it('A change whose request met a fault of the bot is unknown, and its card blames the bot, not a stop', async () => {
  const pipeline = await startPipeline();
  onTestFinished(pipeline.close);
  const id = await pipeline.discord.type('bob', 'ops', '/power boot server:web-1');
  const card = await answerTo(pipeline, id, ['UNKNOWN']);
  expect(textOf(card)).toContain('The bot failed because of a bug while the request was under way. Its log says why.');
  expect(pipeline.logged).toContain('a change failed because of a bug in the bot');
  expect(ledgerIn(pipeline.dir).map(({ kind, outcome, reason }) => [kind, outcome, reason])).toEqual([
    ['intent', undefined, undefined],
    ['outcome', 'unknown', 'bot-failed'],
  ]);
});

it('A command that met a fault of the bot while the ledger was away says so once the ledger is back', async () => {
  // Its panel is a fault: whatever asks it throws.
  const pipeline = await startPipeline();
  onTestFinished(pipeline.close);
  const file = join(pipeline.dir, 'ledger.jsonl');
  // The ledger's file is there from its first entry on.
  await pipeline.says('mallory', '/firewall flush server:web-1');
  await until(() => existsSync(file) && ledgerIn(pipeline.dir).length === 1, 'a denial');
  renameSync(file, `${file}.away`);
  writeFileSync(file, '');
  const id = await pipeline.discord.type('alice', 'ops', '/firewall flush server:web-1');
  const faults = (): string[] => pipeline.logged.filter((message) => message.startsWith('a command failed'));
  await until(() => faults().length === 2, 'the fault');
  expect(faults()).toEqual([
    'a command failed because of a bug in the bot',
    // It could not be ended, either.
    'a command failed because the ledger cannot be used',
  ]);
  await pipeline.recover();
  await answerTo(pipeline, id, ['WORKING']);
  expect(readFileSync(file, 'utf8')).toBe('');

  rmSync(file);
  renameSync(`${file}.away`, file);
  await pipeline.recover();
  const card = await answerTo(pipeline, id, ['NOT-SENT']);
  expect(textOf(card)).toContain('The bot failed because of a bug, before it sent anything.');
  expect(ledgerIn(pipeline.dir).map(({ kind, outcome, reason }) => [kind, outcome, reason])).toEqual([
    ['denied', 'denied', 'denied'],
    ['outcome', 'not-sent', 'bot-fault'],
  ]);
});
