import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import {
  announced,
  answerOf,
  followed,
  following,
  looks,
  pingOf,
  pingsOf,
  power,
  repliesTo,
  seenOnce,
  sharedFollowing,
  stepsOf,
  textSeen,
} from '../../helpers/follow-ups/story.ts';
import { idOf, labelsOf, messageOf, stateOf, textOf } from '../../helpers/messages.ts';

/** Without what to do next: that stands where the buttons are. */
const saidOn = ({ embeds }: SeenMessage): string[] =>
  (embeds[0]?.description ?? '').split('\n').filter((line) => !line.startsWith('→'));

describe('a power action', () => {
  // An action takes longer than sending three of them, and ends long before a shutdown takes long.
  const world = sharedFollowing({
    panel: { powerMs: 1_000 },
    intervals: { stuck: 3_000 },
    discord: { limits: { posts: false } },
  });

  it('is followed through the queue to its good end, which its card says and nobody is pinged about', async () => {
    const card = await power(world(), 'boot server:web-1');
    await announced(world(), card);
    await seenOnce(world(), card.id, (text) => text.startsWith('FINISHED'));
    expect(textSeen(world(), messageOf(world(), card.id))).toShow(
      'FINISHED /power boot · web-1 (101, production)',
      'The boot of web-1 finished after N s.',
    );
    expect(stepsOf(world(), card)).toEqual(['started', 'ended', 'announced']);
    expect(repliesTo(world(), card)).toEqual([]);
  });

  it('of several servers has a line for each on one card, and one ping when the last has ended', async () => {
    world().panel.state.server(103).maintenance = true;
    // Nothing is known of the queue until all three were sent.
    world().panel.order({ kind: 'hang-before', match: { method: 'GET', path: '/queue/' } });
    const card = await power(world(), 'restart server:web-1,web-3,lab-2 reason:"new kernel"');
    const shown = await seenOnce(world(), card.id, (text) => text.includes('of 3 finished'));
    expect(textSeen(world(), shown)).toShow(
      'REJECTED /power restart · 3 servers',
      'Restart 3 servers: 0 of 3 finished.',
      "**ACCEPTED** web-1 (101): in the panel's queue, item J.",
      "**REJECTED** web-3 (103): The server's hypervisor is in maintenance (503). The panel says: `The hypervisor of this server is in maintenance.`",
      "**ACCEPTED** lab-2 (202): in the panel's queue, item J.",
      '[Ask again]',
    );
    await world().panel.clear();
    const ping = await pingOf(world(), card);
    expect(textSeen(world(), ping)).toShow(
      'FAILED /power restart · 3 servers @alice(!)',
      'Restart 3 servers: 1 of 3 finished.',
      '**FINISHED** web-1 (101) after N s.',
      "**REJECTED** web-3 (103): The server's hypervisor is in maintenance (503). The panel says: `The hypervisor of this server is in maintenance.`",
      '**FAILED** lab-2 (202) after N s. The panel says: `The disk image could not be opened: No space left on device.`',
    );
    await announced(world(), card);
    world().panel.state.server(103).maintenance = false;
    // Its button moves to the ping, which is an edit later.
    const over = await seenOnce(world(), card.id, (text) => text.includes('The buttons are on'));
    expect(saidOn(over)).toEqual(saidOn(ping));
    expect(pingsOf(world(), card).map(({ pinged }) => pinged)).toEqual([['alice']]);
    expect(stepsOf(world(), card).toSorted()).toEqual([
      'announced',
      'announced',
      'ended',
      'ended',
      'started',
      'started',
    ]);
  });

  it('that shuts a guest down offers to cut the power when it takes too long, with a question of its own', async () => {
    const card = await power(world(), 'shutdown server:web-1,web-2');
    expect(labelsOf(messageOf(world(), card.id))).toEqual(['Undo']);
    const offer = await seenOnce(world(), card.id, () => labelsOf(messageOf(world(), card.id)).includes('Power off'));
    const started = Date.parse(followed(world(), card)[0]?.time ?? '');
    expect(Date.now() - started).toBeGreaterThanOrEqual(3_000);
    expect(textSeen(world(), offer)).toShow(
      'ACCEPTED /power shutdown · 2 servers',
      '**FINISHED** web-1 (101) after N s.',
      "**ACCEPTED** web-2 (102): in the panel's queue, item J.",
      'The shutdown is taking long. Power off asks whether to cut the power: anything not yet written to the disks is lost.',
      '[Power off] [Undo: boot 2 servers]',
    );

    const before = new Set(
      world()
        .discord.messages('bob', 'ops')
        .map(({ id }) => id),
    );
    await world().discord.click('bob', card.id, idOf(offer, 'Power off'));
    const question = await world().discord.until(() =>
      world()
        .discord.messages('bob', 'ops')
        .find((each) => !before.has(each.id) && stateOf(each) === 'QUESTION'),
    );
    expect(textSeen(world(), question).replace(/Runs.*/, '')).toShow(
      'QUESTION /power poweroff · web-2 (102, production)',
      'The power of web-2 (102) will be cut.',
      '**The shutdown of web-2 (102) is under way**: queue item J, started T ago by @alice (run R.2).',
      '[Power off web-2] [Cancel]',
    );
    expect(world().panel.state.server(102).power).toBe('running');
    await world().discord.click('bob', question.id, idOf(question, 'Confirm'));
    await announced(world(), card);
    const last = await seenOnce(world(), card.id, (text) => text.startsWith('FINISHED'));
    expect(textOf(last)).toMatch(/^FINISHED .*\nShut down 2 servers: 2 of 2 finished\./);
    expect(labelsOf(last)).toEqual(['Undo']);
    await announced(world(), question);
    expect([pingsOf(world(), card), pingsOf(world(), question)]).toEqual([[], []]);
    expect(world().panel.state.server(102).power).toBe('stopped');
  });
});

describe('where the panel has no read of its queue', () => {
  it('following is switched off, which is said once in the log and in /panel check', async () => {
    const world = await following({ panel: { queueReads: false } });
    const card = await power(world, 'restart server:web-1');
    await announced(world, card);
    const over = await seenOnce(world, card.id, (text) => text.includes('offers no way'));
    expect(textSeen(world, over)).toShow(
      'ACCEPTED /power restart · web-1 (101, production)',
      'The restart of web-1 was accepted.',
      'The panel offers no way to read its queue, so this card cannot tell when it is done: check the panel.',
    );
    expect(await answerOf(world, 'bob', '/panel check')).toShow(
      'Panel check',
      'The panel has no read of its queue (404), so power actions are not followed.',
      '[Share]',
      '(only bob sees this)',
    );

    const next = await power(world, 'restart server:web-2');
    expect(stateOf(next)).toBe('ACCEPTED');
    expect([stepsOf(world, next), looks(world).length]).toEqual([[], 1]);
    expect([pingsOf(world, card), pingsOf(world, next)]).toEqual([[], []]);
    expect(world.logged().split('the panel has no read of its queue (404)')).toHaveLength(2);
  });
});
