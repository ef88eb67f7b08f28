import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerTo, changes, historyOf, textOf } from '../helpers/messages.ts';
import { startWorld, type World } from '../helpers/world.ts';

describe('a panel that turns a request away, and is gone when it is asked again', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld({ still: true });
  });
  afterEach(() => world.stop());

  /** Types it; the panel answers so, once, and from then on nobody listens. */
  async function types(line: string, status: number): Promise<string> {
    world.panel.order({ kind: 'status-before', status, headers: { 'retry-after': '1' } });
    const before = world.panel.requests.length;
    const id = await world.discord.type('alice', 'ops', line);
    await world.panel.until(() => world.panel.requests.length > before);
    world.panel.order({ kind: 'refuse' });
    return id;
  }

  it('is said to have turned the change away, and not that nothing left', async () => {
    const card = await answerTo(world, await types('/power boot server:web-1', 429), [
      'REJECTED',
      'NOT-SENT',
      'UNKNOWN',
    ]);
    expect(textOf(card).replace(/run \w+$/, 'run R')).toMatchInlineSnapshot(`
      "REJECTED /power boot · web-1 (101, production)
      The panel takes no more requests of the bot this minute (429).
      Nothing was changed.
      Wait a minute, then ask again.
      By <@1400000000000000001> · run R"
    `);
    expect(historyOf(world, card)).toEqual(['intent', 'rejected']);
    expect(changes(world)).toHaveLength(1);
  });

  it.each([
    [429, 'The panel takes no more requests of the bot this minute (429).'],
    [502, 'The panel, or a proxy, met an error.'],
  ])('is said to have answered a read with %i', async (status, why) => {
    const id = await types('/firewall show server:web-1', status);
    const card = await answerTo(world, id, ['SUCCEEDED', 'REJECTED', 'NOT-SENT', 'UNKNOWN']);
    expect(textOf(card)).toContain(why);
    expect(card.content).not.toContain('NOT-SENT');
  });
});
