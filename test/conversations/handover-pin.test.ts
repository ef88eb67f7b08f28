import { describe, expect, it } from 'vitest';
import { until } from '../helpers/messages.ts';
import { changePolicy } from '../helpers/policy/in-force.ts';
import { examplePolicy, openWorld, type WorldOptions } from '../helpers/world.ts';

const on = examplePolicy.replace('handover-pin: off', 'handover-pin: on');

async function start(options: WorldOptions = {}) {
  const world = await openWorld({ policy: on, still: true, ...options });
  /** Messages of the bot's that are the handover's, oldest first. */
  const messages = () =>
    world.discord
      .messages('alice', 'ops')
      .filter(({ content, system }) => system === undefined && content.startsWith('**Handover** · '));
  const says = (words: string): Promise<string> =>
    world.discord.until(() => {
      const [pinned = ''] = world.discord.pins('ops');
      const message = messages().find(({ id }) => id === pinned);
      return message?.content === `**Handover** · ${words}` && message.id;
    });
  return { world, messages, says };
}

const oneOpen = 'open: 1 throttle set. /handover shows which, since when and by whom.';

describe('the pinned handover', () => {
  it('is off unless the policy wants it', async () => {
    const { world, messages } = await start({ policy: examplePolicy });
    await world.bob.types('/cpu throttle server:web-1 percent:50');
    await world.restart();
    expect(messages()).toEqual([]);
    expect(world.discord.pins('ops')).toEqual([]);
  });

  it('counts what is open in one message, also after a restart or a 404 of Discord, and notifies nobody', async () => {
    const { world, messages, says } = await start();
    const id = await says('nothing is open.');
    await world.bob.types('/cpu throttle server:web-1 percent:50');
    expect(await says(oneOpen)).toBe(id);
    // Discord may answer 404 for one that is there.
    const match = { method: 'PATCH', path: `/channels/*/messages/${id}` };
    world.discord.order({ kind: 'status', status: 404, match });
    await world.restart();
    await world.alice.types('/cpu throttle server:web-1 percent:0');
    expect(await says('nothing is open.')).toBe(id);
    expect(messages()).toHaveLength(1);
    expect(messages()[0]?.pinged).toEqual([]);
    expect(world.discord.pins('ops')).toEqual([id]);
    expect(world.discord.pins('random')).toEqual([]);
  });

  it('comes again when somebody deleted it', async () => {
    const { world, messages, says } = await start();
    const id = await says('nothing is open.');
    world.discord.deleteMessage('alice', id);
    // Also when the counts stay as they are.
    const newer = await says('nothing is open.');
    expect(newer).not.toBe(id);
    world.discord.deleteMessage('alice', newer);
    await world.bob.types('/cpu throttle server:web-1 percent:50');
    expect(await says(oneOpen)).not.toBe(newer);
    expect(messages()).toHaveLength(1);
  });

  it('comes again when Discord takes no more edits of it, and the old one is not pinned any more', async () => {
    let ahead = 0;
    const { world, says } = await start({
      discord: { now: () => Date.now() + ahead, limits: { lateEdits: { count: 0, ms: 3_600_000 } } },
    });
    const id = await says('nothing is open.');
    ahead = 2 * 3_600_000;
    world.discord.order({ kind: 'status', status: 404, match: { method: 'DELETE' } });
    await world.bob.types('/cpu throttle server:web-1 percent:50');
    const newer = await says(oneOpen);
    expect(newer).not.toBe(id);
    await until(() => world.discord.pins('ops').length === 1, 'one pin');
    expect(world.discord.pins('ops')).toEqual([newer]);
  });

  it('is unpinned when a reload turns it off, also if Discord fails at first', async () => {
    const { world, says } = await start();
    await says('nothing is open.');
    world.discord.order({ kind: 'status', status: 404, match: { method: 'DELETE' } });
    changePolicy(world, examplePolicy);
    await until(() => world.discord.pins('ops').length === 0, 'no pin');
  });

  it('cannot be pinned: said once in the log and by /panel check, and nothing else suffers', async () => {
    const { world, messages, says } = await start();
    await says('nothing is open.');
    world.discord.deleteMessage('alice', messages()[0]?.id ?? '');
    world.discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'pin' });
    expect(await world.bob.types('/cpu throttle server:web-1 percent:50')).toContain('SUCCEEDED');
    await until(() => messages()[0]?.content === `**Handover** · ${oneOpen}`, 'a message');
    const words = 'cannot be pinned: give the bot Pin Messages there.';
    await until(() => world.logged().includes(words), 'the log');
    expect(await world.carol.types('/panel check')).toContain(`The handover message in #ops ${words}`);
    await world.alice.types('/cpu throttle server:web-1 percent:0');
    await until(() => messages()[0]?.content === '**Handover** · nothing is open.', 'an edit');
    await world.alice.types('/cpu throttle server:web-1 percent:10');
    await until(() => messages()[0]?.content === `**Handover** · ${oneOpen}`, 'an edit');
    expect(messages()).toHaveLength(1);
    expect(world.logged().split(words)).toHaveLength(2);

    world.discord.clear();
    await world.alice.types('/cpu throttle server:web-1 percent:0');
    await says('nothing is open.');
    expect(await world.carol.types('/panel check')).not.toContain('handover');
  });
});
