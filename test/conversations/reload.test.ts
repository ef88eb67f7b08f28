import { describe, expect, it } from 'vitest';
import { policyWithout, restores, startFollowing } from '../helpers/follow-ups/story.ts';
import { forEach } from '../helpers/lives.ts';
import { answerTo, asks, changes, ended, idOf, messageOf, stateOf, textOf } from '../helpers/messages.ts';
import { changePolicy, exampleWith } from '../helpers/policy/in-force.ts';
import { examplePolicy } from '../helpers/world.ts';

const world = forEach(
  () => startFollowing({ audit: true, panel: { restoreMs: 600_000 }, intervals: { duties: { pins: 50 } } }),
  (it) => it.stop(),
);

/** Puts the example in force with pieces of it replaced; gives the names of what changed. */
const changeExample = (...pieces: [from: string, to: string][]): string[] =>
  changePolicy(world, exampleWith(...pieces));

const bobsRights = 'allow: [read, write, "power.*", audit.history, hold, release, alerts.acknowledge]';

describe('while a change waits', () => {
  it('a right that is taken away stops what has not been sent', async () => {
    const question = await asks(world, '/power restart server:web-1,web-2,web-3', 'bob');
    world.panel.order({ kind: 'hang-before', match: { changes: true } });
    await world.discord.click('bob', question.id, idOf(question, 'Confirm'));
    await world.panel.until(() => changes(world).length === 1);
    changeExample([bobsRights, 'allow: [read]']);
    await world.panel.clear();
    const card = await ended(world, question);
    expect(textOf(card)).toContain('the policy or a role has changed, and this is no longer allowed');
    expect(changes(world)).toHaveLength(1);
    expect(world.ledger().filter(({ kind }) => kind === 'intent')).toHaveLength(1);
  });

  it.each([
    ['a right that is taken away', () => changeExample([bobsRights, 'allow: [read]'])],
    ['a freeze', () => world.alice.types('/freeze tier:production reason:migration')],
  ])('%s stops what waits for the panel, also where it was asked once', async (_what, stop) => {
    world.panel.order({
      kind: 'status-before',
      status: 429,
      headers: { 'retry-after': '2' },
      match: { changes: true },
    });
    const id = await world.discord.type('bob', 'ops', '/power boot server:web-1');
    await world.panel.until(() => changes(world).length === 1);
    await stop();
    expect(stateOf(await answerTo(world, id, ['REJECTED', 'NOT-SENT', 'ACCEPTED'], 'bob'))).toBe('REJECTED');
    expect(changes(world)).toHaveLength(1);
  });
});

describe('everything else that reads the policy', () => {
  it('answers in the new channels, and not in those of before', async () => {
    const random = world.discord.channels.random;
    changeExample(
      ['channels: ["1300000000000000001"]', `channels: ["${random}"]`],
      ['alerts: { channel: "1300000000000000001"', `alerts: { channel: "${random}"`],
    );
    const id = await world.discord.type('alice', 'ops', '/traffic show server:web-1');
    expect(textOf(await answerTo(world, id, ['NOT-SENT']))).toContain(
      `Commands are not answered here, but in <#${random}>`,
    );
    expect(await world.alice.types('/traffic show server:web-1', 'random')).toContain('panelops: Traffic of web-1');
  });

  it('records nothing if nothing has changed', () => {
    expect(changeExample()).toEqual([]);
    expect(world.entries().filter(({ kind }) => kind === 'configured')).toEqual([]);
  });

  it('looks at a restore that it had no way to read, once the policy names one, and the other way round', async () => {
    const without = policyWithout('restore-status');
    changePolicy(world, without);
    const card = await restores(world, 'web-1');
    await world.discord.until(() => textOf(messageOf(world, card.id)).includes('offers no way to look at it'));
    changePolicy(world, examplePolicy);
    await world.discord.until(() => /running|queued/.test(textOf(messageOf(world, card.id))));
    changePolicy(world, without);
    await world.discord.until(() => textOf(messageOf(world, card.id)).includes('offers no way to look at it'));
  });
});

it('A configuration that was wrong is recorded, and in the trail', async () => {
  const before = world.entries().length;
  world.app.refuseConfiguration(['roles[0].allow[0] (line 3): A rule.']);
  await world.discord.until(() => world.discord.view('alice', 'audit').includes('CONFIGURATION REFUSED'));
  expect(world.entries().slice(before)).toMatchObject([
    { kind: 'configured', changed: [], problems: ['roles[0].allow[0] (line 3): A rule.'] },
  ]);
});

it('A configuration with very many problems is recorded with the first twenty', async () => {
  const before = world.entries().length;
  world.app.refuseConfiguration(Array.from({ length: 5_000 }, (_, at) => `roles[${at}].role (line ${at}): A rule.`));
  await world.discord.until(() => world.entries().length > before);
  const [entry] = world.entries().slice(before);
  const problems = entry?.kind === 'configured' ? (entry.problems ?? []) : [];
  expect([problems.length, problems.at(-1)]).toEqual([21, '… and 4980 more']);
});
