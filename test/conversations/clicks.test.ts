import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../helpers/world.ts';

describe('whose question it is', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    await world.alice.types('/power restart server:web-1');
  });
  afterAll(() => world.stop());

  const card = (): string => world.alice.sees();

  it('carol, who may not, can neither confirm nor cancel', async () => {
    const before = card();
    expect(await world.carol.clicks('Confirm')).toShow(
      'DENIED /power restart',
      'Not allowed: none of your roles has the permission `power.restart`.',
      'Roles that may: `on-call` and `lead`.',
      '(only carol sees this)',
    );
    expect(await world.carol.clicks('Cancel')).toContain('DENIED /power restart');
    expect(card()).toBe(before);
    await expect.poll(() => world.ledger().filter(({ kind }) => kind === 'denied')).toHaveLength(2);
  });

  it('bob cancels it, and the card says who did', async () => {
    expect(await world.bob.clicks('Cancel')).toShow(
      'CANCELLED /power restart · web-1 (101, production)',
      'Nothing was sent.',
      'Cancelled by @bob.',
    );
    expect(world.ledger().at(-1)).toMatchObject({ kind: 'outcome', outcome: 'cancelled', actor: { name: 'bob' } });
    expect(world.panel.requests).toEqual([]);
  });

  it('a late click is told who was faster', async () => {
    await world.alice.types('/power shutdown server:web-1');
    const { id, buttons } = world.discord.messages('alice', 'ops').at(-1) ?? { id: '', buttons: [] };
    await world.bob.clicks('Cancel');
    await world.discord.forge('alice', id, buttons[0]?.customId ?? '');
    const told = await world.discord.until(() =>
      world.alice
        .sees()
        .split('\n\n')
        .find((text) => text.includes('Your click changed nothing')),
    );
    expect(told).toShow(
      'NOT-SENT your click',
      '`bob` cancelled this T ago. Your click changed nothing.',
      '(only alice sees this)',
    );
    expect(world.panel.requests).toEqual([]);
  });
});

describe('a question that runs out', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ intervals: { recover: 50, open: { plain: 1000, typed: 1000 } } });
  });
  afterAll(() => world.stop());

  it('loses its buttons, and offers to ask again', async () => {
    await world.bob.types('/power restart server:web-1 reason:"hangs"');
    await world.discord.until(() => world.bob.sees().includes('EXPIRED'));
    expect(world.bob.sees()).toShow(
      'EXPIRED /power restart · web-1 (101, production)',
      'Not done: Restart web-1.',
      'Nobody confirmed in time.',
      'Nothing was sent.',
      '[Ask again]',
    );
    expect(world.ledger().at(-1)).toMatchObject({ kind: 'outcome', outcome: 'expired' });
  });

  it('a later click changes nothing', async () => {
    await world.bob.types('/power restart server:web-2');
    const { id, buttons } = world.discord.messages('bob', 'ops').at(-1) ?? { id: '', buttons: [] };
    await world.discord.until(() => world.bob.sees().split('EXPIRED').length === 3);
    await world.discord.forge('bob', id, buttons[0]?.customId ?? '');
    const told = await world.discord.until(() =>
      world.bob
        .sees()
        .split('\n\n')
        .find((text) => text.includes('only bob sees this')),
    );
    expect(told).toShow(
      'EXPIRED /power restart',
      'This question ran out T ago. Nothing was sent. Type the command again.',
      '(only bob sees this)',
    );
    expect(world.panel.requests).toEqual([]);
  });

  it('alice asks again: a question of her own', async () => {
    expect(await world.alice.clicks('Ask again')).toContain('By @alice');
    expect(world.panel.requests).toEqual([]);
  });
});
