import { beforeAll, expect, it } from 'vitest';
import { fileIn, threadsOf } from '../helpers/incidents/scene.ts';
import { worldForAll } from '../helpers/world.ts';

let thread: string;
const world = worldForAll({ still: true });
beforeAll(async () => {
  await world.alice.types('/incident start title:"web-1 does not answer"');
  [thread = ''] = threadsOf(world);
});

const notes = () =>
  world.entries().flatMap((entry) => ('note' in entry && entry.note !== undefined ? [entry.note.text] : []));

it('A message without words is kept as a link, and the card says so', async () => {
  const line = world.discord.post('carol', 'ops', { flags: 32_768, components: [{ type: 14, divider: true }] });
  const { guildId, channels } = world.discord;
  const card = await world.bob.picks('Add to incident timeline', line);
  expect(card).toContain(`This message`);
  expect(card).toContain('of `carol` has no words that the bot can read');
  expect(notes().at(-1)).toBe(
    `(no words that the bot can read: https://discord.com/channels/${guildId}/${channels.ops}/${line})`,
  );
  await world.alice.types('/incident end', thread);
  expect(fileIn(world, thread)).toContain(
    `> \`(no words that the bot can read: https://discord.com/channels/${guildId}/`,
  );
});
