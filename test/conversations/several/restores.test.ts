import { expect, it } from 'vitest';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { following, policyWithout } from '../../helpers/follow-ups/story.ts';
import { asks, ended, idOf, labelsOf, messageOf, stateOf, submits, textOf } from '../../helpers/messages.ts';
import { examplePolicy, type World } from '../../helpers/world.ts';

const allowed = (policy: string): string => policy.replace('also: [firewall.flush]', 'also: [backup.restore]');

/** Restores two servers; the card. */
async function restoresTwo(world: World): Promise<SeenMessage> {
  const question = await asks(world, '/backup restore server:web-1,db-1 disks:0 reason:"lost update"');
  await submits(world, question, 'Confirm', '2 servers');
  return ended(world, question);
}

/** The text of the card, once it has this. */
const saying = (world: World, { id }: SeenMessage, words: RegExp): Promise<string> =>
  world.discord.until(() => {
    const text = textOf(messageOf(world, id));
    return words.test(text) && text;
  });

/** Once the card has these buttons. */
const offering = (world: World, { id }: SeenMessage, labels: readonly string[]): Promise<true> =>
  world.discord.until(() => labelsOf(messageOf(world, id)).join() === labels.join());

it('Two restores are followed on one card, a line each, to their ends', async () => {
  const world = await following({ policy: allowed(examplePolicy), panel: { restoreMs: 3_000 } });
  const card = await restoresTwo(world);
  await saying(world, card, /ACCEPTED\W* web-1 \(101\): `?running`?, \d+\s%, job `?9001`?\.$/m);
  await saying(world, card, /ACCEPTED\W* db-1 \(111\): `?running`?, \d+\s%, job `?9002`?\.$/m);
  await saying(world, card, /2 of 2 finished/);
  expect(stateOf(messageOf(world, card.id))).toBe('FINISHED');
});

it('Where the panel cannot be asked how they go, people say so of each on the card', async () => {
  const world = await following({
    policy: allowed(policyWithout('restore-status')),
    panel: { restoreMs: 600_000 },
  });
  const card = await restoresTwo(world);
  await saying(world, card, /cannot read these jobs/);
  await offering(world, card, ['Finished: web-1', 'Failed: web-1', 'Finished: db-1', 'Failed: db-1']);
  await world.discord.click('alice', card.id, idOf(messageOf(world, card.id), 'Finished: web-1'));
  await saying(world, card, /1 of 2 finished/);
  await offering(world, card, ['Finished: db-1', 'Failed: db-1']);
  await world.discord.click('alice', card.id, idOf(messageOf(world, card.id), 'Failed: db-1'));
  await saying(world, card, /FAILED/);
  expect(stateOf(messageOf(world, card.id))).toBe('FAILED');
});
