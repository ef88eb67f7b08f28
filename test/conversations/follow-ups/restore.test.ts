import { describe, expect, it } from 'vitest';
import { words } from '../../helpers/card-text.ts';
import {
  announced,
  followed,
  pingOf,
  pingsOf,
  repliesTo,
  restores,
  seenOnce,
  sharedFollowing,
  textSeen,
} from '../../helpers/follow-ups/story.ts';

import { messageOf } from '../../helpers/messages.ts';

const world = sharedFollowing({ panel: { restoreMs: 1_500 }, intervals: { cards: { looks: 300 } } });

const bodyOf = (body: unknown): Record<string, unknown> => ({ ...(typeof body === 'object' ? body : {}) });

describe('a restore', () => {
  it('is watched on its card to its end, and a reply pings whoever asked for it', async () => {
    const card = await restores(world(), 'web-1');
    expect(words(card.content)).toMatch(/^ACCEPTED/);
    const running = await seenOnce(world(), card.id, (text) => text.includes('█'));
    expect(textSeen(world(), running).replace(/`█.*`/, '`BAR`')).toShow(
      'ACCEPTED /backup restore · web-1 (101, production)',
      'The restore of web-1 is under way: `running`',
      '`BAR`',
      'Started T ago as job J. Last news T ago. @alice will be pinged when it ends.',
    );
    expect(running.embeds[0]?.description).toMatch(
      /^\*\*The restore of web-1 is under way: `running`\*\*\n`[█░]{10} \d{1,2}\u00a0%`$/m,
    );

    const ping = await pingOf(world(), card);
    expect(textSeen(world(), ping)).toShow(
      'FINISHED /backup restore · web-1 (101, production) @alice(!)',
      'It worked: the restore of web-1 finished after N s.',
    );
    expect([ping.pinged, ping.replyTo, ping.mentions.everyone]).toEqual([['alice'], card.id, false]);
    await announced(world(), card);
    expect(textSeen(world(), messageOf(world(), card.id))).toShow(
      'FINISHED /backup restore · web-1 (101, production)',
      'It worked: the restore of web-1 finished after N s.',
    );
    expect(repliesTo(world(), card)).toHaveLength(1);
    const post = world().discord.requests.find(
      ({ method, body }) => method === 'POST' && bodyOf(body)['nonce'] !== undefined,
    );
    expect(bodyOf(post?.body)).toMatchObject({ nonce: expect.stringMatching(/^.{25}$/), enforce_nonce: true });
  });

  it('is written down as it went: started with the outcome, ended, then announced, once each', async () => {
    const card = await restores(world(), 'web-2', { who: 'alice' });
    const ping = await pingOf(world(), card);
    await announced(world(), card);
    const entries = followed(world(), card);
    expect(entries.map(({ step }) => step)).toEqual(['started', 'ended', 'announced']);
    const [started, end, told] = entries;
    expect(started).toMatchObject({ follow: 'restore', job: expect.any(Number), actor: { name: 'alice' } });
    const outcome = world()
      .ledger()
      .find(({ seq }) => seq === (started?.seq ?? 0) - 1);
    expect(outcome).toMatchObject({ kind: 'outcome', outcome: 'accepted', run: started?.run });
    expect(Date.parse(started?.deadline ?? '') - Date.parse(started?.time ?? '')).toBeGreaterThan(86_390_000);
    expect(end).toMatchObject({ end: 'finished', actor: { name: 'panelops' } });
    expect(told?.place.message).toBe(ping.id);
    expect(ping.createdAt).toBeGreaterThanOrEqual(Date.parse(end?.time ?? ''));
    expect(pingsOf(world(), card)).toHaveLength(1);
  });
});
