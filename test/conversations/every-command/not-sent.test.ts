import { describe, expect, it } from 'vitest';
import { createCertificate } from '../../../src/sandbox/panel/certificate.ts';
import { policyOfEveryCommand } from '../../helpers/alerts.ts';
import { does, since, steps, typedName } from '../../helpers/every-command/deeds.ts';
import { changingOf, changings } from '../../helpers/every-command/lines.ts';
import { oneOfEach, sharedWorld } from '../../helpers/every-command/meets.ts';
import type { Changing } from '../../helpers/every-command/row.ts';
import { type World, worldForAll } from '../../helpers/world.ts';

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
    const news = since(world());
    const card = await doesAfter(world(), row, () => world().panel.order({ kind: 'refuse' }));

    expect(card).toContain(`panelops: NOT-SENT ${typedName(id)} · web-1 (101, production)`);
    expect(card).toContain('The panel could not be reached: it refused the connection.');
    expect(card).toContain(
      'Ask again in a minute. If that continues, tell whoever runs the bot: the panel may be down, or PANEL_URL wrong.',
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

    await world().panel.clear();
    const again = since(world());
    const first = await world().alice.clicks('Ask again');
    const last = row.asks === 'no' ? first : await world().alice.clicks('Confirm');
    expect(row.asks === 'typed' ? await world().alice.fills('web-1') : last).toContain(doneAgain(row));
    expect(again.changing()).toMatchObject([row.sends]);
    expect(again.effects()).toHaveLength(1);
  });

  it('help and can still answer', async () => {
    world().panel.order({ kind: 'refuse' });
    expect(await world().bob.types('/help')).toContain('panelops: What you may run');
    expect(await world().bob.types('/can command:power.boot')).toContain('panelops: May you run');
  });
});

describe("a panel with another's certificate", () => {
  const world = sharedWorld({ panel: { tls: true } });

  it.each(changings)('%s is not sent', async (id, row) => {
    const news = since(world());
    const card = await doesAfter(world(), row, () => world().panel.order({ kind: 'wrong-certificate' }));
    expect(card).toContain(`panelops: NOT-SENT ${typedName(id)} · web-1 (101, production)`);
    expect(card).toContain("The panel's certificate was not trusted");
    expect(card).toContain('set PANEL_CA_FILE. Otherwise find out what answers in its place.');
    expect(news.changing()).toEqual([]);
    expect(news.entries().at(-1)).toMatchObject({
      outcome: 'not-sent',
      reason: row.looks ? 'look-failed' : 'certificate',
    });
  });

  it.each(oneOfEach)('with the right one again, %s is done', async (id) => {
    const row = changingOf(id);
    expect(await does(world().alice, row)).toContain(doneAgain(row));
  });
});

describe('a panel whose CA the bot was not told', () => {
  const told = createCertificate('a CA of somebody else').ca;
  const world = worldForAll({ policy: policyOfEveryCommand(), hurry: true, panel: { tls: true }, ca: told });

  it('gets no change, and no read', async () => {
    const news = since(world);
    const change = await world.alice.types('/power boot server:web-1');
    expect(change).toContain('panelops: NOT-SENT /power boot · web-1 (101, production)');
    expect(change).toContain("The panel's certificate was not trusted, so nothing was sent.");
    const read = await world.alice.types('/panel check');
    expect(read).toContain('panelops: NOT-SENT /panel check');
    expect(read).toContain("The panel's certificate was not trusted");
    expect(news.requests()).toEqual([]);
  });
});
