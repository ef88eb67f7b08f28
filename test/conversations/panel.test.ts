import { afterEach, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../helpers/world.ts';

describe('is the panel there?', () => {
  let world: World;
  afterEach(() => world.stop());

  it('a token that lacks a permission connects, but a real read tells', async () => {
    world = await startWorld();
    world.panel.order({
      kind: 'status-before',
      status: 403,
      match: { path: '/compute' },
      body: { errors: ['Missing scope.'] },
    });
    expect(await world.carol.types('/panel check')).toShow(
      'REJECTED /panel check',
      'The connection works, and the panel knows the token.',
      "But a real read failed. The panel knows the bot's token, but it lacks the permission for this (403).",
      'The panel says: `Missing scope.`',
      "Tell whoever keeps the bot's PANEL_TOKEN. The permission is set in the panel, at the token.",
      '[Share]',
      '(only carol sees this)',
    );
  });
});
