import { describe, expect, it } from 'vitest';
import {
  announced,
  answerOf,
  cardEditsOf,
  followed,
  following,
  looks,
  pingOf,
  pingsOf,
  repliesTo,
  restores,
  seenOnce,
  sharedFollowing,
  stepsOf,
  wait,
} from '../../helpers/follow-ups/story.ts';
import { messageOf, stateOf, textOf } from '../../helpers/messages.ts';

describe('while a restore is followed', () => {
  const world = sharedFollowing({ panel: { restoreMs: 2_000 }, discord: { limits: { posts: false } } });
  const posts = { method: 'POST', path: '/channels/*/messages' };

  it('Discord goes away until after the end: then the card is terminal, and one message pings', async () => {
    const card = await restores(world(), 'web-1');
    world().discord.order({ kind: 'outage' });
    await wait(() => stepsOf(world(), card).includes('ended'), 'the end in the ledger');
    expect(stateOf(messageOf(world(), card.id))).toBe('ACCEPTED');
    world().discord.clear();
    await announced(world(), card);
    expect(stateOf(messageOf(world(), card.id))).toBe('FINISHED');
    expect(repliesTo(world(), card).map(({ pinged }) => pinged)).toEqual([['alice']]);
  });

  it.each(['reset', 'close'] as const)(
    'the answer to the message that pings is lost (%s): it is posted once',
    async (by) => {
      const card = await restores(world(), by === 'reset' ? 'web-2' : 'web-3');
      world().discord.order({ kind: 'lose-request', by, match: posts });
      await announced(world(), card);
      expect(repliesTo(world(), card).map(({ pinged }) => pinged)).toEqual([['alice']]);
      expect(followed(world(), card).at(-1)?.place.message).toBe(repliesTo(world(), card)[0]?.id);
    },
  );

  it('Discord refuses every edit: the ping comes all the same, and the card says so once it may', async () => {
    const card = await restores(world(), 'db-2');
    await wait(() => cardEditsOf(world(), card).length > 0, 'an edit');
    world().discord.order({ kind: 'status', status: 400, match: { method: 'PATCH' }, times: 10_000 });
    await announced(world(), card);
    expect(stateOf(messageOf(world(), card.id))).toBe('ACCEPTED');
    expect(pingsOf(world(), card).map(({ pinged }) => pinged)).toEqual([['alice']]);
    world().discord.clear();
    await seenOnce(world(), card.id, (text) => text.startsWith('FINISHED'));
    expect(pingsOf(world(), card)).toHaveLength(1);
  });

  it('the bot may not read the history of messages: the ping comes without being a reply', async () => {
    const card = await restores(world(), 'lab-1');
    const body = { message: 'Cannot reply without permission to read message history', code: 160002 };
    world().discord.order({ kind: 'status', status: 400, body, match: posts });
    await announced(world(), card);
    expect(pingsOf(world(), card).map(({ pinged, replyTo }) => [replyTo, ...pinged])).toEqual([[undefined, 'alice']]);
  });

  it('somebody deletes the card: the ping comes all the same, and nothing else', async () => {
    const card = await restores(world(), 'vpn-1');
    world().discord.deleteMessage('alice', card.id);
    const ping = await pingOf(world(), card);
    await announced(world(), card);
    expect(ping.pinged).toEqual(['alice']);
    expect(repliesTo(world(), card)).toHaveLength(1);
  });

  it('the panel sends Retry-After: no look goes out meanwhile, and nothing is reported as failed', async () => {
    const card = await restores(world(), 'cache-1');
    await seenOnce(world(), card.id, (text) => text.includes('40 %'));
    const refusal = { kind: 'status-before', status: 429, headers: { 'retry-after': '2' } } as const;
    world().panel.order({ ...refusal, match: { path: '/131/backupManager/jobs/' } });
    await wait(() => looks(world()).some(({ status }) => status === 429), 'the refusal');
    const refused = looks(world()).findIndex(({ status }) => status === 429);
    await wait(() => looks(world()).length > refused + 2, 'another look');
    const [asked, next] = looks(world()).slice(refused, refused + 2);
    expect(Number(next?.at) - Number(asked?.at)).toBeGreaterThanOrEqual(1_990);
    expect(textOf(messageOf(world(), card.id))).not.toContain('cannot see');
    expect(stepsOf(world(), card)).toEqual(['started']);
  });
});

it("the last fifth of each minute's requests is left to people, who are answered at once", async () => {
  const world = await following({
    panel: { restoreMs: 60_000, requestsPerMinute: 100 },
    followUps: { first: 10, most: 10 },
  });
  const card = await restores(world, 'web-1');
  await wait(() => looks(world).length > 1, 'two looks');
  // Somebody else uses the same token.
  const headers = { authorization: `Bearer ${world.panel.token}` };
  while (world.panel.requests.length < 85) await fetch(`${world.panel.url}/connect`, { headers });
  await seenOnce(world, card.id, (text) => text.includes('░'));
  const from = Date.now();
  // The bot learns what is left from the panel's answers. A look that left before the first of them arrives before the second.
  for (const what of ['firewall', 'traffic'])
    expect(await answerOf(world, 'alice', `/${what} show server:web-1`)).toContain(' of web-1');
  const looked = looks(world).length;
  for (const server of ['web-1', 'web-2', 'web-3'])
    expect(await answerOf(world, 'alice', `/traffic show server:${server}`)).toContain('panelops: Traffic of ');
  expect(Date.now() - from).toBeLessThan(2_000);
  expect(looks(world)).toHaveLength(looked);
  expect(world.panel.requests.filter(({ status }) => status === 429)).toEqual([]);
  expect(stepsOf(world, card)).toEqual(['started']);
});
