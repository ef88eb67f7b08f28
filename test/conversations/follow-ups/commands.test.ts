import { expect, it } from 'vitest';
import { answerOf, power, restores, sharedFollowing, stepsOf } from '../../helpers/follow-ups/story.ts';
import { until } from '../../helpers/messages.ts';

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
