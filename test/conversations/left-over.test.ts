import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openOffice } from '../helpers/follow-ups/office.ts';
import { answerTo, textOf, until } from '../helpers/messages.ts';
import { ledgerIn } from '../helpers/world.ts';

it('A command that met a fault of the bot while the ledger was away says so once the ledger is back', async () => {
  // Its panel is a fault: whatever asks it throws.
  const office = await openOffice();
  onTestFinished(office.close);
  const file = join(office.dir, 'ledger.jsonl');
  await office.says('alice', '/follow-ups list');
  renameSync(file, `${file}.away`);
  writeFileSync(file, '');
  const id = await office.discord.type('alice', 'ops', '/firewall flush server:web-1');
  const faults = (): string[] => office.logged.filter((message) => message === 'a command met a fault of the bot');
  // The second time because it could not be ended, either.
  await until(() => faults().length === 2, 'the fault');
  await office.recover();
  await answerTo(office, id, ['WORKING']);
  expect(readFileSync(file, 'utf8')).toBe('');

  rmSync(file);
  renameSync(`${file}.away`, file);
  await office.recover();
  const card = await answerTo(office, id, ['NOT-SENT']);
  expect(textOf(card)).toContain('The bot met a fault of its own before it sent anything.');
  expect(ledgerIn(office.dir).map(({ kind, outcome, reason }) => [kind, outcome, reason])).toEqual([
    ['outcome', 'not-sent', 'bot-fault'],
  ]);
});
