import { describe, expect, it } from 'vitest';
import { since, steps, typedName } from '../../helpers/every-command/deeds.ts';
import { changings } from '../../helpers/every-command/lines.ts';
import { sharedWorld } from '../../helpers/every-command/meets.ts';
import type { Changing } from '../../helpers/every-command/row.ts';
import type { World } from '../../helpers/world.ts';

const doneAgain = (row: Changing): string => `panelops: ${row.outcome.toUpperCase()} `;

/** Types the line while the panel can be reached, asks or not; `meanwhile` happens before it is confirmed or typed. */
async function doesAfter(world: World, row: Changing, meanwhile: () => void): Promise<string> {
  if (row.asks === 'no') {
    meanwhile();
    return world.alice.types(row.line);
  }
  await world.alice.types(row.line);
  meanwhile();
  const next = await world.alice.clicks('Confirm');
  return row.asks === 'typed' ? world.alice.fills('web-1') : next;
}

describe('a panel that refuses the connection', () => {
  const world = sharedWorld();

  it.each(changings)('%s is not sent, and can be asked again', async (id, row) => {
    const news = since(world);
    const card = await doesAfter(world, row, () => world.panel.order({ kind: 'refuse' }));

    expect(card).toContain(`panelops: NOT-SENT ${typedName(id)} · web-1 (101, production)`);
    expect(card).toContain('The panel could not be reached: it refused the connection.');
    expect(card).toContain(
      'Ask again in a minute. If it keeps failing, tell whoever runs the bot: the panel may be down, or PANEL_URL wrong.',
    );
    expect(card).toContain('[Ask again]');
    expect(news.changing()).toEqual([]);
    expect(news.effects()).toEqual([]);
    // What cannot be read again is held back before it is meant.
    const kinds = row.looks ? (['outcome'] as const) : (['intent', 'outcome'] as const);
    expect(news.entries().map(({ kind }) => kind)).toEqual(steps(row.asks, ...kinds));
    expect(news.entries().at(-1)).toMatchObject({
      outcome: 'not-sent',
      reason: row.looks ? 'look-failed' : 'connection-refused',
    });

    await world.panel.clear();
    const again = since(world);
    const first = await world.alice.clicks('Ask again');
    const last = row.asks === 'no' ? first : await world.alice.clicks('Confirm');
    expect(row.asks === 'typed' ? await world.alice.fills('web-1') : last).toContain(doneAgain(row));
    expect(again.changing()).toMatchObject([row.sends]);
    expect(again.effects()).toHaveLength(1);
  });
});
