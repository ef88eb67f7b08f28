import { expect, it } from 'vitest';
import { following, pingOf, restores, seenOnce, steady, textSeen } from '../../helpers/follow-ups/story.ts';

it('A job whose last look was lost in a kill is not reported as never seen', async () => {
  const world = await following({ panel: { restoreMs: 60_000 }, followUps: { deadline: 8_000 } });
  const card = await restores(world, 'web-1');
  await seenOnce(world, card.id, (text) => text.includes('`running`'));
  await world.app.stop();
  world.panel.order({ kind: 'status-before', status: 500, match: { path: '/backupManager/jobs/' }, times: 0 });
  await world.restart();
  const blind = await seenOnce(world, card.id, (text) => text.includes('cannot be seen since'));
  expect(textSeen(world, blind)).toMatchInlineSnapshot(`
    "alice used /backup restore
    panelops: ACCEPTED /backup restore · web-1 (101, production) (edited)
      │ The restore of web-1 cannot be seen since T ago.
      │ It has not been seen since the bot was restarted, T ago. The bot goes on trying; not seen is not failed.
      │ Asked for: Overwrite disk 0 of web-1 from its backups; the panel picks which, and does not say.
      │ Started T ago as job J. @alice is pinged at its end.
      │ Cannot be undone.
      │ Look in the panel. If this stays so, tell whoever keeps the bot's policy.
      │ Reason: \`lost update\`
      │ By @alice · run R"
  `);
  expect(steady(await world.alice.types('/follow-ups list'))).toMatch(
    /Not seen since the bot began to watch it again, T ago\. It cannot be seen since T ago\./,
  );
  expect(textSeen(world, await pingOf(world, card, 15_000))).toMatchInlineSnapshot(`
    "↪ reply to panelops: UNKNOWN /backup restore · web-1 (101,…
    panelops: UNKNOWN /backup restore · web-1 (101, production) @alice(!)
      │ The restore of web-1 was not seen to finish within N s.
      │ It has not been seen since the bot was restarted, T ago. It may still run: look in the panel for job J.
      │ Asked for: Overwrite disk 0 of web-1 from its backups; the panel picks which, and does not say.
      │ Look in the panel, then press on its card what you saw.
      │ run R"
  `);
});
