import { describe, expect, it } from 'vitest';
import { type BotProcess, startBot } from '../../helpers/bot-process.ts';
import { openScene, type Scene } from '../../helpers/follow-ups/killing.ts';
import { filesIn, stepsIn, threadsOf } from '../../helpers/incidents/scene.ts';
import { answerTo, stateOf, textOf, until } from '../../helpers/messages.ts';

/** A bot that is killed and comes back, on a Discord whose clock goes on by ten minutes meanwhile: it remembers no nonce. */
async function openStory() {
  let ahead = 0;
  const scene = await openScene(1_000, () => Date.now() + ahead);
  let bot: BotProcess = await startBot(scene, { dir: scene.dir });
  return {
    scene,
    async strike(): Promise<void> {
      bot.kill('SIGKILL');
      await bot.ended;
      scene.discord.clear();
      ahead += 10 * 60_000;
      bot = await startBot(scene, { dir: scene.dir });
    },
  };
}

/** From the next on, the answers to such requests never come. */
const holdBack = ({ discord }: Scene, path: string): void =>
  discord.order({ kind: 'lose-request', by: 'hang', match: { method: 'POST', path }, times: 3 });

const starts = (scene: Scene): Promise<string> =>
  scene.discord.type('alice', 'ops', '/incident start title:"web-1 does not answer"');

const answer = (scene: Scene, id: string) =>
  answerTo(scene, id, ['SUCCEEDED', 'NOT-SENT', 'UNKNOWN', 'INVALID', 'UNAVAILABLE']);

/** The bot's messages in a thread that begin so. */
const ours = ({ discord }: Scene, thread: string, start: string) =>
  discord.messages('alice', thread).filter(({ content }) => content.startsWith(start));

describe('a bot that is killed while it starts an incident', () => {
  it('when the thread is there, and not in the ledger: there is no incident, and the card says so', async () => {
    const { scene, strike } = await openStory();
    holdBack(scene, '/channels/*/messages/*/threads');
    const id = await starts(scene);
    await scene.discord.until(() => threadsOf(scene).length === 1);
    await strike();
    const card = await answer(scene, id);
    expect(stateOf(card)).toBe('NOT-SENT');
    expect(textOf(card)).toContain('If a thread was opened here, ignore it.');
    expect(stepsIn(scene)).toEqual([]);
    expect(textOf(await answer(scene, await scene.discord.type('alice', 'ops', '/incident end')))).toContain(
      'No incident is open.',
    );
    await answer(scene, await starts(scene));
    expect(stepsIn(scene)).toEqual(['opened']);
    expect(threadsOf(scene)).toHaveLength(2);
  });

  it('when the thread has its first message: it has one, and the card says that all is well', async () => {
    const { scene, strike } = await openStory();
    holdBack(scene, '/channels/*/messages');
    const id = await starts(scene);
    const [thread = ''] = await scene.discord.until(() => threadsOf(scene).length === 1 && threadsOf(scene));
    await scene.discord.until(() => ours(scene, thread, '**Incident**').length === 1);
    await strike();
    expect(stateOf(await answer(scene, id))).toBe('SUCCEEDED');
    expect(ours(scene, thread, '**Incident**')).toHaveLength(1);
    expect(stepsIn(scene)).toEqual(['opened']);
  });

  it('when it is in the ledger, and the thread is empty: it gets its first message', async () => {
    const { scene, strike } = await openStory();
    // Before it is asked whether the message is there.
    scene.discord.order({
      kind: 'lose-request',
      by: 'hang',
      match: { method: 'GET', path: '/channels/*/messages' },
      times: 3,
    });
    const id = await starts(scene);
    await until(() => stepsIn(scene).length === 1, 'the incident in the ledger');
    await strike();
    expect(stateOf(await answer(scene, id))).toBe('SUCCEEDED');
    const [thread = ''] = threadsOf(scene);
    expect(ours(scene, thread, '**Incident**')).toHaveLength(1);
  });
});

describe('a bot that is killed while it ends an incident', () => {
  it('when the timeline is posted, and not in the ledger: the next try posts nothing, and ends it', async () => {
    const { scene, strike } = await openStory();
    await answer(scene, await starts(scene));
    const [thread = ''] = threadsOf(scene);
    await scene.discord.until(() => ours(scene, thread, '**Incident**').length === 1);
    holdBack(scene, '/channels/*/messages');
    await scene.discord.type('alice', thread, '/incident end');
    await scene.discord.until(() => filesIn(scene, thread).length === 1);
    await strike();
    const [cut] = await scene.discord.until(() => {
      const cards = ours(scene, thread, '△ **UNKNOWN /incident end');
      return cards.length > 0 && cards;
    });
    expect(cut && textOf(cut)).toContain('Type /incident end again. What is posted is not posted twice.');
    expect(stepsIn(scene)).toEqual(['opened']);

    // What was done since then is in the file all the same.
    const boot = await scene.discord.type('alice', thread, '/power boot server:web-1');
    await until(() => scene.ledger().some(({ kind }) => kind === 'outcome'), `the outcome of ${boot}`);
    await scene.discord.type('bob', thread, '/incident end');
    await until(() => stepsIn(scene).length === 2, 'the end in the ledger');
    expect(stepsIn(scene)).toEqual(['opened', 'ended']);
    const [file, ...others] = filesIn(scene, thread);
    expect(others).toEqual([]);
    expect(file).toContain('`/power boot` on web-1 (101)');
    expect(file).toContain('`bob` ended the incident.');
  });
});
