import { afterEach, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../helpers/world.ts';

describe('is the panel there?', () => {
  let world: World;
  afterEach(() => world.stop());

  it('it is', async () => {
    world = await startWorld();
    expect(await world.carol.types('/panel check')).toShow(
      'Panel check',
      'The connection works, and the panel knows the token.',
      'A real read works: the panel lists 24 hypervisor groups.',
      '[Share]',
      '(only carol sees this)',
    );
  });

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

  it('a read that breaks off changes nothing, and says so', async () => {
    world = await startWorld();
    world.panel.order({ kind: 'status-before', status: 500, match: { path: '/compute' }, times: 0 });
    expect(await world.carol.types('/panel check')).toShow(
      'UNKNOWN /panel check',
      'The connection works, and the panel knows the token.',
      'But a real read failed. The panel, or a proxy in front of it, failed with a server error.',
      'A read changes nothing: ask again. If that continues, look at the panel itself.',
      '[Share]',
      '(only carol sees this)',
    );
  });
});
