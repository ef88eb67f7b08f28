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
    expect(world.bob.sees()).toContain('This was already sent: see the card that came of it.');
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
