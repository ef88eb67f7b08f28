import { expect, it } from 'vitest';
import { answerOf, following, pingOf, restores, seenOnce, steady, textSeen } from '../../helpers/follow-ups/story.ts';
import { idOf, labelsOf, messageOf, whisperAfter, whispers } from '../../helpers/messages.ts';

it('A restore that nobody follows can be looked at once more by whoever may read it; whoever may restore ends it from there', async () => {
  const world = await following({ panel: { restoreMs: 600_000 } });
  const card = await restores(world, 'web-1');
  await seenOnce(world, card.id, (text) => text.includes('░'));
  await answerOf(world, 'bob', '/follow-ups stop server:web-1');
  await world.discord.until(() => labelsOf(messageOf(world, card.id)).includes('Check now'));
  const check = idOf(messageOf(world, card.id), 'Check now');
  const press = (who: 'alice' | 'carol' | 'mallory') =>
    whisperAfter(world, card, who, () => world.discord.click(who, card.id, check));
  expect(await press('mallory')).toContain('DENIED /follow-ups list');
  expect(await press('carol')).toMatch(
    /^Checked: \/backup restore · web-1 \(101\)\nIt still runs: the panel says `running`, \d+ %\./,
  );
  world.panel.endRestores();
  expect(await press('carol')).toContain('It finished: the panel says `completed`, 100 %.\nWhoever may run');
  expect(await press('alice')).toContain('If you agree, press the button below.');
  const answer = whispers(world, card).at(-1);
  if (answer === undefined) throw new Error('alice was not answered');
  expect(labelsOf(answer)).toEqual(['Finished']);
  await world.discord.click('alice', answer.id, idOf(answer, 'Finished'));
  await seenOnce(world, card.id, (text) => text.startsWith('FINISHED'));
});

it('A job whose last look was lost in a kill is not reported as never seen', async () => {
  const world = await following({ panel: { restoreMs: 60_000 }, followUps: { deadline: 8_000 } });
  const card = await restores(world, 'web-1');
  await seenOnce(world, card.id, (text) => text.includes('`running`'));
  await world.app.stop();
  world.panel.order({ kind: 'status-before', status: 500, match: { path: '/backupManager/jobs/' }, times: 0 });
  await world.restart();
  const blind = await seenOnce(world, card.id, (text) => text.includes('has not been visible since'));
  expect(textSeen(world, blind)).toShow(
    'ACCEPTED /backup restore · web-1 (101, production)',
    'The restore of web-1 has not been visible since T ago.',
    'Not seen since the bot was restarted, T ago. The bot keeps trying; not seen does not mean failed.',
  );
  expect(steady(await world.alice.types('/follow-ups list'))).toMatch(
    /Not seen since the bot began to watch it again, T ago\. It has not been visible since T ago\./,
  );
  expect(textSeen(world, await pingOf(world, card, 15_000))).toShow(
    'UNKNOWN /backup restore · web-1 (101, production) @alice(!)',
    'The restore of web-1 was not seen to finish within N s.',
    'Not seen since the bot was restarted, T ago. It may still be running: check the panel for job J.',
  );
});
