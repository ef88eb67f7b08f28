import { expect, it } from 'vitest';
import { startBot, surroundings } from '../../helpers/bot-process.ts';
import { answerOf } from '../../helpers/follow-ups/story.ts';
import { idOf, until } from '../../helpers/messages.ts';

it('On a platform without the native canvas the card is complete without its picture, and the log says so once', async () => {
  const around = await surroundings();
  // The canvas itself then looks there, and finds nothing.
  const bot = await startBot(around, { env: { NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere/skia.node' } });
  const first = await answerOf(around, 'alice', '/hypervisors resources group:1');
  expect(first).toContain('panelops: Capacity of group 1');
  expect(first).toContain('memory 160 of 128 GB, over-committed');
  expect(first).not.toContain('📎');
  const cards = () => around.discord.messages('alice', 'ops');
  const card = await until(() => cards().at(-1), 'the card');
  await around.discord.click('alice', card.id, idOf(card, 'Next'));
  const next = await around.discord.until(() => {
    const text = around.discord.viewMessage('alice', cards().at(-1) ?? card);
    return text.includes('Showing 6–7 of 7 hypervisors.') && text;
  });
  expect(next).not.toContain('📎');
  expect(bot.logged().match(/cannot load the canvas on this platform/g)).toHaveLength(1);
});
