import { it } from 'vitest';
import { words } from '../../helpers/card-text.ts';
import { openScene, startQuick } from '../../helpers/follow-ups/killing.ts';
import { wait } from '../../helpers/follow-ups/story.ts';
import { messageOf, stateOf } from '../../helpers/messages.ts';

it('A card whose first answer the killed bot never saw becomes final, also after its token has expired', async () => {
  let ahead = 0;
  const scene = await openScene(1_000, () => Date.now() + ahead);
  const { discord } = scene;
  const bot = await startQuick(scene);
  discord.order({ kind: 'lose-request', by: 'hang', match: { method: 'POST', path: '/interactions/*' } });
  const answered = (id: string) => discord.messages('alice', 'ops').find(({ answers }) => answers === id);
  const id = await discord.type('alice', 'ops', '/firewall enable server:lab-1');
  await discord.until(() => words(answered(id)?.content ?? '').startsWith('WORKING'));
  const card = answered(id);
  if (card === undefined) throw new Error('there is no card');
  await bot.kill();
  discord.clear();
  ahead = 20 * 60_000;
  await startQuick(scene, { ahead });
  await wait(
    () => scene.ledger().some((entry) => entry.kind === 'outcome' && entry.outcome === 'not-sent'),
    'the outcome',
  );
  await wait(() => stateOf(messageOf(scene, card.id)) === 'NOT-SENT', 'the card');
});
