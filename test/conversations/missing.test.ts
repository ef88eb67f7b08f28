import { expect, it } from 'vitest';
import { examplePolicy, startWorld } from '../helpers/world.ts';

/** The facts of a warning in the log. */
const warned = (log: string, words: string): unknown[] =>
  log
    .split('\n')
    .filter((line) => line.includes(words))
    .map((line) => JSON.parse(line))
    .map(({ level, roles, channels }) => ({ level, roles, channels }));

it('Ids in the policy that the guild does not have are warned of at the start', async () => {
  const policy = examplePolicy
    .replaceAll('1200000000000000001', '1299999999999999999')
    .replaceAll('1300000000000000001', '1399999999999999999');
  const world = await startWorld({ policy });
  expect(warned(world.logged(), 'the policy names')).toEqual([
    { level: 40, roles: ['1299999999999999999'] },
    { level: 40, channels: ['1399999999999999999'] },
  ]);
  await world.stop();
});

it('Nothing is warned of where the guild has them all', async () => {
  const world = await startWorld();
  expect(warned(world.logged(), 'the policy names')).toEqual([]);
  await world.stop();
});
