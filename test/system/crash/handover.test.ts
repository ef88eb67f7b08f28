import { expect, it } from 'vitest';
import { moment, openScene, startQuick } from '../../helpers/follow-ups/killing.ts';
import { wait } from '../../helpers/follow-ups/story.ts';
import { asks, ended, idOf } from '../../helpers/messages.ts';

it('killed between the message and its entry, the bot does not ping again', async () => {
  let ahead = 0;
  const scene = await openScene(1_000, () => Date.now() + ahead);
  const first = await startQuick(scene);
  const question = await asks(scene, '/firewall disable server:web-1 remind:5m');
  await scene.discord.click('alice', question.id, idOf(question, 'Confirm'));
  await ended(scene, question);
  await first.kill();

  // However late the kill comes: the bot cannot know that its message was posted.
  scene.discord.order({ kind: 'lose-request', by: 'hang', match: { method: 'POST', path: '/channels/*/messages' } });
  const pings = () => scene.discord.messages('alice', 'ops').filter(({ pinged }) => pinged.length > 0);
  const later = 6 * 60_000;
  // Discord's clock goes with the bot's.
  ahead = later;
  const posting = moment(scene, () => pings().length > 0);
  const second = await startQuick(scene, { ahead: later });
  await posting;
  await second.kill();
  scene.discord.clear();
  const reminded = () => scene.ledger().filter(({ kind }) => kind === 'reminded');
  expect(reminded()).toEqual([]);

  // Discord has forgotten the nonce.
  ahead = 2 * later;
  await startQuick(scene, { ahead: 2 * later });
  await wait(() => reminded().length === 1, 'the entry', 40_000);
  expect(pings().map(({ pinged, replyTo }) => [replyTo, ...pinged])).toEqual([[question.id, 'alice']]);
  expect(reminded()[0]?.place.message).toBe(pings()[0]?.id);
  expect(scene.chain()).toBe(true);
}, 90_000);
