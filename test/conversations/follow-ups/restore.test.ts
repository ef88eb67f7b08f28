import { describe, expect, it } from 'vitest';
import { words } from '../../helpers/card-text.ts';
import {
  announced,
  answerOf,
  cardEditsOf,
  followed,
  looks,
  pingOf,
  pingsOf,
  repliesTo,
  restores,
  seenOnce,
  sharedFollowing,
  stepsOf,
  textSeen,
  wait,
} from '../../helpers/follow-ups/story.ts';

import { changes, messageOf } from '../../helpers/messages.ts';

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

  it('is only read: one request changed something', async () => {
    const before = changes(world()).length;
    const card = await restores(world(), 'web-3');
    await announced(world(), card);
    expect(changes(world()).slice(before)).toMatchObject([{ method: 'POST' }]);
    expect(looks(world()).every(({ method }) => method === 'GET')).toBe(true);
  });

  it('changes its card when there is news, and never more often than said', async () => {
    const card = await restores(world(), 'db-2');
    await announced(world(), card);
    const began = Date.parse(followed(world(), card)[0]?.time ?? '');
    const edits = cardEditsOf(world(), card).filter((at) => at >= began);
    // Without the answer and the end, which do not wait for news.
    const news = edits.slice(1, -1);
    expect(news.length).toBeGreaterThanOrEqual(2);
    const gaps = news.slice(1).map((at, i) => at - (news[i] ?? 0));
    // Of timers, and of the way to Discord.
    for (const gap of gaps) expect(gap).toBeGreaterThan(270);
  });

  it('without progress leaves its card alone', async () => {
    const card = await restores(world(), 'cache-1');
    await seenOnce(world(), card.id, (text) => text.includes('████░░░░░░ 40 %'));
    const edits = cardEditsOf(world(), card).length;
    const looked = looks(world()).filter(({ path }) => path.includes('/131/')).length;
    await wait(() => looks(world()).filter(({ path }) => path.includes('/131/')).length > looked + 6, 'more looks');
    expect(cardEditsOf(world(), card)).toHaveLength(edits);
    expect(stepsOf(world(), card)).toEqual(['started']);
  });

  it('that fails says why, as the panel puts it', async () => {
    const card = await restores(world(), 'mail-1');
    const ping = await pingOf(world(), card);
    expect(textSeen(world(), ping)).toShow(
      'FAILED /backup restore · mail-1 (121, production) @alice(!)',
      'The restore of mail-1 failed after N s.',
      'The panel says: `Disk 0: a block of the backup is damaged (checksum mismatch).`',
      'Check in the panel what is on the disks now, before anybody uses them.',
    );
    await announced(world(), card);
    expect(textSeen(world(), messageOf(world(), card.id))).toShow(
      'FAILED /backup restore · mail-1 (121, production)',
      'The restore of mail-1 failed after N s.',
      'The panel says: `Disk 0: a block of the backup is damaged (checksum mismatch).`',
    );
    expect(followed(world(), card)[1]).toMatchObject({
      end: 'failed',
      said: 'Disk 0: a block of the backup is damaged (checksum mismatch).',
    });
  });

  it('that cannot be read any more is reported as that, not as failed, and is found again', async () => {
    const card = await restores(world(), 'build-1');
    const blind = await seenOnce(world(), card.id, (text) => text.includes('has not been visible since'));
    expect(textSeen(world(), blind).replace(/\d+ %/, 'P %')).toShow(
      'ACCEPTED /backup restore · build-1 (141, internal)',
      'The restore of build-1 has not been visible since T ago.',
      'Last seen: `running`, P %. The bot keeps trying; not seen does not mean failed.',
      "Check the panel. If this continues, tell whoever keeps the bot's policy.",
    );
    const misses = looks(world()).filter(({ path, status }) => path.includes('/141/') && status === 404);
    expect(misses.length).toBeGreaterThanOrEqual(5);
    expect(stepsOf(world(), card)).toEqual(['started']);

    const job = world().panel.state.jobs.find(({ serverId }) => serverId === 141);
    Object.assign(job ?? {}, { fate: 'finishes', says: { status: 'running', progress: 77 } });
    await seenOnce(world(), card.id, (text) => text.includes('███████░░░ 77 %'));
    Object.assign(job ?? {}, { says: {} });
    expect(words((await pingOf(world(), card)).content)).toMatch(/^FINISHED/);
  });

  it('in a state that the policy does not know shows that state, and is followed further', async () => {
    const card = await restores(world(), 'vpn-1');
    const job = world().panel.state.jobs.find(({ serverId }) => serverId === 161);
    Object.assign(job ?? {}, { says: { status: 'verifying `@everyone`', progress: null } });
    const odd = await seenOnce(world(), card.id, (text) => text.includes('verifying'));
    expect(textSeen(world(), odd)).toShow(
      'ACCEPTED /backup restore · vpn-1 (161, production)',
      'The restore of vpn-1 is under way: `verifying ˋ@everyoneˋ`',
    );
    Object.assign(job ?? {}, { says: {} });
    expect(words((await pingOf(world(), card)).content)).toMatch(/^FINISHED/);
    expect(pingsOf(world(), card).map(({ pinged }) => pinged)).toEqual([['alice']]);
  });

  it('is named on the card of a change that asks nothing, on the same server', async () => {
    const card = await restores(world(), 'web-3');
    const boot = await answerOf(world(), 'bob', '/power boot server:web-3');
    expect(boot).toContain('ACCEPTED /power boot · web-3');
    expect(boot).toContain('**A restore of web-3 (103) is under way**: job J, started T ago by @alice.');
    await pingOf(world(), card);
    expect(await answerOf(world(), 'bob', '/power boot server:web-2')).not.toContain('A restore of');
  });

  it('of a server with a followed restore asks with a warning about that', async () => {
    expect(
      (await answerOf(world(), 'alice', '/backup restore server:cache-1 disks:0 reason:again')).replace(/Runs.*/, ''),
    ).toShow(
      'QUESTION /backup restore · cache-1 (131, staging)',
      '**Cannot be undone.** What is on it now is lost.',
      '**A restore of cache-1 (131) is under way**: job J, started T ago by @alice.',
      '[Restore disk 0 of cache-1] [Cancel]',
    );
    await world().alice.clicks('Cancel');
  });
});
