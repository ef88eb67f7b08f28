import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { toLine } from '../../src/ledger/chain.ts';
import type { Entry } from '../../src/runs/entry.ts';
import { textOf, until } from '../helpers/messages.ts';
import { audit, contents, linesOf, posted, reaches } from '../helpers/trail/process.ts';
import { chained } from '../helpers/trail/samples.ts';
import { examplePolicy, startWorld, type World } from '../helpers/world.ts';

/** A bot that is down, with the lines of its start, of three denials and of its stop in the channel. */
async function down(patience = 60_000, now = Date.now): Promise<World> {
  const world = await startWorld({
    audit: true,
    still: true,
    policy: examplePolicy.replace('audit-channel: wanted', 'audit-channel: required'),
    intervals: { trail: { between: 10, retry: 50, look: 50, patience } },
    discord: { now, limits: { posts: false, global: false } },
  });
  onTestFinished(() => world.stop());
  for (let at = 0; at < 3; at += 1) {
    const before = world.entries().length;
    await world.carol.types('/power boot server:web-1');
    await until(() => world.entries().length > before, 'the denial in the ledger');
    await reaches(world.discord, () => world.entries().length);
  }
  await world.app.stop();
  return world;
}

const reports = (world: World): Partial<Entry>[] => world.entries().filter(({ kind }) => kind === 'tampered');
/** Everything up to the start that is reported is in the channel. */
async function up(world: World): Promise<void> {
  await world.restart();
  await world.discord.until(() => linesOf(world.discord).some((line) => line.includes('TRAIL CHANGED')));
  await reaches(world.discord, () => world.entries().length);
}

it('The newest messages that somebody deleted while the bot was down are reported, with who it was, once', async () => {
  const world = await down();
  // How far the last of them was, the stop may not know yet.
  const gone = posted(world.discord).slice(-3);
  const from = Number(/#(\d+)(?:–#\d+)? · /.exec(gone[0]?.content.split('\n').at(-1) ?? '')?.[1]);
  for (const message of gone) world.discord.deleteMessage('alice', message.id);
  await up(world);
  await world.restart();
  await reaches(world.discord, () => world.entries().length);
  expect(reports(world)).toHaveLength(1);
  expect(reports(world)[0]).toMatchObject({ finding: 'deleted', from, actor: { name: 'alice' } });
});

it('Who did it is found behind any number of other deletions, which have filled the audit log since', async () => {
  let ahead = 0;
  const world = await down(60_000, () => Date.now() + ahead);
  for (const message of posted(world.discord).slice(-2)) world.discord.deleteMessage('alice', message.id);
  // Later than five minutes, each has an entry of its own.
  for (let n = 0; n < 130; n += 1) {
    ahead += 6 * 60_000;
    await world.discord.type('bob', 'ops', 'noise');
    const [noise] = world.discord.messages('alice', 'ops').slice(-1);
    world.discord.deleteMessage('alice', noise?.id ?? '');
  }
  await up(world);
  expect(reports(world)[0]).toMatchObject({ finding: 'deleted', actor: { name: 'alice' } });
});

it('A channel that was emptied while the bot was down is reported, and posted again', async () => {
  const world = await down();
  world.discord.deleteMessages(
    'alice',
    posted(world.discord).map(({ id }) => id),
  );
  await up(world);
  expect(reports(world)[0]).toMatchObject({ finding: 'deleted', from: 1, actor: { name: 'alice' } });
  expect(contents(world.discord).join('\n')).toContain('STARTED panelops');
});

/** What alice reads of the only finding. */
const finding = async (world: World): Promise<string> =>
  /\*\*OPEN\*\* Finding \d+: (.*)/.exec(await world.alice.types('/audit verify'))?.[1] ?? 'nothing';

it('Of what only the audit log tells, people read how many and when the first was deleted, not when the bot noticed', async () => {
  const world = await down();
  for (const { id } of posted(world.discord).slice(0, 3)) world.discord.deleteMessage('alice', id);
  world.timePasses(3_600_000);
  await up(world);
  expect(await finding(world)).toMatch(
    /^messages of the trail were deleted by @alice, .* Discord's audit log counts 3\./,
  );
  const card = world.discord.messages('alice', 'ops').findLast(({ content }) => content.includes('/audit verify'));
  const [, first, noticed] = /the first <t:(\d+):R>, noticed <t:(\d+):R>/.exec(card ? textOf(card) : '') ?? [];
  expect(Number(noticed) - Number(first)).toBeGreaterThan(3_500);
});

it('Where channel and ledger were both emptied, nobody is told that the ledger still has what was deleted', async () => {
  const world = await down();
  for (const { id } of posted(world.discord)) world.discord.deleteMessage('alice', id);
  rmSync(join(world.dir, 'ledger.jsonl'));
  await up(world);
  expect(await finding(world)).toMatch(/messages of the trail were deleted by @alice/);
  expect(world.alice.sees()).not.toContain('still has');
});

it("An end of the ledger that was rewritten, without the channel's end, is reported", async () => {
  const world = await down();
  const entries = world.entries();
  const bare = entries.map(({ seq: _s, time: _t, prev: _p, hash: _h, ...entry }) => entry);
  const bob = { id: '1400000000000000002', name: 'bob', roles: [] };
  // What is left of an entry without its links is an entry.
  const rewritten = chained(
    bare.map((entry, at) => (at < 3 ? entry : { ...entry, actor: bob })) as Parameters<typeof chained>[0],
  );
  writeFileSync(join(world.dir, 'ledger.jsonl'), rewritten.map((entry) => `${toLine(entry)}\n`).join(''));
  for (const { id } of posted(world.discord)) world.discord.deleteMessage('alice', id);
  await up(world);
  expect(reports(world)[0]).toMatchObject({ finding: 'deleted', actor: { name: 'alice' } });
});

it('Where changes wait for them, a restart gives lines that wait no more time', async () => {
  const world = await down(2_000);
  world.discord.order({
    kind: 'status',
    status: 503,
    match: { path: `/channels/${audit}/messages` },
    times: 1_000_000,
  });
  await world.restart();
  const card = await world.bob.types('/power boot server:web-1');
  expect(card).toContain('UNAVAILABLE');
  expect(card).toContain(`How far the trail is in <#${audit}> could not be read yet.`.slice(0, 20));
  world.discord.clear();
  await expect.poll(() => world.bob.types('/power boot server:web-1'), { timeout: 8_000 }).toContain('ACCEPTED');
});
