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
  policyWithout,
  power,
  repliesTo,
  restores,
  seenOnce,
  stepsOf,
  textSeen,
} from '../../helpers/follow-ups/story.ts';
import {
  asks,
  ended,
  idOf,
  labelsOf,
  messageOf,
  stateOf,
  submits,
  whisperAfter,
  whispers,
} from '../../helpers/messages.ts';
import { examplePolicy, type World } from '../../helpers/world.ts';

const handoverIn = (world: World): Promise<string> => answerOf(world, 'carol', '/handover');

/** What is asked before the next change of web-1; nobody confirms it. */
async function nextQuestion(world: World): Promise<string> {
  const question = await answerOf(world, 'alice', '/firewall flush server:web-1');
  await world.alice.clicks('Cancel');
  return question;
}

/** The card, once it has these buttons. */
const offering = (world: World, card: SeenMessage, ...labels: string[]): Promise<SeenMessage> =>
  world.discord.until(() => {
    const now = messageOf(world, card.id);
    return labelsOf(now).join() === labels.join() && now;
  });

it('A restore is watched on its card to its end, a reply pings whoever asked for it, and the ledger has each step once', async () => {
  const world = await following({ panel: { restoreMs: 3_000 }, intervals: { cards: { looks: 300 } } });
  const card = await restores(world, 'web-1');
  expect(stateOf(card)).toBe('ACCEPTED');
  const running = await seenOnce(world, card.id, (text) => /running[^█]*█/.test(text));
  expect(running.embeds[0]?.description).toMatch(
    /^\*\*The restore of web-1 is under way: `running`\*\*\n`[█░]{10} \d{1,2}\u00a0%`$/m,
  );
  expect(textSeen(world, running)).toContain('Last news T ago. @alice will be pinged when it ends.');
  const ping = await pingOf(world, card);
  expect(textSeen(world, ping)).toShow(
    'FINISHED /backup restore · web-1 (101, production) @alice(!)',
    'It worked: the restore of web-1 finished after N s.',
  );
  expect([ping.pinged, ping.replyTo, ping.mentions.everyone]).toEqual([['alice'], card.id, false]);
  await announced(world, card);
  expect(textSeen(world, messageOf(world, card.id))).toShow(
    'FINISHED /backup restore · web-1 (101, production)',
    'It worked: the restore of web-1 finished after N s.',
  );
  expect(repliesTo(world, card)).toHaveLength(1);

  const entries = followed(world, card);
  expect(entries.map(({ step }) => step)).toEqual(['started', 'ended', 'announced']);
  const [started, end, told] = entries;
  expect(started).toMatchObject({ follow: 'restore', job: expect.any(Number), actor: { name: 'alice' } });
  const outcome = world.ledger().find(({ seq }) => seq === (started?.seq ?? 0) - 1);
  expect(outcome).toMatchObject({ kind: 'outcome', outcome: 'accepted', run: started?.run });
  expect(Date.parse(started?.deadline ?? '') - Date.parse(started?.time ?? '')).toBeGreaterThan(86_390_000);
  expect(end).toMatchObject({ end: 'finished', actor: { name: 'panelops' } });
  expect(told?.place.message).toBe(ping.id);
});

it('A job whose last look was lost in a kill is not reported as never seen', async () => {
  const world = await following({ panel: { restoreMs: 60_000 }, followUps: { deadline: 8_000 } });
  const card = await restores(world, 'web-1');
  await seenOnce(world, card.id, (text) => text.includes('`running`'));
  await world.app.stop();
  world.panel.order({ kind: 'status-before', status: 500, match: { path: '/backupManager/jobs/' }, times: 0 });
  await world.restart();
  const blind = await seenOnce(world, card.id, (text) => text.includes('has not been visible since'));
  expect(textSeen(world, blind)).toContain('Not seen since the bot was restarted, T ago. The bot keeps trying;');
  expect(await answerOf(world, 'alice', '/follow-ups list')).toContain(
    'Not seen since the bot began to watch it again, T ago. It has not been visible since T ago.',
  );
  expect(textSeen(world, await pingOf(world, card, 15_000))).toShow(
    'UNKNOWN /backup restore · web-1 (101, production) @alice(!)',
    'The restore of web-1 was not seen to finish within N s.',
    'Not seen since the bot was restarted, T ago. It may still be running: check the panel for job J.',
  );
});

it('A restore of which the panel offers no read asks people, and is finished when alice says so; bob may not', async () => {
  const world = await following({
    policy: policyWithout('restore-status'),
    announcer: { reminders: [3_600_000] },
    discord: { limits: { posts: false } },
  });
  const { id } = await restores(world, 'web-2');
  const card = await seenOnce(world, id, (text) => text.includes('offers no way to look at it'));
  expect(labelsOf(card)).toEqual(['Finished', 'Failed', 'Stop following']);
  expect(await answerOf(world, 'alice', '/follow-ups list')).toContain(
    'The panel offers no way to read it: nothing is known.',
  );
  const finished = idOf(card, 'Finished');
  const refusal = await whisperAfter(world, card, 'bob', () => world.discord.click('bob', id, finished));
  expect(refusal).toContain('DENIED /backup restore');
  expect([stepsOf(world, card), stateOf(messageOf(world, id))]).toEqual([['started'], 'ACCEPTED']);

  await world.discord.click('alice', id, finished);
  const says = 'It worked: the restore of web-2 finished after N s, says `alice`.';
  expect(textSeen(world, await pingOf(world, card))).toShow(
    'FINISHED /backup restore · web-2 (102, production) @alice(!)',
    says,
  );
  await announced(world, card);
  expect(textSeen(world, messageOf(world, id))).toShow('FINISHED /backup restore · web-2 (102, production)', says);
  expect(followed(world, card)[1]).toMatchObject({ step: 'ended', end: 'finished', actor: { name: 'alice' } });
  const late = await whisperAfter(world, card, 'alice', () => world.discord.forge('alice', id, finished));
  expect(late).toContain('It has already ended: see the card. Your click changed nothing.');
  expect(stepsOf(world, card)).toEqual(['started', 'ended', 'announced']);
  expect([pingsOf(world, card).length, looks(world)]).toEqual([1, []]);
});

it('A restore of which nobody says how it ended is asked about again, once for each time that is over', async () => {
  const world = await following({ policy: policyWithout('restore-status') });
  const card = await restores(world, 'web-2');
  world.timePasses(61 * 60_000);
  await world.discord.until(() => stepsOf(world, card).includes('reminded'));
  const [reminder, ...others] = repliesTo(world, card);
  expect(reminder && textSeen(world, reminder)).toShow(
    'ACCEPTED /backup restore · web-2 (102, production)',
    'The restore of web-2 was started T ago, and nobody has said how it ended.',
    'Check the panel, then press what you saw on its card.',
  );
  expect([others, followed(world, card).at(-1)]).toMatchObject([[], { step: 'reminded', n: 2 }]);
});

describe('on one card, two restores', () => {
  const allowed = (policy: string): string => policy.replace('also: [firewall.flush]', 'also: [backup.restore]');
  async function two(options: Parameters<typeof following>[0]) {
    const world = await following(options);
    const question = await asks(world, '/backup restore server:web-1,db-1 disks:0 reason:"lost update"');
    await submits(world, question, 'Confirm', '2 servers');
    const card = await ended(world, question);
    return { world, card, says: (words: RegExp) => seenOnce(world, card.id, (text) => words.test(text)) };
  }

  it('are followed, a line each, to their ends', async () => {
    const { says } = await two({ policy: allowed(examplePolicy), panel: { restoreMs: 3_000 } });
    await says(/ACCEPTED\W* web-1 \(101\): `?running`?, \d+\s%, job `?9001`?\.$/m);
    await says(/ACCEPTED\W* db-1 \(111\): `?running`?, \d+\s%, job `?9002`?\.$/m);
    expect(stateOf(await says(/2 of 2 finished/))).toBe('FINISHED');
  });

  it('are ended by people, each by its own buttons, where the panel cannot be asked', async () => {
    const policy = allowed(policyWithout('restore-status'));
    const { world, card, says } = await two({ policy, panel: { restoreMs: 600_000 } });
    await says(/cannot read these jobs/);
    const all = await offering(world, card, 'Finished: web-1', 'Failed: web-1', 'Finished: db-1', 'Failed: db-1');
    await world.discord.click('alice', card.id, idOf(all, 'Finished: web-1'));
    await says(/1 of 2 finished/);
    const rest = await offering(world, card, 'Finished: db-1', 'Failed: db-1');
    await world.discord.click('alice', card.id, idOf(rest, 'Failed: db-1'));
    expect(stateOf(await says(/FAILED/))).toBe('FAILED');
  });
});

describe('what may still run', () => {
  // None of them ends by itself within a test.
  const begun = () => following({ panel: { restoreMs: 600_000, powerMs: 600_000 } });
  const stopped = async (world: World): Promise<SeenMessage> => {
    const card = await restores(world, 'web-1');
    await seenOnce(world, card.id, (text) => text.includes('░'));
    expect(await answerOf(world, 'bob', '/follow-ups stop server:web-1')).toContain('It stays in /handover');
    await announced(world, card);
    return offering(world, card, 'Check now', 'Finished', 'Failed');
  };

  it('though the panel answered 500 is open and warns, from "It is under way" until somebody says that it ended', async () => {
    const world = await begun();
    const handover = () => handoverIn(world);
    world.panel.order({ kind: 'status-after', status: 500, match: { changes: true, path: 'restore' } });
    const card = await restores(world, 'web-1');
    expect(stateOf(card)).toBe('UNKNOWN');
    expect(await handover()).toContain('Open: 1 unknown outcome.');
    await submits(world, card, 'Say what happened', 'It is under way: the panel shows it at 11 %');
    const running = await offering(world, card, 'Finished', 'Failed', 'Stop following');
    expect(textSeen(world, running)).toShow(
      'ACCEPTED /backup restore · web-1 (101, production)',
      'No number is known for it, so this card cannot show its progress.',
      'It was unknown until @alice said that it was under way.',
      '[Finished] [Failed] [Stop following]',
    );
    expect(await handover()).toContain('Open: 1 restore running.');
    expect(await handover()).toContain('web-1 (101), job unknown, so its progress cannot be seen: T ago by @alice');
    expect(await nextQuestion(world)).toContain(
      '**A restore of web-1 (101) may still run**: started T ago by @alice; its job is unknown. Check the panel.',
    );
    await world.restart();
    expect(await handover()).toContain('Open: 1 restore running.');
    await world.discord.click('alice', card.id, idOf(messageOf(world, card.id), 'Finished'));
    expect(textSeen(world, await pingOf(world, card))).toContain('finished after N s, says `alice`.');
    await announced(world, card);
    expect(textSeen(world, messageOf(world, card.id))).toShow(
      'FINISHED /backup restore · web-1 (101, production)',
      'It worked: the restore of web-1 finished after N s, says `alice`.',
      'It was unknown until @alice said that it was under way.',
    );
    expect(await handover()).toContain('Nothing is open.');
    expect(await nextQuestion(world)).not.toContain('may still run');
    // Nobody told the bot where to look.
    expect(looks(world)).toEqual([]);
  });

  it('though nobody follows it is open and warns, can be looked at, and ends when somebody says so; nobody is pinged', async () => {
    const world = await begun();
    const handover = () => handoverIn(world);
    const card = await stopped(world);
    expect(textSeen(world, card)).toContain('The restore of web-1 is no longer followed: `bob` stopped that.');
    expect(await handover()).toContain(
      'web-1 (101), /backup restore, job J, which @bob stopped following T ago: T ago by @alice · [card](https://discord.com/channels/G/C/M)',
    );
    expect(await nextQuestion(world)).toContain(
      '**/backup restore of web-1 (101) may still run**: started T ago by @alice; @bob stopped following it T ago (run R.1): look before you confirm.',
    );
    const throttle = (server: string) => answerOf(world, 'bob', `/cpu throttle server:${server} percent:50`);
    expect(await throttle('web-1')).toContain('**/backup restore of web-1 (101) may still run**');
    expect(await throttle('web-2')).not.toContain('may still run');
    await world.restart();
    expect(await handover()).toContain('1 job that may still run');

    const press = (who: 'alice' | 'carol' | 'mallory') =>
      whisperAfter(world, card, who, () => world.discord.click(who, card.id, idOf(card, 'Check now')));
    expect(await press('mallory')).toContain('DENIED /follow-ups list');
    expect(await press('carol')).toMatch(
      /^Checked: \/backup restore · web-1 \(101\)\nIt still runs: the panel says `running`, \d+ %\./,
    );
    world.panel.endRestores();
    expect(await press('carol')).toContain('It finished: the panel says `completed`, 100 %.\nWhoever may run');
    expect(await press('alice')).toContain('If you agree, press the button below.');
    const answer = whispers(world, card).at(-1) ?? expect.fail('alice was not answered');
    expect(labelsOf(answer)).toEqual(['Finished']);
    await world.discord.click('alice', answer.id, idOf(answer, 'Finished'));
    await seenOnce(world, card.id, (text) => text.startsWith('FINISHED'));
    expect(await handover()).not.toContain('may still run');
    expect(await nextQuestion(world)).not.toContain('may still run');
    expect(followed(world, card)).toMatchObject([
      { step: 'started' },
      { step: 'ended', end: 'stopped', actor: { name: 'bob' } },
      { step: 'announced' },
      { step: 'ended', end: 'finished', actor: { name: 'alice' } },
    ]);
    expect(pingsOf(world, card)).toEqual([]);
  });

  it('though its card was deleted can be ended; a power action is open as well, but where the panel has no read of those', async () => {
    const world = await begun();
    const card = await stopped(world);
    world.discord.deleteMessage('alice', card.id);
    expect(await answerOf(world, 'bob', '/follow-ups ended server:web-1 how:failed')).toContain(' failed: ');
    expect(followed(world, card).at(-1)).toMatchObject({ step: 'ended', end: 'failed', actor: { name: 'bob' } });
    expect(await handoverIn(world)).toContain('Nothing is open.');
    await power(world, 'boot server:build-1');
    await answerOf(world, 'bob', '/follow-ups stop server:build-1');
    expect(await handoverIn(world)).toContain('build-1 (141), /power boot, queue item J, which @bob stopped following');
    world.panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
    const down = await power(world, 'shutdown server:web-3');
    await submits(world, down, 'Say what happened', 'It is under way: the panel shows it as running');
    await offering(world, down, 'Finished', 'Failed', 'Stop following', 'Undo');
    expect(await handoverIn(world)).toContain('1 power action under way');
    const without = await following({ policy: policyWithout('queue-status') });
    await power(without, 'boot server:build-1');
    expect(await handoverIn(without)).toContain('Nothing is open.');
  });
});
