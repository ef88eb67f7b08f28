import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restores, sharedFollowing, steady } from '../helpers/follow-ups/story.ts';
import { changes, labelsOf, stateOf, until } from '../helpers/messages.ts';
import { plain } from '../helpers/person.ts';
import { worldForAll } from '../helpers/world.ts';

describe('in a closed thread', () => {
  // What is refused once is tried again after a minute: nothing here may wait for that.
  const world = worldForAll({ audit: true, still: true, intervals: { cards: { retry: 60_000 } } });

  /** Types this in a thread below #ops, which is closed then. */
  async function closedAfter(line: string, how?: { lock: true }) {
    await world.alice.types('/incident start title:net');
    const id = world.discord.threads().at(-1)?.id ?? expect.fail('no thread');
    await world.alice.types(line, id);
    world.discord.closeThread('alice', id, how);
    const messages = () => world.discord.messages('alice', id);
    const command = line.split(' ').slice(0, 2).join(' ');
    /** The card of the command that was typed there. */
    const card = () =>
      messages().find(({ content, replyTo }) => content.includes(command) && replyTo === undefined) ??
      expect.fail('no card');
    return { id, messages, card, isClosed: () => world.discord.threads().find((each) => each.id === id)?.archived };
  }

  it('a confirmed change is said in a reply, which opens the thread, and on its card', async () => {
    const { messages, card, isClosed } = await closedAfter('/traffic add server:web-1 month:5 amount:500');
    expect(await world.alice.clicks('Confirm')).toMatch(/^panelops: SUCCEEDED \/traffic add/m);
    expect([labelsOf(card()), isClosed()]).toEqual([[], false]);
    const reply = messages().at(-1) ?? expect.fail('no reply');
    expect(reply.pinged).toEqual([]);
    expect(plain(world.discord.viewMessage('alice', reply))).toShow(
      'SUCCEEDED /traffic add · web-1 (101, production)',
      'Its card could not be changed while this thread was closed. This message opened the thread.',
    );
  });

  it('a turned page is shown in private, and the thread stays closed', async () => {
    const { isClosed } = await closedAfter('/hypervisors groups results:1');
    expect(await world.alice.clicks('Next')).toShow(
      'Hypervisor groups',
      'The thread is closed: only you see this.',
      '(only alice sees this)',
    );
    expect(isClosed()).toBe(true);
  });

  it('that is locked, a confirmed change is said in the audit channel, to whoever clicked, and on its card once that is open', async () => {
    const { id, card, isClosed } = await closedAfter('/firewall flush server:web-1 reason:x', { lock: true });
    expect(await world.alice.clicks('Confirm')).toShow(
      'SUCCEEDED /firewall flush · web-1 (101, production)',
      'The thread is closed: its card shows this once somebody opens the thread.',
      '📎 web-1-primary-rules-before.txt (506 bytes)',
      '(only alice sees this)',
    );
    expect(world.ledger().at(-1)).toMatchObject({ outcome: 'succeeded' });
    const said = () => world.discord.messages('alice', 'audit').filter(({ embeds }) => embeds.length > 0);
    const [first] = await world.discord.until(() => said().length > 0 && said());
    expect(plain(world.discord.viewMessage('alice', first ?? expect.fail('nothing')))).toShow(
      'SUCCEEDED /firewall flush · web-1 (101, production)',
      'The channel or thread of its card is deleted, locked or closed to the bot: so it is said here.',
    );
    expect(isClosed()).toBe(true);
    world.discord.openThread('alice', id);
    await world.discord.until(() => stateOf(card()) === 'SUCCEEDED');
    expect(said()).toHaveLength(1);
  });
});

describe('private', () => {
  let thread: string;
  const world = sharedFollowing({ audit: true, panel: { restoreMs: 1_500 } });
  beforeEach(() => {
    thread = world.discord.startThread('alice', 'ops', 'quiet', { private: true });
  });
  afterEach(() => world.discord.clear());

  const flush = '/firewall flush server:web-1';

  describe('in a private thread that the bot is not in', () => {
    it('a read is answered, and roles count as in its channel', async () => {
      expect(await world.alice.types('/firewall show server:web-1', thread)).toMatch(/^panelops: Firewall of web-1/m);
      expect(await world.alice.types('/can command:firewall.flush server:web-1', thread)).toMatch(
        /^panelops: May you run/m,
      );
      world.discord.addToThread('alice', thread, 'mallory');
      expect(await world.mallory.types(flush, thread)).toContain('none of your roles has');
    });

    it('a change asks to be let in, to the one who typed it alone, and is neither asked about nor sent', async () => {
      const asked = () => world.ledger().filter(({ kind }) => kind === 'asked').length;
      const before = [changes(world).length, asked()];
      expect(await world.alice.types(flush, thread)).toShow(
        'NOT-SENT /firewall flush',
        'Add me to this thread first: it is private, and I could not tell you here how this ends. Nothing was sent.',
        'Mention me in it, then type the command again. Reads work without that.',
        '(only alice sees this)',
      );
      expect([changes(world).length, asked()]).toEqual(before);
    });

    it('is done as anywhere once somebody mentions the bot', async () => {
      await world.alice.types(flush, thread);
      await world.discord.type('alice', thread, `<@${world.discord.botUserId}>`);
      expect(await world.alice.types(flush, thread)).toContain('QUESTION /firewall flush');
      expect(await world.alice.clicks('Confirm')).toContain('SUCCEEDED /firewall flush');
    });

    it("a 404 that is not Discord's asks nobody to let the bot in", async () => {
      world.discord.addToThread('alice', thread, 'panelops');
      world.discord.order({ kind: 'status', status: 404, match: { method: 'GET', path: `/channels/${thread}` } });
      expect(await world.alice.types(flush, thread)).toContain('QUESTION /firewall flush');
    });
  });

  it('The end of a restore is told in a private thread; where the bot was taken out meanwhile, in the audit channel', async () => {
    const restore = async (server: string): Promise<void> => {
      world.discord.addToThread('alice', thread, 'panelops');
      await world.alice.types(`/backup restore server:${server} disks:0 reason:x`, thread);
      await world.alice.clicks('Confirm');
      await world.alice.fills(server);
    };
    const pinged = (channel: string) =>
      world.discord.until(() => world.discord.messages('alice', channel).find((each) => each.pinged.length > 0));
    await restore('web-1');
    expect((await pinged(thread)).content).toContain('FINISHED /backup restore');

    await restore('web-2');
    world.discord.removeFromThread('alice', thread, 'panelops');
    const told = await pinged('audit');
    expect(steady(world.discord.viewMessage('alice', told))).toShow(
      'FINISHED /backup restore · web-2 (102, production) @alice(!)',
      'It worked: the restore of web-2 finished after N s.',
      'The channel or thread of its card is deleted, locked or closed to the bot: so it is said here.',
    );
    const announced = () => world.ledger().filter(({ step }) => step === 'announced');
    await until(() => announced().length === 2, 'both ends in the ledger');
    expect(announced()[1]?.place).toMatchObject({ channel: world.discord.channels.audit, message: told.id });
  });

  it('The end of a restore in a channel where the bot may not write any more is told in the audit channel', async () => {
    world.discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'send' });
    await restores(world, 'web-3');
    const isTold = () =>
      world.discord
        .messages('alice', 'audit')
        .find(({ content, pinged }) => pinged.length > 0 && /web-3/.test(content));
    expect((await world.discord.until(isTold)).content).toContain('FINISHED /backup restore');
  });
});
