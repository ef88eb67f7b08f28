import { expect, it } from 'vitest';
import { answerOf, following, restores, seenOnce } from '../../helpers/follow-ups/story.ts';
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
