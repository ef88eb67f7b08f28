import { expect, it } from 'vitest';
import { startBot, surroundings } from '../../helpers/bot-process.ts';
import { entriesIn } from '../../helpers/ledger/reading.ts';
import { answerTo, asks, changes, ended, idOf, stateOf, textOf, until } from '../../helpers/messages.ts';

it('a freeze is in force after a kill: at the command, and for a question from before', async () => {
  const around = await surroundings();
  const { discord } = around;
  const first = await startBot(around);
  const question = await asks(around, '/firewall flush server:web-1');
  const typed = await discord.type('alice', 'ops', '/freeze tier:production until:2h reason:migration');
  await until(() => entriesIn(first.dir).some(({ kind }) => kind === 'frozen'), 'the entry');
  first.kill('SIGKILL');
  await first.ended;

  await startBot(around, { dir: first.dir });
  // Its card says what the ledger has, however far the killed process came.
  expect(textOf(await answerTo(around, typed, ['SUCCEEDED']))).toMatch(/frozen until .*`migration`/);
  await discord.click('alice', question.id, idOf(question, 'Confirm'));
  expect(stateOf(await ended(around, question))).toBe('BLOCKED');
  const boot = await discord.type('bob', 'ops', '/power boot server:web-1');
  expect(textOf(await answerTo(around, boot, ['BLOCKED', 'ACCEPTED'], 'bob'))).toContain('changes are frozen');
  expect(changes(around)).toEqual([]);
  expect(entriesIn(first.dir).filter(({ kind }) => kind === 'frozen')).toHaveLength(1);
}, 60_000);
