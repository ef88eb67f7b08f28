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

  it('a wrong token is tried once; then everything is held back for a minute', async () => {
    world = await startWorld({ token: 'wrong' });
    expect(await world.bob.types('/panel check')).toShow(
      'REJECTED /panel check',
      "The panel did not accept the bot's token (401): it is missing, wrong or expired.",
      'The panel says: `401 Unauthorized`',
      "Tell whoever keeps the bot's PANEL_TOKEN. /panel check shows when it works again.",
      '(only bob sees this)',
    );
    expect(await world.alice.types('/firewall show server:web-1')).toShow(
      'NOT-SENT /firewall show · web-1 (101, production)',
      "The bot's token was refused, or its address locked out. For a minute after that, or as long as the panel said, the bot asks the panel nothing: more failures would lock it out.",
      "Tell whoever keeps the bot's PANEL_TOKEN. Then wait a minute and run /panel check.",
      '[Ask again]',
      '(only alice sees this)',
    );
    expect(await world.bob.types('/power boot server:web-1')).toShow(
      'NOT-SENT /power boot · web-1 (101, production)',
      "The bot's token was refused, or its address locked out.",
      '[Ask again]',
    );
    expect(world.panel.requests).toHaveLength(1);
    world.minutePasses();
    expect(await world.alice.types('/panel check')).toContain('REJECTED /panel check');
    expect(world.panel.requests).toHaveLength(2);
  });
});
