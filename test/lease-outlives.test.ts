import { expect, it, onTestFinished } from 'vitest';
import { answerTo, changes } from './races.ts';
import { startWorld } from './world.ts';

it('A server stays held by a run that is on its way when the embedded Redis dies', async () => {
  const world = await startWorld();
  onTestFinished(() => world.stop());
  const { discord, panel } = world;
  panel.order({ kind: 'hang-before', match: { changes: true } });
  await discord.type('alice', 'ops', '/firewall enable server:web-1');
  await panel.until(() => changes(world).length === 1);
  world.app.killRedis?.();
  let state = 'UNAVAILABLE';
  while (state.startsWith('UNAVAILABLE')) {
    const second = await discord.type('bob', 'ops', '/cpu throttle server:web-1 percent:50');
    state = (await answerTo(world, second, ['ACCEPTED', 'SUCCEEDED', 'BLOCKED', 'UNAVAILABLE', 'NOT-SENT'])).content;
  }
  expect(state).toContain('BLOCKED');
  expect(changes(world)).toHaveLength(1);
  await panel.clear();
}, 30_000);
