import { afterEach, describe, expect, it } from 'vitest';
import { changes } from '../../helpers/messages.ts';
import { examplePolicy, worldForAll } from '../../helpers/world.ts';

const policy = examplePolicy.replace(
  'commands:\n',
  'commands:\n  - { match: [power.boot, ipv4.assign, firewall.sync], reason: required }\n',
);
const boot = '/power boot server:web-1';

describe('a reason that the policy wants and that is missing', () => {
  const world = worldForAll({ still: true, policy });
  afterEach(() => world.discord.clear());

  const modal = () => world.discord.modalOf('bob');
  const messages = () => world.discord.messages('bob', 'ops');

  it('is asked for in a form; then the command goes its whole way with it', async () => {
    expect(await world.alice.types('/backup restore server:web-1 disks:0')).toBe('modal: /backup restore · web-1');
    expect(world.discord.modalOf('alice')?.inputs).toMatchObject([
      { label: 'Why? For the ledger and the card', required: true, maxLength: 200 },
    ]);
    expect(world.entries().filter(({ kind }) => kind !== 'started')).toEqual([]);
    const question = await world.alice.fills('lost update');
    expect(question).toContain('QUESTION /backup restore · web-1 (101, production)');
    await world.alice.clicks('Confirm');
    expect(await world.alice.fills('web-1')).toContain('ACCEPTED /backup restore · web-1');
    expect(world.ledger().map(({ kind, options }) => [kind, options['reason']])).toContainEqual([
      'intent',
      'lost update',
    ]);
  });

  it('is asked for before a change without a question, too, which is then done once', async () => {
    const sent = changes(world).length;
    expect(await world.bob.types(boot)).toBe('modal: /power boot · web-1');
    expect(changes(world)).toHaveLength(sent);
    expect(await world.bob.fills('it is down')).toContain('ACCEPTED /power boot · web-1');
    expect(changes(world)).toHaveLength(sent + 1);
  });

  it('is asked for by a button that begins a command without one', async () => {
    await world.alice.types('/firewall enable server:web-1 sync:false');
    expect(await world.alice.clicks('Apply now')).toBe('modal: /firewall sync · web-1');
    expect(await world.alice.fills('now')).toContain('SUCCEEDED /firewall sync · web-1');
  });

  it('is not asked for where the rest cannot be', async () => {
    expect(await world.alice.types('/ipv4 assign server:web-1 quantity:9')).toContain('at most 8 in one command');
    expect(await world.bob.types('/power boot server:lab-1')).toContain('DENIED /power boot');
    expect(await world.carol.types(boot)).toContain('DENIED /power boot');
    expect(world.discord.modalOf('carol')).toBeUndefined();
  });

  it('is nothing to who may no longer run it when the form is sent', async () => {
    const sent = changes(world).length;
    await world.bob.types(boot);
    world.discord.setRoles('bob', ['viewer']);
    expect(await world.bob.fills('it is down')).toContain('DENIED /power boot');
    world.discord.setRoles('bob', ['on-call']);
    expect(changes(world)).toHaveLength(sent);
    await expect.poll(() => world.ledger().at(-1)).toMatchObject({ kind: 'denied', command: 'power.boot' });
  });

  it('that is delivered twice, or sent twice by a client that saw no answer, is one change', async () => {
    const sent = changes(world).length;
    await world.bob.types(boot);
    const id = modal()?.customId ?? '';
    world.discord.order({ kind: 'deliver-twice' });
    const card = await world.bob.fills('it is down');
    expect(card).toContain('ACCEPTED /power boot · web-1');
    const message = messages().at(-1)?.id ?? '';
    await world.discord.forge('bob', message, id, { typed: 'it is down' });
    await world.discord.until(() => messages().find(({ content }) => content.includes('NOT-SENT this form')));
    expect(world.bob.sees()).toContain('This was sent already: see the card that came of it.');
    expect(changes(world)).toHaveLength(sent + 1);
  });

  it('in a form of somebody else, or of nobody, is nothing; what was typed is given back', async () => {
    const sent = changes(world).length;
    await world.bob.types(boot);
    const id = modal()?.customId ?? '';
    const message = world.discord.messages('alice', 'ops').findLast(({ ephemeral }) => ephemeral !== true)?.id ?? '';
    for (const form of [id, id.replace(':', ':x'), 'reason:1500000000000000001', 'reason:']) {
      const before = world.discord.messages('alice', 'ops').length;
      await world.discord.forge('alice', message, form, { typed: 'because' });
      await world.discord.until(() => (world.discord.messages('alice', 'ops').length > before ? true : undefined));
      expect(world.discord.messages('alice', 'ops').at(-1)).toMatchObject({
        content: expect.stringContaining('NOT-SENT this form'),
        embeds: [{ description: expect.stringContaining('```\nbecause\n```') }],
      });
    }
    // It is still bob's.
    expect(await world.bob.fills('it is down')).toContain('ACCEPTED /power boot');
    expect(changes(world)).toHaveLength(sent + 1);
  });

  it('outlives the bot that asked for it, and is taken once', async () => {
    const sent = changes(world).length;
    await world.bob.types(boot);
    const id = modal()?.customId ?? '';
    await world.restart();
    expect(await world.bob.fills('it is down')).toContain('ACCEPTED /power boot · web-1');
    const message = messages().at(-1)?.id ?? '';
    await world.restart();
    await world.discord.forge('bob', message, id, { typed: 'it is down' });
    await world.discord.until(() => messages().find(({ content }) => content.includes('NOT-SENT this form')));
    expect(changes(world)).toHaveLength(sent + 1);
  });
});
