import { expect, it } from 'vitest';
import type { DiscordFault } from '../../../src/sandbox/discord/index.ts';
import { filesIn, stepsIn, threadsOf } from '../../helpers/incidents/scene.ts';
import { answerTo, stateOf, textOf, typed, until } from '../../helpers/messages.ts';
import { openScene, type QuickBot, type Scene } from '../../helpers/quick-bot.ts';

/** A bot that is killed and comes back, on a Discord whose clock goes on by ten minutes meanwhile: it remembers no nonce. */
async function openStory() {
  const scene = await openScene();
  let bot: QuickBot = await scene.start();
  return {
    scene,
    async strike(): Promise<void> {
      await bot.kill();
      scene.discord.clear();
      scene.forget(10 * 60_000);
      bot = await scene.start();
    },
  };
}

/** From the next on, the answers to such requests never come. */
const hang = (method: 'GET' | 'POST', path: string): DiscordFault => ({
  ...{ kind: 'lose-request', by: 'hang', match: { method, path }, times: 3 },
});

const start = '/incident start title:"web-1 does not answer"';
const ends = ['SUCCEEDED', 'NOT-SENT', 'UNKNOWN', 'INVALID', 'UNAVAILABLE'];

/** The bot's messages in the first thread that begin so. */
const ours = (scene: Scene, start: string) =>
  threadsOf(scene)
    .slice(0, 1)
    .flatMap((thread) => scene.discord.messages('alice', thread))
    .filter(({ content }) => content.startsWith(start));
const firsts = (scene: Scene): number => ours(scene, '**Incident**').length;

it.each<[string, DiscordFault, (scene: Scene) => boolean, string]>([
  [
    'the thread is there, and not in the ledger: there is no incident, and the card says so',
    hang('POST', '/channels/*/messages/*/threads'),
    (scene) => threadsOf(scene).length === 1,
    'NOT-SENT',
  ],
  [
    'the thread has its first message: it has one, and the card says that all is well',
    hang('POST', '/channels/*/messages'),
    (scene) => firsts(scene) === 1,
    'SUCCEEDED',
  ],
  [
    'it is in the ledger, and the thread is empty: it gets its first message',
    // Before it is asked whether the message is there.
    hang('GET', '/channels/*/messages'),
    (scene) => stepsIn(scene).length === 1,
    'SUCCEEDED',
  ],
])('A bot is killed while it starts an incident, when %s', async (_when, fault, isSo, state) => {
  const { scene, strike } = await openStory();
  scene.discord.order(fault);
  const id = await scene.discord.type('alice', 'ops', start);
  await until(() => isSo(scene), 'the moment');
  await strike();
  const card = await answerTo(scene, id, ends);
  expect(stateOf(card)).toBe(state);
  const isOpen = state === 'SUCCEEDED' ? 1 : 0;
  expect([stepsIn(scene), firsts(scene)]).toEqual([['opened'].slice(0, isOpen), isOpen]);
  if (isOpen) return;
  expect(textOf(card)).toContain('If a thread was opened here, ignore it.');
  expect(textOf(await typed(scene, '/incident end', ends))).toContain('No incident is open.');
  await typed(scene, start, ends);
  expect([stepsIn(scene), threadsOf(scene).length]).toEqual([['opened'], 2]);
});

it('A bot is killed when the timeline of an incident is posted, and not in the ledger: the next try posts nothing, and ends it', async () => {
  const { scene, strike } = await openStory();
  await typed(scene, start, ends);
  const [thread = ''] = threadsOf(scene);
  await scene.discord.until(() => firsts(scene) === 1);
  scene.discord.order(hang('POST', '/channels/*/messages'));
  await scene.discord.type('alice', thread, '/incident end');
  await scene.discord.until(() => filesIn(scene, thread).length === 1);
  await strike();
  const cut = await scene.discord.until(() => ours(scene, '△ **UNKNOWN /incident end')[0]);
  expect(textOf(cut)).toContain('Type /incident end again. What is posted is not posted twice.');
  expect(stepsIn(scene)).toEqual(['opened']);

  // What was done since then is in the file all the same.
  await scene.discord.type('alice', thread, '/power boot server:web-1');
  await until(() => scene.ledger().some(({ kind }) => kind === 'outcome'), 'the outcome');
  await scene.discord.type('bob', thread, '/incident end');
  await until(() => stepsIn(scene).length === 2, 'the end in the ledger');
  expect(stepsIn(scene)).toEqual(['opened', 'ended']);
  const [file, ...others] = filesIn(scene, thread);
  expect(others).toEqual([]);
  expect(file).toContain('`/power boot` on web-1 (101)');
  expect(file).toContain('`bob` ended the incident.');
});
