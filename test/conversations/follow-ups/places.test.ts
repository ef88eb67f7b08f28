import { afterEach, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { words } from '../../helpers/card-text.ts';
import { following, sharedFollowing, steady, wait } from '../../helpers/follow-ups/story.ts';

// An edit that is refused is tried again after a minute, or when its thread is opened: nothing here waits for the minute.
const cards = { looks: 300, retry: 60_000 };
const world = sharedFollowing({ audit: true, panel: { restoreMs: 1_500 }, intervals: { cards } });
afterEach(() => world().discord.clear());

const steps = (run: string): (string | undefined)[] =>
  world()
    .ledger()
    .flatMap((entry) => (entry.run === run ? [entry.step] : []));

/** Starts a restore there; its run, once it is followed. */
async function restored(server: string, channel: string): Promise<string> {
  const runs = (): string[] =>
    world()
      .ledger()
      .flatMap(({ step, run }) => (step === 'started' ? [run] : []));
  const before = runs();
  await world().alice.types(`/backup restore server:${server} disks:0 reason:x`, channel);
  await world().alice.clicks('Confirm');
  await world().alice.fills(server);
  return world().discord.until(() => runs().find((run) => !before.includes(run)));
}

/** The message that pings, in that channel or thread. */
const pingIn = (channel: string, run: string): Promise<SeenMessage> =>
  world().discord.until(() =>
    world()
      .discord.messages('alice', channel)
      .find(({ pinged, embeds }) => pinged.length > 0 && embeds[0]?.description?.includes(run.split('.')[0] ?? '')),
  );

const seen = (message: SeenMessage): string => steady(world().discord.viewMessage('alice', message));

/** A thread below #ops, as an incident has it. */
async function thread(title: string): Promise<string> {
  await world().alice.types(`/incident start title:"${title}"`);
  return world().discord.threads().at(-1)?.id ?? expect.fail('no thread');
}

describe('the end of a restore', () => {
  it('is posted in a thread that somebody closed meanwhile, which opens it', async () => {
    const id = await thread('closed');
    const run = await restored('web-1', id);
    world().discord.closeThread('alice', id);
    const ping = await pingIn(id, run);
    expect(ping.pinged).toEqual(['alice']);
    expect(world().discord.threads().at(-1)).toMatchObject({ archived: false });
    await world().discord.until(() =>
      world()
        .discord.messages('alice', id)
        .find(({ id: card, content }) => card !== ping.id && /^FINISHED/.test(words(content))),
    );
    await wait(() => steps(run).includes('announced'), 'the announcement in the ledger');
    expect(steps(run).filter((step) => step === 'announced')).toHaveLength(1);
  });
});

it('The end of a restore waits for a channel that is hidden from the bot, where there is no other to say it in', async () => {
  const world = await following({ panel: { restoreMs: 500 } });
  await world.alice.types('/backup restore server:web-1 disks:0 reason:x');
  await world.alice.clicks('Confirm');
  world.discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'view' });
  await world.alice.fills('web-1');
  const refused = () => world.discord.requests.filter(({ method, status }) => method === 'GET' && status === 403);
  await wait(
    () => world.ledger().some(({ step }) => step === 'ended') && refused().length > 2,
    'a look for the message',
  );
  world.discord.clear();
  const pinged = await world.discord.until(
    () => world.discord.messages('alice', 'ops').filter((message) => message.pinged.length > 0)[0],
  );
  expect(seen(pinged)).toContain('FINISHED /backup restore');
});
