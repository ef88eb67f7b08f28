import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  announced,
  answerOf,
  following,
  looks,
  pingOf,
  pingsOf,
  power,
  seenOnce,
  stepsOf,
  wait,
} from '../../helpers/follow-ups/story.ts';
import { messageOf, stateOf } from '../../helpers/messages.ts';
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

it('an item of the queue that is gone does not switch following off once a read has worked', async () => {
  const world = await following({ panel: { powerMs: 200 } });
  const first = await power(world, 'boot server:web-1');
  await announced(world, first);
  const path = `/queue/${world.panel.state.next.queueId}`;
  world.panel.order({ kind: 'status-before', status: 404, body: { errors: [] }, times: 0, match: { path } });
  const gone = await power(world, 'boot server:web-2');
  await wait(() => looks(world).filter((each) => each.path === path).length >= 2, 'a second look at what is gone');
  const check = await answerOf(world, 'alice', '/panel check');
  expect(check).toContain('Panel check');
  expect(check).not.toContain('queue');

  const next = await power(world, 'boot server:web-3');
  await announced(world, next);
  await seenOnce(world, next.id, (text) => text.startsWith('FINISHED'));
  expect([stateOf(messageOf(world, gone.id)), stepsOf(world, gone)]).toEqual(['ACCEPTED', ['started']]);
});
