import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileIn, threadsOf } from '../helpers/incidents/scene.ts';
import { startWorld, type World } from '../helpers/world.ts';

let world: World;
let thread: string;
beforeAll(async () => {
  world = await startWorld({ still: true });
  await world.alice.types('/incident start title:"web-1 does not answer"');
  [thread = ''] = threadsOf(world);
});
afterAll(() => world.stop());

const notes = () =>
  world.entries().flatMap((entry) => ('note' in entry && entry.note !== undefined ? [entry.note.text] : []));

it('An alert that is made of components is kept with its words', async () => {
  const alert = world.discord.post('carol', 'ops', {
    flags: 32_768,
    components: [{ type: 17, components: [{ type: 10, content: '# web-1 is down' }] }],
  });
  expect(await world.bob.picks('Add to incident timeline', alert)).toContain('# web-1 is down');
  expect(notes()).toEqual(['# web-1 is down']);
});

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
