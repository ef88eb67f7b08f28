import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import {
  announced,
  answerOf,
  followed,
  looks,
  pingOf,
  pingsOf,
  policyWithout,
  power,
  restores,
  seenOnce,
  startFollowing,
  textSeen,
} from '../../helpers/follow-ups/story.ts';

import { idOf, labelsOf, messageOf, stateOf, submits } from '../../helpers/messages.ts';
import type { World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  // None of them ends by itself within a test.
  world = await startFollowing({ panel: { restoreMs: 600_000, powerMs: 600_000 } });
});
afterEach(() => world.stop());

/** Without the ids that are different each time. */
const steady = (text: string): string => text.replaceAll(/(?<=discord\.com\/channels\/)[\d/]+/g, 'G/C/M');
const handover = async (who: 'alice' | 'carol' = 'carol'): Promise<string> =>
  steady(await answerOf(world, who, '/handover'));

/** What is asked before the next change of web-1; nobody confirms it. */
async function nextQuestion(): Promise<string> {
  const question = steady(await answerOf(world, 'alice', '/firewall flush server:web-1'));
  await world.alice.clicks('Cancel');
  return question;
}

/** The card, once it has these buttons. */
const offering = (card: SeenMessage, ...labels: string[]): Promise<SeenMessage> =>
  world.discord.until(() => {
    const now = messageOf(world, card.id);
    return labelsOf(now).join() === labels.join() && now;
  });

describe('a restore that the panel did, and answered 500', () => {
  const unknown = async (): Promise<SeenMessage> => {
    world.panel.order({ kind: 'status-after', status: 500, match: { changes: true, path: 'restore' } });
    const card = await restores(world, 'web-1');
    expect(stateOf(card)).toBe('UNKNOWN');
    return card;
  };

  it('stays open and warns, from "It is under way" until somebody says that it ended', async () => {
    const card = await unknown();
    expect(await handover()).toContain('Open: 1 unknown outcome.');
    await submits(world, card, 'Say what happened', 'It is under way: the panel shows it at 11 %');
    const running = await offering(card, 'Finished', 'Failed', 'Stop following');
    expect(steady(textSeen(world, running))).toShow(
      'ACCEPTED /backup restore · web-1 (101, production)',
      'The restore of web-1 was started.',
      'The panel gave no number for it, so this card cannot show its progress.',
      'Started T ago. @alice will be pinged when somebody says how it ended.',
      'It was unknown until @alice said that it was under way.',
      'Check the panel, then press what you saw. Until then the bot reminds you, less and less often.',
      '[Finished] [Failed] [Stop following]',
    );
    expect(await handover()).toShow(
      'What is open',
      'Open: 1 restore running.',
      'web-1 (101), job unknown, so its progress cannot be seen: T ago by @alice · [card](https://discord.com/channels/G/C/M)',
      '[Share]',
      '(only carol sees this)',
    );
    expect(await nextQuestion()).toShow(
      'QUESTION /firewall flush · web-1 (101, production)',
      '**A restore of web-1 (101) may still run**: started T ago by @alice; its job is unknown. Check the panel.',
      '[Flush web-1] [Cancel]',
    );

    await world.restart();
    expect(await handover()).toContain('Open: 1 restore running.');
    await world.discord.click('alice', card.id, idOf(messageOf(world, card.id), 'Finished'));
    expect(textSeen(world, await pingOf(world, card))).toShow(
      'FINISHED /backup restore · web-1 (101, production) @alice(!)',
      'It worked: the restore of web-1 finished after N s, says `alice`.',
    );
    await announced(world, card);
    expect(textSeen(world, messageOf(world, card.id))).toShow(
      'FINISHED /backup restore · web-1 (101, production)',
      'It worked: the restore of web-1 finished after N s, says `alice`.',
      'It was unknown until @alice said that it was under way.',
    );
    expect(await handover()).toContain('Nothing is open.');
    expect(await nextQuestion()).not.toContain('may still run');
    // Nobody told the bot where to look.
    expect(looks(world)).toEqual([]);
  });
});

describe('a restore that somebody stopped following', () => {
  const stopped = async (): Promise<SeenMessage> => {
    const card = await restores(world, 'web-1');
    await seenOnce(world, card.id, (text) => text.includes('░'));
    expect(await answerOf(world, 'bob', '/follow-ups stop server:web-1')).toContain('It stays in /handover');
    await announced(world, card);
    return offering(card, 'Check now', 'Finished', 'Failed');
  };

  it('is open, and warns, until somebody says that it ended; nobody is pinged', async () => {
    const card = await stopped();
    expect(textSeen(world, card)).toShow(
      'ACCEPTED /backup restore · web-1 (101, production)',
      'The restore of web-1 is no longer followed: `bob` stopped that.',
      'It may still be running: check the panel for job J.',
      'It stays in /handover until somebody presses Finished or Failed.',
      '[Check now] [Finished] [Failed]',
    );
    expect(await handover()).toShow(
      'What is open',
      'Open: 1 job that may still run.',
      'Jobs that may still run',
      'web-1 (101), /backup restore, job J, which @bob stopped following T ago: T ago by @alice · [card](https://discord.com/channels/G/C/M)',
      '[Share]',
      '(only carol sees this)',
    );
    expect(await nextQuestion()).toShow(
      'QUESTION /firewall flush · web-1 (101, production)',
      '**/backup restore of web-1 (101) may still run**: started T ago by @alice; @bob stopped following it T ago (run R.1): look before you confirm.',
      '[Flush web-1] [Cancel]',
    );
    expect(await answerOf(world, 'bob', '/cpu throttle server:web-1 percent:50')).toContain(
      '**/backup restore of web-1 (101) may still run**',
    );
    expect(await answerOf(world, 'bob', '/cpu throttle server:web-2 percent:50')).not.toContain('may still run');

    await world.restart();
    expect(await handover()).toContain('1 job that may still run');
    await world.discord.click('alice', card.id, idOf(card, 'Finished'));
    const over = await seenOnce(world, card.id, (text) => text.startsWith('FINISHED'));
    expect(textSeen(world, over)).toShow(
      'FINISHED /backup restore · web-1 (101, production)',
      'It worked: the restore of web-1 finished after N s, says `alice`.',
    );
    expect(await handover()).not.toContain('may still run');
    expect(await nextQuestion()).not.toContain('may still run');
    expect(followed(world, card)).toMatchObject([
      { step: 'started' },
      { step: 'ended', end: 'stopped', actor: { name: 'bob' } },
      { step: 'announced' },
      { step: 'ended', end: 'finished', actor: { name: 'alice' } },
    ]);
    expect(pingsOf(world, card)).toEqual([]);
  });

  it('can be ended if its card was deleted', async () => {
    const card = await stopped();
    world.discord.deleteMessage('alice', card.id);
    expect(await answerOf(world, 'bob', '/follow-ups ended server:web-1 how:failed')).toContain(' failed: ');
    expect(followed(world, card).at(-1)).toMatchObject({ step: 'ended', end: 'failed', actor: { name: 'bob' } });
    expect(await handover()).toContain('Nothing is open.');
  });
});

it('A power action that somebody stopped following is open as well; one of which the panel has no read is not', async () => {
  await power(world, 'boot server:build-1');
  await answerOf(world, 'bob', '/follow-ups stop server:build-1');
  expect(await handover()).toContain('build-1 (141), /power boot, queue item J, which @bob stopped following T ago');
  await world.stop();
  world = await startFollowing({ policy: policyWithout('queue-status') });
  await power(world, 'boot server:build-1');
  expect(await handover()).toContain('Nothing is open.');
});
