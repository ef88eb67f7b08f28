import { afterEach, describe, expect, it } from 'vitest';
import { isLabelled } from '../../helpers/card-text.ts';
import { asks, historyOf, idOf, labelsOf, messageOf, stateOf, until } from '../../helpers/messages.ts';
import { worldForAll } from '../../helpers/world.ts';

/** What anything between the bot and Discord may answer, and what Discord says of a message that is no more. */
const bare = { message: '404: Not Found', code: 0 };
const unknownMessage = { message: 'Unknown Message', code: 10008 };

describe('a 404 of a card that is there', () => {
  const world = worldForAll({ still: true });
  afterEach(() => world.discord.clear());

  /** So often for each way of an edit: by the interaction's token, and by the bot's own right. */
  const notFound = (body: object, times: number): void => {
    for (const path of ['/webhooks/*', '/channels/*'])
      world.discord.order({ kind: 'status', status: 404, body, match: { method: 'PATCH', path }, times });
  };

  it.each([
    ['without a word of Discord', 'web-1', bare],
    ['in the words for one that is deleted', 'web-2', unknownMessage],
  ])('leaves no Confirm on a question that ran out, when it comes once, %s', async (_how, server, body) => {
    const card = await asks(world, `/firewall flush server:${server}`);
    notFound(body, 1);
    world.timePasses(5 * 60_000);
    await until(() => historyOf(world, card).includes('expired'), 'the end of its time');
    await until(() => stateOf(messageOf(world, card.id)) === 'EXPIRED', 'the card to say so');
    expect(messageOf(world, card.id).buttons.some((each) => isLabelled(each, 'Confirm'))).toBe(false);
  });

  it('leaves no Confirm on what was confirmed, when it comes for seconds', async () => {
    const card = await asks(world, '/firewall flush server:db-1');
    notFound(unknownMessage, 4);
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    await until(() => historyOf(world, card).includes('succeeded'), 'the end');
    await until(() => stateOf(messageOf(world, card.id)) === 'SUCCEEDED', 'the card to say so');
    expect(labelsOf(messageOf(world, card.id))).toEqual([]);
  });
});
