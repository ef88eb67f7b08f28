import { expect, it } from 'vitest';
import { openScene, startQuick } from '../../helpers/follow-ups/killing.ts';
import { wait } from '../../helpers/follow-ups/story.ts';
import { asks, idOf, messageOf, stateOf, textOf } from '../../helpers/messages.ts';

it('A card shows the end when one of its servers is no longer followed, and the bot is killed at the next', async () => {
  const scene = await openScene(1_000);
  const { discord, panel } = scene;
  const bot = await startQuick(scene);
  const card = await asks(scene, '/power shutdown server:web-1,web-3');
  panel.order({ kind: 'hang-after', match: { path: '/103/', changes: true } });
  await discord.click('alice', card.id, idOf(card, 'Confirm'));
  await panel.until(() => panel.requests.some(({ path, method }) => method !== 'GET' && path.includes('/103/')));
  await discord.type('alice', 'ops', '/follow-ups stop server:web-1');
  const steps = (): (string | undefined)[] => scene.ledger().flatMap(({ step }) => step ?? []);
  await wait(() => steps().includes('ended'), 'the end of the first');
  await bot.kill();
  await panel.clear();
  await startQuick(scene);
  await wait(() => scene.ledger().some(({ outcome }) => outcome === 'unknown'), 'the outcome of the second');
  await wait(() => stateOf(messageOf(scene, card.id)) === 'UNKNOWN', 'the card');
  expect(textOf(messageOf(scene, card.id))).toContain('**UNKNOWN** web-3 (103)');
});
