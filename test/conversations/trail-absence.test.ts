import { expect, it, onTestFinished } from 'vitest';
import type { Entry } from '../../src/runs/entry.ts';
import { until } from '../helpers/messages.ts';
import { linesOf, posted, reaches } from '../helpers/trail/process.ts';
import { examplePolicy, startWorld, type World } from '../helpers/world.ts';

/** A bot that is down, with the lines of its start, of three denials and of its stop in the channel. */
async function down(patience = 60_000): Promise<World> {
  const world = await startWorld({
    audit: true,
    still: true,
    policy: examplePolicy.replace('audit-channel: wanted', 'audit-channel: required'),
    intervals: { trail: { between: 10, retry: 50, look: 50, patience } },
    discord: { limits: { posts: false, global: false } },
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

it('The newest messages that somebody deleted while the bot was down are reported, once', async () => {
  const world = await down();
  // How far the last of them was, the stop may not know yet.
  const gone = posted(world.discord).slice(-3);
  const from = Number(/#(\d+)(?:–#\d+)? · /.exec(gone[0]?.content.split('\n').at(-1) ?? '')?.[1]);
  for (const message of gone) world.discord.deleteMessage('alice', message.id);
  await up(world);
  await world.restart();
  await reaches(world.discord, () => world.entries().length);
  expect(reports(world)).toHaveLength(1);
  expect(reports(world)[0]).toMatchObject({ finding: 'deleted', from, unsaid: true });
});
