import { describe, expect, it } from 'vitest';
import { does, since, stepsWhenDone, typedName } from '../../helpers/every-command/deeds.ts';
import { changings } from '../../helpers/every-command/lines.ts';
import { meeting, meets, sharedWorld } from '../../helpers/every-command/meets.ts';
import { refusals } from '../../helpers/every-command/troubles.ts';

const world = sharedWorld();

describe('rejected', () => {
  it.each(meeting(refusals))('by %s, %s says so, and nothing was done', async (name, id) => {
    await meets(world, id, refusals[name], 'rejected', 0);
  });

  it.each(changings)('after a 401, %s is held back for a minute', async (id, row) => {
    world.panel.order({ kind: 'status-before', status: 401, match: { path: '/connect' } });
    await world.alice.types('/panel check');
    const news = since(world);
    const card = await does(world.alice, row.looks ? { ...row, asks: 'no' } : row);
    expect(card).toContain(`panelops: NOT-SENT ${typedName(id)} · web-1 (101, production)`);
    expect(card).toContain("The bot's token was refused, or its address locked out");
    expect(card).toContain('[Ask again]');
    expect(news.requests()).toEqual([]);
    expect(news.entries().at(-1)).toMatchObject({
      outcome: 'not-sent',
      reason: row.looks ? 'look-failed' : 'circuit-open',
    });
    world.minutePasses();
    expect(await does(world.alice, row)).toContain(`panelops: ${row.outcome.toUpperCase()} `);
  });

  it.each(changings)('turned away with a short Retry-After, %s waits and is done once', async (_id, row) => {
    const news = since(world);
    const body = { errors: ['Too many requests.'] };
    const headers = { 'retry-after': '5' };
    world.panel.order({ kind: 'status-before', status: 429, headers, body, match: { changes: true } });
    expect(await does(world.alice, row)).toContain(`panelops: ${row.outcome.toUpperCase()} `);
    expect(news.changing()).toMatchObject([{ ...row.sends, status: 429 }, { ...row.sends }]);
    expect(news.effects()).toHaveLength(1);
    const done = stepsWhenDone(row);
    expect((await news.recorded(done.length)).map(({ kind }) => kind)).toEqual(done);
  });
});
