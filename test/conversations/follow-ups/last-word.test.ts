import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { announced, following, pingOf, pingsOf, power, stepsOf } from '../../helpers/follow-ups/story.ts';
import type { World } from '../../helpers/world.ts';

/** Stops the bot as if it had posted its last message and not recorded that. */
async function forgetAnnounced({ app, dir }: World): Promise<void> {
  await app.stop();
  const file = join(dir, 'ledger.jsonl');
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(JSON.parse(lines.pop() ?? '')).toMatchObject({ kind: 'stopped' });
  expect(JSON.parse(lines.pop() ?? '')).toMatchObject({ kind: 'follow-up', step: 'announced' });
  writeFileSync(file, `${lines.join('\n')}\n`);
}

async function chatters({ discord }: World, messages: number): Promise<void> {
  for (let n = 1; n <= messages; n += 1) await discord.type('carol', 'ops', `message ${n}`);
}

/** What fails pings. */
const failing = 'boot server:lab-2';

it('a ping that was not posted is looked for only among what is as new as the end', async () => {
  let ahead = -10 * 60_000;
  const world = await following({ panel: { powerMs: 2_000 }, discord: { now: () => Date.now() + ahead } });
  const card = await power(world, failing);
  await chatters(world, 600);
  expect(stepsOf(world, card)).toEqual(['started']);
  ahead = 0;
  await announced(world, card);
  const lost = await pingOf(world, card);
  await forgetAnnounced(world);
  world.discord.deleteMessage('alice', lost.id);
  const reads = () =>
    world.discord.requests.filter(
      ({ method, path }) => method === 'GET' && /\/channels\/\d+\/messages(\?|$)/.test(path),
    );
  const before = reads().length;
  ahead = 10 * 60_000;
  await world.restart();
  await announced(world, card);
  expect(pingsOf(world, card).map(({ pinged }) => pinged)).toEqual([['alice']]);
  expect(reads()).toHaveLength(before + 1);
});
