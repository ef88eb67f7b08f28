import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { answerOf } from '../../helpers/follow-ups/story.ts';
import { idOf, until } from '../../helpers/messages.ts';
import { startBot } from '../../helpers/stage.ts';
import { surroundings } from '../../helpers/surroundings.ts';

const illegal = fileURLToPath(new URL('../../helpers/chart/illegal-instruction.cjs', import.meta.url));

it.each([
  ['has no native canvas', '/nowhere/skia.node', 'Cannot find native binding'],
  ['kills whoever loads the canvas', illegal, 'the process that draws ended with SIGILL'],
])('On a machine that %s the card is complete without its picture, and the log says so once', async (_, path, why) => {
  const around = await surroundings();
  // The canvas itself then looks there.
  const bot = await startBot(around, { env: { NAPI_RS_NATIVE_LIBRARY_PATH: path } });
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
  expect(bot.stderr().match(/cannot draw: cards go without pictures/g)).toHaveLength(1);
  expect(bot.stderr()).toContain(why);
});
