import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sharedFollowing, steady, wait } from '../helpers/follow-ups/story.ts';
import { changes } from '../helpers/messages.ts';

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

  it('nobody is asked to take on what was denied there', async () => {
    world.discord.addToThread('alice', thread, 'bob');
    expect(await world.bob.types(`${flush} reason:x`, thread)).toContain('[Ask a lead]');
    expect(await world.bob.clicks('Ask a lead')).toContain('Add me to this thread first');
    expect(world.ledger().filter(({ kind }) => kind === 'requested')).toEqual([]);
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

  it('its choices are offered', async () => {
    expect(await world.alice.chooses('/power boot server:web-', 'server', thread)).toContainEqual(
      expect.objectContaining({ value: '101' }),
    );
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
    'The channel or thread of its card is deleted, locked or hidden from the bot: so it is said here.',
  );
  const announced = () => world.ledger().filter(({ step }) => step === 'announced');
  await wait(() => announced().length === 2, 'both ends in the ledger');
  expect(announced()[1]?.place).toMatchObject({ channel: world.discord.channels.audit, message: told.id });
});
