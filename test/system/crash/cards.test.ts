import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { words } from '../../helpers/card-text.ts';
import { asks, messageOf, presses, stateOf, textOf, until } from '../../helpers/messages.ts';
import { openScene } from '../../helpers/quick-bot.ts';

it('A card shows the end when one of its servers is no longer followed, and the bot is killed at the next', async () => {
  const scene = await openScene();
  const { discord, panel } = scene;
  const bot = await scene.start();
  const card = await asks(scene, '/power shutdown server:web-1,web-3');
  panel.order({ kind: 'hang-after', match: { path: '/103/', changes: true } });
  await presses(scene, card, 'Confirm');
  await panel.until(() => panel.requests.some(({ path, method }) => method !== 'GET' && path.includes('/103/')));
  await discord.type('alice', 'ops', '/follow-ups stop server:web-1');
  await until(() => scene.ledger().some(({ step }) => step === 'ended'), 'the end of the first');
  await bot.kill();
  await panel.clear();
  await scene.start();
  await until(() => stateOf(messageOf(scene, card.id)) === 'UNKNOWN', 'the card');
  expect(textOf(messageOf(scene, card.id))).toContain('**UNKNOWN** web-3 (103)');
});

it('A card whose first answer the killed bot never saw becomes final, also after its token has expired', async () => {
  const scene = await openScene();
  const { discord } = scene;
  const bot = await scene.start();
  discord.order({ kind: 'lose-request', by: 'hang', match: { method: 'POST', path: '/interactions/*' } });
  const id = await discord.type('alice', 'ops', '/firewall enable server:lab-1');
  const card = await discord.until(() =>
    discord
      .messages('alice', 'ops')
      .find(({ answers, content }) => answers === id && words(content).startsWith('WORKING')),
  );
  await bot.kill();
  discord.clear();
  const ahead = 20 * 60_000;
  scene.forget(ahead);
  await scene.start({ ahead });
  await until(() => scene.ledger().some(({ outcome }) => outcome === 'not-sent'), 'the outcome');
  await until(() => stateOf(messageOf(scene, card.id)) === 'NOT-SENT', 'the card');
});

it('A question that was confirmed after a copy of the ledger was made is not asked again once that copy is restored', async () => {
  const scene = await openScene();
  const [ledger, copy] = [join(scene.dir, 'ledger.jsonl'), join(scene.dir, 'copy')];
  const bot = await scene.start();
  const asked = await asks(scene, '/firewall flush server:web-1 reason:x');
  copyFileSync(ledger, copy);
  await presses(scene, asked, 'Flush web-1');
  const card = () => messageOf(scene, asked.id);
  await until(() => stateOf(card()) === 'SUCCEEDED', 'the end');
  await bot.kill();
  copyFileSync(copy, ledger);
  await scene.start();
  await until(() => stateOf(card()) === 'UNKNOWN', 'what is known of it');
  expect(textOf(card())).toContain("The bot's ledger, its record of all changes, was replaced by an older one");
  expect(scene.panel.effects).toHaveLength(1);
});
