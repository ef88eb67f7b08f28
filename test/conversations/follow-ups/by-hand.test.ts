import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  announced,
  answerOf,
  followed,
  looks,
  pingOf,
  pingsOf,
  policyWithout,
  restores,
  seenOnce,
  startFollowing,
  stepsOf,
  textSeen,
} from '../../helpers/follow-ups/story.ts';

import { idOf, messageOf, stateOf, whisperAfter } from '../../helpers/messages.ts';
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
