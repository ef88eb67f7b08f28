import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  announced,
  answerOf,
  followed,
  looks,
  pingOf,
  pingsOf,
  policyWithout,
  repliesTo,
  restores,
  seenOnce,
  startFollowing,
  stepsOf,
  textSeen,
  wait,
} from '../../helpers/follow-ups/story.ts';

import { idOf, labelsOf, messageOf, stateOf, whisperAfter } from '../../helpers/messages.ts';
import type { World } from '../../helpers/world.ts';

let world: World;

/** A world whose reminders come so many ms after the start, for the tests of one group. */
function reminding(...reminders: number[]): void {
  beforeAll(async () => {
    world = await startFollowing({
      policy: policyWithout('restore-status'),
      announcer: { reminders },
      discord: { limits: { posts: false } },
    });
  });
  afterAll(() => world.stop());
}

/** The card of a restore, once it has its buttons. */
async function unreadable(server: string) {
  const card = await restores(world, server);
  return seenOnce(world, card.id, (text) => text.includes('offers no way'));
}

describe('a restore of which the panel offers no read', () => {
  reminding(3_600_000);

  it('says so on its card, and asks people', async () => {
    const card = await unreadable('web-1');
    expect(textSeen(world, card)).toShow(
      'ACCEPTED /backup restore · web-1 (101, production)',
      'The restore of web-1 was started.',
      'The panel offers no way to look at it, so this card cannot show its progress.',
      'Started T ago as job J. @alice will be pinged when somebody says how it ended.',
      'Check the panel, then press what you saw. Until then the bot reminds you, less and less often.',
      '[Finished] [Failed] [Stop following]',
    );
    expect(looks(world)).toEqual([]);
    expect(await answerOf(world, 'alice', '/follow-ups list')).toContain(
      'The panel offers no way to read it: nothing is known.',
    );
  });

  it('is finished when alice says so, and bob may not', async () => {
    const card = await unreadable('web-2');
    const finished = idOf(card, 'Finished');
    const refusal = await whisperAfter(world, card, 'bob', () => world.discord.click('bob', card.id, finished));
    expect(refusal).toMatchInlineSnapshot(`
      "DENIED /backup restore
      Not allowed: none of your roles has the permission \`backup.restore\`.
      Roles that may: \`lead\`.
      Nothing was sent."
    `);
    expect(stepsOf(world, card)).toEqual(['started']);
    expect(stateOf(messageOf(world, card.id))).toBe('ACCEPTED');

    await world.discord.click('alice', card.id, finished);
    const ping = await pingOf(world, card);
    expect(textSeen(world, ping)).toShow(
      'FINISHED /backup restore · web-2 (102, production) @alice(!)',
      'It worked: the restore of web-2 finished after N s, says `alice`.',
    );
    await announced(world, card);
    expect(textSeen(world, messageOf(world, card.id))).toShow(
      'FINISHED /backup restore · web-2 (102, production)',
      'It worked: the restore of web-2 finished after N s, says `alice`.',
    );
    expect(followed(world, card)[1]).toMatchObject({ step: 'ended', end: 'finished', actor: { name: 'alice' } });

    const late = await whisperAfter(world, card, 'alice', () => world.discord.forge('alice', card.id, finished));
    expect(late).toMatchInlineSnapshot(`
      "NOT-SENT /backup restore
      It has already ended: see the card. Your click changed nothing."
    `);
    expect(stepsOf(world, card)).toEqual(['started', 'ended', 'announced']);
    expect(pingsOf(world, card)).toHaveLength(1);
  });
});

describe('what nobody has said the end of', () => {
  // Late enough for a slow machine to be stopped before the first.
  const times = [2_000, 4_000] as const;
  reminding(...times);

  it('reminds at each of its times once, pinging nobody', async () => {
    const card = await unreadable('mail-1');
    await wait(() => stepsOf(world, card).length === 3, 'two reminders');
    expect(followed(world, card)).toMatchObject([
      { step: 'started' },
      { step: 'reminded', n: 1 },
      { step: 'reminded', n: 2 },
    ]);
    const [first, second, ...more] = repliesTo(world, card);
    expect(textSeen(world, first)).toShow(
      'ACCEPTED /backup restore · mail-1 (121, production)',
      'The restore of mail-1 was started T ago, and nobody has said how it ended.',
      'Check the panel, then press what you saw on its card.',
    );
    const started = Date.parse(followed(world, card)[0]?.time ?? '');
    for (const [reminder, after] of [
      [first, times[0]],
      [second, times[1]],
    ] as const) {
      expect(reminder).toMatchObject({ replyTo: card.id, pinged: [], buttons: [] });
      const waited = (reminder?.createdAt ?? 0) - started;
      expect(waited).toBeGreaterThanOrEqual(after);
      // Before the next one, however slow the machine is.
      expect(waited).toBeLessThan(after + times[0]);
    }
    expect(more).toEqual([]);
    expect(labelsOf(messageOf(world, card.id))).toEqual(['Finished', 'Failed', 'Stop following']);
  });

  it('reminds once of what it missed while it was down, and not again after a restart', async () => {
    const card = await unreadable('cache-1');
    await world.app.stop();
    const started = Date.parse(followed(world, card)[0]?.time ?? '');
    await wait(() => Date.now() > started + times[1] + 100, 'both times');
    await world.restart();
    await wait(() => stepsOf(world, card).includes('reminded'), 'a reminder');
    await world.restart();
    const next = await unreadable('vpn-1');
    await wait(() => stepsOf(world, next).includes('reminded'), 'the reminder of another');
    expect(followed(world, card).slice(1)).toMatchObject([{ step: 'reminded', n: 2 }]);
    expect(repliesTo(world, card)).toHaveLength(1);
  });
});
