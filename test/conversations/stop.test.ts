import { expect, it } from 'vitest';
import { startWorld } from '../helpers/world.ts';

it('a bot that stops lets a look at a follow-up come to its end, and has nothing to complain of', async () => {
  const world = await startWorld();
  world.panel.order({ kind: 'delay', ms: 400, match: { path: '/queue/' } });
  await world.alice.types('/power boot server:web-1');
  await world.panel.until(() => world.panel.requests.some(({ path }) => path.startsWith('/queue/')));
  await world.stop();
  expect(world.logged()).toContain('"msg":"stopping"');
  // Pino's levels: 40 is a warning.
  const complaints = world
    .logged()
    .split('\n')
    .filter((line) => /^\{"level":[456]0,/.test(line));
  expect(complaints).toEqual([]);
});
