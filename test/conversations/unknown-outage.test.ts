import { expect, it } from 'vitest';
import { words } from '../helpers/card-text.ts';
import { idOf, labelsOf, messageOf, textOf, whispers } from '../helpers/messages.ts';
import { openWorld } from '../helpers/world.ts';

it('What a person said of an unknown outcome is on the card, also when Discord takes it later', async () => {
  const world = await openWorld();
  const { discord, panel } = world;
  panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
  await world.alice.types('/firewall enable server:web-1');
  const card = await discord.until(() =>
    discord.messages('alice', 'ops').find(({ content }) => words(content).startsWith('UNKNOWN')),
  );
  await discord.click('alice', card.id, idOf(card, 'Say what happened'));
  await discord.until(() => discord.modalOf('alice'));
  // As often as the client sends it.
  discord.order({ kind: 'status', status: 503, match: { method: 'PATCH' }, times: 6 });
  await discord.submit('alice', 'It did not happen: I looked');
  const kinds = (): string[] => world.ledger().map(({ kind }) => kind);
  await expect.poll(kinds).toContain('resolved');
  await discord.until(() => textOf(messageOf(world, card.id)).includes('It did not happen'), 25_000);
  expect(labelsOf(messageOf(world, card.id))).not.toContain('Say what happened');
  expect(whispers(world, card).map(textOf)).toEqual([]);
});
