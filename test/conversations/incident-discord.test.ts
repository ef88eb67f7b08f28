import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fileIn, filesIn, steady, stepsIn, threadsOf } from '../helpers/incidents/scene.ts';
import { worldForAll } from '../helpers/world.ts';

const world = worldForAll({ still: true });
afterEach(() => world.discord.clear());

const steps = () => stepsIn(world);

it('Without the right to open threads a start says which right is missing, and records nothing', async () => {
  world.discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'threads' });
  expect(await world.alice.types('/incident start title:one')).toShow(
    'UNAVAILABLE /incident start',
    'The bot lacks Create Public Threads and Send Messages in Threads here.',
    'Nothing was recorded.',
  );
  expect([threadsOf(world), steps()]).toEqual([[], []]);
});

describe('a Discord that does not do it', () => {
  it('leaves no incident', async () => {
    world.discord.order({ kind: 'status', status: 500, match: { path: '/channels/*/threads' }, times: 10 });
    expect(await world.alice.types('/incident start title:one')).toShow(
      'UNAVAILABLE /incident start',
      'That did not work: Discord cannot be reached, or failed.',
      'Nothing was recorded. If a thread was opened here, it belongs to no incident.',
    );
    expect(steps()).toEqual([]);
  });

  it('and answers late is asked again, and there is one thread', async () => {
    world.discord.order({ kind: 'lose-request', by: 'reset', match: { path: '/channels/*/threads' } });
    expect(await world.alice.types('/incident start title:one')).toContain('panelops: SUCCEEDED /incident start');
    expect(threadsOf(world)).toHaveLength(1);
    expect(steps()).toEqual(['opened']);
  });
});

it('a ledger that cannot be written leaves a thread that is no incident, and the card says so', async () => {
  const before = steps();
  const file = join(world.dir, 'ledger.jsonl');
  renameSync(file, `${file}.away`);
  const card = await world.alice.types('/incident start title:lost');
  renameSync(`${file}.away`, file);
  expect(card).toShow(
    'UNAVAILABLE /incident start',
    'The ledger cannot be written, so there is no incident: ignore the thread that was opened here.',
    '↳ thread #lost',
  );
  expect(world.discord.messages('alice', 'lost')).toEqual([]);
  expect(steps()).toEqual(before);
});

describe('the end of an incident', () => {
  it('waits for the right to post its timeline', async () => {
    const [thread = ''] = threadsOf(world);
    world.discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'threads' });
    expect(await world.alice.types('/incident end')).toShow(
      'UNAVAILABLE /incident end',
      'The bot lacks Send Messages in Threads here.',
      'The incident is still open: nothing was recorded.',
    );
    expect(steps()).toEqual(['opened']);
    expect(filesIn(world, thread)).toEqual([]);
    world.discord.clear();
    expect(await world.alice.types('/incident end')).toContain('panelops: SUCCEEDED /incident end');
    expect(fileIn(world, thread)).toContain('# Incident: `one`');
    expect(steps()).toEqual(['opened', 'ended']);
  });

  it.each([
    { message: '404: Not Found', code: 0 },
    { message: 'Unknown Channel', code: 10003 },
  ])('waits where Discord says once that there is no such thread (%o)', async (body) => {
    await world.alice.types(`/incident start title:"code ${body.code}"`);
    const thread = threadsOf(world).at(-1) ?? '';
    const match = { method: 'POST', path: `/channels/${thread}/messages` };
    world.discord.order({ kind: 'status', status: 404, body, match });
    expect(await world.alice.types('/incident end')).toContain('The incident is still open: nothing was recorded.');
    expect(await world.alice.types('/incident end')).toContain('panelops: SUCCEEDED /incident end');
    expect(fileIn(world, thread)).toContain(`# Incident: \`code ${body.code}\``);
  });

  it('comes also when its thread is gone', async () => {
    await world.alice.types('/incident start title:two');
    world.discord.deleteChannel(threadsOf(world).at(-1) ?? '');
    expect(steady(await world.alice.types('/incident end'))).toShow(
      'SUCCEEDED /incident end',
      'The incident `two` has ended.',
      'Its thread is gone, so the timeline could not be posted.',
      'What was done: `/audit export incident:ID format:md` has it.',
    );
    expect(steps().at(-1)).toBe('ended');
  });
});
