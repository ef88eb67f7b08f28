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
  power,
  repliesTo,
  restores,
  seenOnce,
  sharedFollowing,
  stepsOf,
  textSeen,
} from '../../helpers/follow-ups/story.ts';
import { answerTo, idOf, labelsOf, messageOf, stateOf, textOf, until } from '../../helpers/messages.ts';

/** Without what to do next: that stands where the buttons are. */
const saidOn = ({ embeds }: SeenMessage): string[] =>
  (embeds[0]?.description ?? '').split('\n').filter((line) => !line.startsWith('→'));

describe('a power action', () => {
  // An action takes longer than sending three of them, and ends long before a shutdown takes long.
  const world = sharedFollowing({
    panel: { powerMs: 1_000 },
    intervals: { stuck: 3_000 },
    discord: { limits: { posts: false } },
  });

  it('is followed through the queue to its good end, pings nobody, and can be undone to its end and after it', async () => {
    const card = await power(world, 'shutdown server:web-1');
    expect(labelsOf(card)).toEqual(['Undo']);
    await announced(world, card);
    const finished = await seenOnce(world, card.id, (text) => text.startsWith('FINISHED'));
    expect(textSeen(world, finished)).toContain('The shutdown of web-1 finished after N s.');
    expect(stepsOf(world, card)).toEqual(['started', 'ended', 'announced']);
    expect([labelsOf(finished), repliesTo(world, card)]).toEqual([['Undo'], []]);
    await world.discord.click('bob', card.id, idOf(finished, 'Undo'));
    const undone = await seenOnce(world, card.id, (text) => text.includes('Undone since, by <@'));
    expect([stateOf(undone), labelsOf(undone)]).toEqual(['FINISHED', []]);
    expect(world.panel.effects.at(-1)?.path).toBe('/servers/101/power/boot');
    await announced(world, world.discord.messages('bob', 'ops').at(-1) ?? card);
  });

  it('of several servers has a line for each on one card, and one ping when the last has ended', async () => {
    world.panel.state.server(103).maintenance = true;
    // Nothing is known of the queue until all three were sent.
    world.panel.order({ kind: 'hang-before', match: { method: 'GET', path: '/queue/' } });
    const card = await power(world, 'restart server:web-1,web-3,lab-2 reason:"new kernel"');
    const shown = await seenOnce(world, card.id, (text) => text.includes('2 accepted and 1 rejected'));
    expect([stateOf(shown), labelsOf(shown)]).toEqual(['REJECTED', ['Ask again']]);
    await world.panel.clear();
    const ping = await pingOf(world, card);
    expect(textSeen(world, ping)).toShow(
      'FAILED /power restart · 3 servers @alice(!)',
      'Restart 3 servers: 1 finished, 1 rejected and 1 failed.',
      '**FINISHED** web-1 (101) after N s.',
      "**REJECTED** web-3 (103): The server's hypervisor is in maintenance (503).",
      '**FAILED** lab-2 (202) after N s. The panel says: `The disk image could not be opened: No space left on device.`',
    );
    await announced(world, card);
    world.panel.state.server(103).maintenance = false;
    // Its button moves to the ping, which is an edit later.
    const over = await seenOnce(world, card.id, (text) => text.includes('The buttons are on'));
    expect(saidOn(over)).toEqual(saidOn(ping));
    expect(pingsOf(world, card).map(({ pinged }) => pinged)).toEqual([['alice']]);
    expect(stepsOf(world, card).toSorted()).toEqual(['announced', 'announced', 'ended', 'ended', 'started', 'started']);
  });

  it('that shuts a guest down offers to cut the power when it takes too long, with a question of its own', async () => {
    const card = await power(world, 'shutdown server:web-1,web-2');
    expect(labelsOf(messageOf(world, card.id))).toEqual(['Undo']);
    const offer = await seenOnce(world, card.id, () => labelsOf(messageOf(world, card.id)).includes('Power off'));
    const started = Date.parse(followed(world, card)[0]?.time ?? '');
    expect(Date.now() - started).toBeGreaterThanOrEqual(3_000);
    expect(textSeen(world, offer)).toContain(
      'The shutdown is taking long. Power off asks whether to cut the power: anything not yet written to the disks is lost.',
    );
    const undo = await world.discord.click('bob', card.id, idOf(offer, 'Power off'));
    const question = await answerTo(world, undo, ['QUESTION'], 'bob');
    expect(textSeen(world, question)).toShow(
      'QUESTION /power poweroff · web-2 (102, production)',
      '**The shutdown of web-2 (102) is under way**: queue item J, started T ago by @alice (run R.2).',
      '[Power off web-2] [Cancel]',
    );
    expect(world.panel.state.server(102).power).toBe('running');
    await world.discord.click('bob', question.id, idOf(question, 'Confirm'));
    await announced(world, card);
    const last = await seenOnce(world, card.id, (text) => text.startsWith('FINISHED'));
    expect(textOf(last)).toMatch(/^FINISHED .*\nShut down 2 servers: 2 of 2 finished\./);
    expect(labelsOf(last)).toEqual(['Undo']);
    await announced(world, question);
    expect([pingsOf(world, card), pingsOf(world, question)]).toEqual([[], []]);
    expect(world.panel.state.server(102).power).toBe('stopped');
  });
});

it('Where the panel has no read of its queue following is switched off, which is said once in the log and in /panel check', async () => {
  const world = await following({ panel: { queueReads: false } });
  const card = await power(world, 'restart server:web-1');
  await announced(world, card);
  await seenOnce(world, card.id, (text) => text.includes('The panel offers no way to read its queue, so this card'));
  expect(await answerOf(world, 'bob', '/panel check')).toContain(
    'The panel has no read of its queue (404), so power actions are not followed.',
  );
  const next = await power(world, 'restart server:web-2');
  expect(stateOf(next)).toBe('ACCEPTED');
  expect([stepsOf(world, next), looks(world).length]).toEqual([[], 1]);
  expect([pingsOf(world, card), pingsOf(world, next)]).toEqual([[], []]);
  expect(world.logged().split('the panel has no read of its queue (404)')).toHaveLength(2);
});

it('An unreachable panel is logged once, however many looks fail, and so is its return', async () => {
  const world = await following({ panel: { restoreMs: 60_000 } });
  const lines = () =>
    world
      .logged()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  /** What the log says of looks, without what is for finding bugs. */
  const told = () => lines().flatMap(({ level, msg }) => (level > 20 && /polling|no answer/.test(msg) ? [msg] : []));
  const refused = (): number => world.logged().split('"code":"ECONNREFUSED"').length - 1;
  for (const server of ['web-1', 'web-2']) await restores(world, server);
  await until(() => looks(world).length > 2, 'looks');
  for (const times of [1, 2]) {
    const before = refused();
    world.panel.order({ kind: 'refuse' });
    await until(() => refused() > before + 8, 'eight looks that fail');
    await world.panel.clear();
    await until(() => told().length === 2 * times, 'the return');
  }
  const away = 'polling follow-ups fails: The panel could not be reached: it refused the connection.';
  const again = 'polling follow-ups works again';
  expect(told()).toEqual([away, again, away, again]);
});

// None of them ends by itself within these tests.
const world = sharedFollowing({ panel: { restoreMs: 600_000, powerMs: 600_000 } });
const says = (who: 'alice' | 'bob' | 'carol', line: string): Promise<string> => answerOf(world, who, line);
/** The ids of what is listed, or may be chosen. */
const idsIn = (text: string): string[] => text.match(/(?<=`)(?:restore|queue)-[\w-]+(?=`)/g) ?? [];

it('/follow-ups list says who started what, since when, how it was last seen, and where its card is', async () => {
  await restores(world, 'web-1');
  await restores(world, 'lab-1');
  await power(world, 'shutdown server:web-1');
  const listed = (): Promise<string> => says('alice', '/follow-ups list');
  await expect.poll(listed, { timeout: 20_000 }).toMatch(/running`, \d+ %[\s\S]*running`, \d+ %/);
  expect(await listed()).toMatch(
    /3 jobs followed\.\n.*\*\*web-1 \(101\)\*\* \/backup restore, started by @alice T ago\.\n.*`running`, \d+ %, seen T ago\. \[Its card]\(https:\S+\) · `restore-101-J`/,
  );
  expect(await listed()).toContain('**web-1 (101)** /power shutdown, started by @alice T ago.');
  expect(idsIn(await says('alice', '/follow-ups list server:lab-1'))).toEqual(['restore-201-J']);
  expect(await says('bob', '/follow-ups list')).not.toContain('lab-1');
  expect(await says('bob', '/follow-ups list server:lab-1')).toContain('DENIED /follow-ups list');
});

it('/follow-ups hand-over gives the ping to the one who is named, once, and to no bot', async () => {
  const handOver = (user: string): Promise<string> => says('alice', `/follow-ups hand-over server:lab-1 user:${user}`);
  expect(await handOver('panelops')).toContain(
    'pick a person of this guild, and no bot: nobody else sees a ping here.',
  );
  expect(await handOver('bob')).toContain(
    'is handed over to @bob, who is pinged about its end in place of @alice, if the policy pings anybody.',
  );
  expect(await handOver('bob')).toMatch(/@bob has it already\.\n.*Nothing was changed\./);
  expect(await says('alice', '/follow-ups list server:lab-1')).toContain('Handed over to @bob.');
});

it('/follow-ups stop ends the newest of the server, or the one that is named; /follow-ups ended says how it went', async () => {
  const stop = '/follow-ups stop server:web-1';
  const other = '`id:restore-201-J`: no such follow-up of web-1 (101) is under way.';
  expect(await says('bob', `${stop} id:restore-201-9002`)).toContain(other);
  const stopped = await says('bob', stop);
  expect(stopped).toMatch(
    /\/power shutdown of web-1 \(101\) \(`queue-[\dJ]+`\) is no longer followed; nobody is pinged/,
  );
  expect(stopped).toContain('It stays in /handover until somebody says on its card how it ended.');
  const jobOf = (id: string) => world.ledger().find(({ command, step }) => command === id && step === 'started')?.job;
  expect(await says('bob', `${stop} id:restore-101-${jobOf('backup.restore')}`)).toContain(
    '/backup restore of web-1 (101)',
  );
  expect(await says('bob', stop)).toContain('Nothing of web-1 (101) is being followed.');

  const ended = '/follow-ups ended server:web-1 how:finished';
  expect(await says('bob', ended)).toMatch(
    /\/backup restore of web-1 \(101\) .* finished: its card now says so, in your name\./,
  );
  expect(await says('bob', `${ended} id:restore-101-1`)).toContain('nothing like that of web-1 (101) may still run');
  expect(await says('alice', `${ended} id:queue-${jobOf('power.shutdown')}`)).toContain(
    '/power shutdown of web-1 (101)',
  );
  expect(await says('bob', ended)).toContain('Nothing of web-1 (101) may still run without being followed.');
});

it('what ended meanwhile is not ended again', async () => {
  const card = await power(world, 'boot server:web-2');
  const [first, second] = await Promise.all([
    says('alice', '/follow-ups stop server:web-2'),
    says('bob', '/follow-ups stop server:web-2'),
  ]);
  expect([first, second].filter((text) => text.includes('is no longer followed'))).toHaveLength(1);
  expect([first, second].some((text) => /has just ended: see its card|is being followed/.test(text))).toBe(true);
  await until(() => stepsOf(world, card).includes('announced'), 'its end');
  expect(stepsOf(world, card)).toEqual(['started', 'ended', 'announced']);
});
