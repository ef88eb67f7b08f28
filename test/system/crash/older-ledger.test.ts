import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startBot, surroundings } from '../../helpers/bot-process.ts';
import { answerTo, idOf, messageOf, stateOf, submits, textOf, until } from '../../helpers/messages.ts';

/** A restore of web-2 runs, and the bot is stopped; a copy of the ledger is from before. */
async function stoppedWhileItRuns() {
  const around = await surroundings();
  const { discord, panel } = around;
  const bot = await startBot(around);
  const ledger = join(bot.dir, 'ledger.jsonl');
  await answerTo(around, await discord.type('alice', 'ops', '/firewall enable server:web-1'), ['SUCCEEDED']);
  copyFileSync(ledger, join(bot.dir, 'copy'));
  const id = await discord.type('alice', 'ops', '/backup restore server:web-2 disks:0 reason:x');
  const asked = await answerTo(around, id, ['QUESTION']);
  await submits(around, asked, 'Confirm', 'web-2');
  const card = () => messageOf(around, asked.id);
  await until(() => stateOf(card()) === 'ACCEPTED' && textOf(card()).includes('running'), 'the restore', 20_000);
  await bot.stops();
  return { around, dir: bot.dir, ledger, card, panel };
}

it.each([
  ['the ledger was replaced by an older copy', []],
  ['a new ledger was begun', ['--new-ledger']],
])('when %s, a restore that runs is not said not to have been sent', { timeout: 90_000 }, async (_what, args) => {
  const { around, dir, ledger, card } = await stoppedWhileItRuns();
  if (args.length === 0) copyFileSync(join(dir, 'copy'), ledger);
  else rmSync(ledger);
  const again = await startBot(around, { dir, args });
  // Nothing of it is known any more, so its card stays as it was.
  await answerTo(around, await around.discord.type('alice', 'ops', '/firewall enable server:web-1'), ['SUCCEEDED']);
  expect(stateOf(card())).toBe('ACCEPTED');
  expect(readFileSync(ledger, 'utf8')).not.toContain('not-sent');
  await again.stops();
});

it('a question that was confirmed after the copy was made is not asked again', { timeout: 90_000 }, async () => {
  const around = await surroundings();
  const { discord, panel } = around;
  const bot = await startBot(around);
  const ledger = join(bot.dir, 'ledger.jsonl');
  const asked = await answerTo(around, await discord.type('alice', 'ops', '/firewall flush server:web-1 reason:x'), [
    'QUESTION',
  ]);
  copyFileSync(ledger, join(bot.dir, 'copy'));
  await discord.click('alice', asked.id, idOf(asked, 'Flush web-1'));
  const card = () => messageOf(around, asked.id);
  await until(() => stateOf(card()) === 'SUCCEEDED', 'the end');
  bot.kill('SIGKILL');
  await bot.ended;
  copyFileSync(join(bot.dir, 'copy'), ledger);
  const again = await startBot(around, { dir: bot.dir });
  await until(() => stateOf(card()) === 'UNKNOWN', 'what is known of it', 20_000);
  expect(textOf(card())).toContain("The bot's ledger, its record of all changes, was replaced by an older one");
  expect(panel.effects).toHaveLength(1);
  await again.stops();
});
