import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { startFollowing } from '../helpers/follow-ups/story.ts';
import { changes, idOf, labelsOf, messageOf, stateOf, textOf } from '../helpers/messages.ts';
import type { World } from '../helpers/world.ts';

/** With the example's policy, as a visitor of the sandbox has it. */
let world: World;
beforeEach(async () => {
  world = await startFollowing({ audit: true, panel: { restoreMs: 1_500 } });
});
afterEach(() => world.stop());

const seen = (who: 'alice' | 'bob'): SeenMessage[] => world.discord.messages(who, 'ops');
const cardWith = (who: 'alice' | 'bob', label: string): Promise<SeenMessage> =>
  world.discord.until(() => seen(who).findLast((one) => labelsOf(one).includes(label)));
const becomes = (card: SeenMessage, state: string): Promise<unknown> =>
  world.discord.until(() => stateOf(messageOf(world, card.id)) === state);

/** Presses a button and fills in the form that it opens. */
async function says(who: 'alice' | 'bob', label: string, words: string): Promise<SeenMessage> {
  const card = await cardWith(who, label);
  await world.discord.click(who, card.id, idOf(card, label));
  await world.discord.until(() => world.discord.modalOf(who) !== undefined);
  await world.discord.submit(who, words);
  return card;
}
async function presses(who: 'alice' | 'bob', label: string): Promise<SeenMessage> {
  const card = await cardWith(who, label);
  await world.discord.click(who, card.id, idOf(card, label));
  return card;
}
const restore = '/backup restore server:db-1 disks:0 reason:"corrupt index"';
const overwrite = 'Restore disk 0 of db-1';
const denials = (): number => world.app.entries().filter(({ kind }) => kind === 'denied').length;

it('bob asks for a restore of db-1, later goes on alone, and alice closes the review in the morning', async () => {
  expect(await world.bob.types(restore)).toMatch(/DENIED[\s\S]*\[Ask a lead\] \[Break glass\]/);
  await world.discord.until(() => denials() === 1);
  await presses('bob', 'Ask a lead');
  const ping = await world.discord.until(() => seen('alice').find(({ pinged }) => pinged.includes('alice')));
  expect(textOf(ping)).toContain('/backup restore · db-1');
  const card = await presses('alice', 'Approve');
  await says('alice', overwrite, 'db-1');
  await becomes(card, 'FINISHED');
  expect(textOf(messageOf(world, card.id))).toContain('By <@1400000000000000001>, for <@1400000000000000002>');

  world.panel.order({ kind: 'status-after', status: 500, match: { changes: true, path: 'restore' } });
  await world.bob.types(restore);
  await world.discord.until(() => denials() === 2);
  await says('bob', 'Break glass', 'alice sleeps');
  const alone = await says('bob', overwrite, 'db-1');
  await becomes(alone, 'UNKNOWN');
  const job = world.panel.state.jobs.at(-1)?.jobId;
  const server = await world.alice.types('/server show server:192.0.2.111');
  for (const words of [
    '1 unknown outcome',
    '1 break-glass review open',
    'alice sleeps',
    '**UNKNOWN** /backup restore',
    '**FINISHED** /backup restore',
  ])
    expect(server).toContain(words);
  await says('bob', 'It is under way', String(job));
  await becomes(alone, 'FINISHED');
  await says('alice', 'Close the review', 'right: the index was gone');
  await world.discord.until(() => textOf(messageOf(world, alone.id)).includes('Reviewed by <@1400000000000000001>'));
  expect(await world.carol.types('/handover')).toContain('Nothing is open.');
  expect(changes(world)).toHaveLength(2);
});
