import { expect, it } from 'vitest';
import { following, looks, restores, wait } from '../../helpers/follow-ups/story.ts';
import type { World } from '../../helpers/world.ts';

interface Line {
  level: number;
  msg: string;
  reason?: string;
  follow?: string;
  run?: string;
}

/** What the log says of looks, in its own words, without those that are for finding bugs. */
const told = (world: World): Pick<Line, 'reason' | 'follow' | 'run' | 'msg'>[] =>
  world
    .logged()
    .split('\n')
    .slice(0, -1)
    .map((line): Line => JSON.parse(line))
    .filter(({ level, msg }) => level > 20 && /polling|no answer/.test(msg))
    .map(({ reason, follow, run, msg }) => JSON.parse(JSON.stringify({ reason, follow, run, msg })));

const again = { follow: 'restore', msg: 'polling follow-ups works again' };

const looksRefused = (world: World): number => world.logged().split('"code":"ECONNREFUSED"').length - 1;

it('An unreachable panel is logged once, however many looks fail, and so is its return', async () => {
  const world = await following({ panel: { restoreMs: 60_000 } });
  for (const server of ['web-1', 'web-2']) await restores(world, server);
  await wait(() => looks(world).length > 2, 'looks');
  for (const times of [1, 2]) {
    const refused = looksRefused(world);
    world.panel.order({ kind: 'refuse' });
    await wait(() => looksRefused(world) > refused + 8, 'eight looks that fail');
    await world.panel.clear();
    await wait(() => told(world).length === 2 * times, 'the return');
  }
  const away = {
    reason: 'connection-refused',
    follow: 'restore',
    msg: 'polling follow-ups fails: The panel could not be reached: it refused the connection.',
  };
  expect(told(world)).toEqual([away, again, away, again]);
});
