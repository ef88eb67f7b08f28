import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { words } from '../../helpers/card-text.ts';
import { asks, ended, idOf, messageOf, stateOf, textOf, whisperAfter } from '../../helpers/messages.ts';
import { examplePolicy, startWorld, type World, worldForAll } from '../../helpers/world.ts';

describe('somebody without a role, or with one for other servers,', () => {
  const world = worldForAll({ still: true });

  it('learns no servers from the suggestions of /can', async () => {
    for (const typed of ['', ' server:web', ' server:198.51', ' server:201', ' server:lab']) {
      expect(await world.mallory.chooses(`/can command:power.boot${typed}`, 'server'), typed).toEqual([]);
    }
    const bobs = await world.bob.chooses('/can command:power.boot', 'server');
    expect(bobs.map(({ value }) => value)).toContain('101');
    expect(bobs.map(({ value }) => value)).not.toContain('201');
    expect(await world.bob.chooses('/can command:power.boot server:lab', 'server')).toEqual([]);
    // With one that is not theirs before the comma, nothing is added, whether there is such a server or not.
    for (const typed of ['201,web-1', 'lab-1,web-1', '999,web-1', 'no-such-1,web-1'])
      expect(await world.bob.chooses(`/power boot server:${typed}`, 'server'), typed).toEqual([]);
  });

  it('learns no name, no id and no tier from what /can answers', async () => {
    for (const server of ['101', 'web-1']) {
      const answer = await world.mallory.types(`/can command:power.boot server:${server}`);
      expect(answer).toContain('No: you may not run /power boot on that server.');
      // The title repeats what was typed.
      expect(answer.replaceAll(server, 'SERVER')).not.toMatch(/101|web-1|production|192\.0\.2/);
    }
    expect(await world.bob.types('/can command:power.boot server:101')).toContain('web-1 (101)');
    expect(await world.bob.types('/can command:power.boot server:201')).not.toMatch(/lab-1|198\.51/);
  });

  it('changes nothing by page and share buttons forged onto a public card', async () => {
    const card = await asks(world, '/backup restore server:web-1 disks:0 reason:x');
    const asked = messageOf(world, card.id);
    const posted = () => world.discord.messages('alice', 'ops').filter(({ ephemeral }) => !ephemeral);
    const before = posted().length;
    const forgeries = [
      ['mallory', 'page:help?part=0'],
      ['carol', 'page:firewall.show?server=101&part=0'],
      ['mallory', 'share:help:'],
      ['carol', 'share:firewall.show:101'],
    ] as const;
    for (const [who, button] of forgeries) {
      const told = await whisperAfter(world, card, who, () => world.discord.forge(who, card.id, button));
      expect(told, button).toContain('Nothing of this card is left to do');
    }
    expect(messageOf(world, card.id)).toEqual(asked);
    expect(posted()).toHaveLength(before);
  });

  it('posts nothing for everybody, not even what anybody may ask', async () => {
    for (const line of ['/help', '/can command:power.boot server:101'])
      expect(await world.mallory.types(line)).not.toContain('[Share]');
    const [card] = world.discord.messages('mallory', 'ops').filter(({ ephemeral }) => ephemeral);
    if (card === undefined) throw new Error('no card');
    const posted = () => world.discord.messages('alice', 'ops').length;
    const before = posted();
    for (const button of ['share:help:', 'share:can:', 'share:firewall.show:101'])
      await whisperAfter(world, card, 'mallory', () => world.discord.forge('mallory', card.id, button));
    expect(posted()).toBe(before);
  });

  it('makes the bot edit nothing with an expired button', async () => {
    const card = await asks(world, '/firewall disable server:web-1');
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    const off = await ended(world, card);
    const undo = idOf(off, 'Undo');
    await world.alice.types('/firewall enable server:web-1');
    await world.discord.until(() => textOf(messageOf(world, off.id)).includes('Undone since'));
    const edits = () =>
      world.discord.requests.filter(({ method, path }) => method === 'PATCH' && path.includes(off.id)).length;
    const before = edits();
    for (const _ of [1, 2, 3]) {
      const told = await whisperAfter(world, off, 'mallory', () => world.discord.forge('mallory', off.id, undo));
      expect(told).toContain('Not allowed: ');
    }
    expect(edits()).toBe(before);
  });

  it('puts no card in the place of another, nor of a question, by how an unknown one ended', async () => {
    world.panel.order({ kind: 'status-after', status: 500, match: { changes: true }, times: 1 });
    await world.alice.types('/firewall enable server:web-2');
    const unknown = world.discord
      .messages('alice', 'ops')
      .findLast(({ content }) => words(content).startsWith('UNKNOWN'));
    if (unknown === undefined) throw new Error('nothing ended unknown');
    const question = await asks(world, '/firewall flush server:web-3');
    const asked = messageOf(world, question.id);
    const button = idOf(unknown, 'Say what happened');
    const told = await whisperAfter(world, question, 'bob', () =>
      world.discord.forge('bob', question.id, button, { chosen: 'happened', typed: 'seen' }),
    );
    expect(told).toContain('Nothing of this card is left to do');
    expect(messageOf(world, question.id)).toEqual(asked);
    expect(world.ledger().filter(({ kind }) => kind === 'resolved')).toEqual([]);
    await world.discord.forge('bob', unknown.id, button, { chosen: 'happened', typed: 'seen' });
    await world.discord.until(() => stateOf(messageOf(world, unknown.id)) === 'HAPPENED');
  });
});

describe('suggestions', () => {
  const name = `web-${'x'.repeat(40)}`;
  const plain = '{ id: 101, name: web-1, tier: production, ips: ["192.0.2.101"], group: 1 }';
  const long = `{ id: 101, name: ${name}, tier: "production in frankfurt am main", ips: ["2001:db8:1111:2222:3333:4444:5555:6666"], group: 1 }`;
  let world: World;
  beforeAll(async () => {
    const policy = examplePolicy.replace(plain, long).replace('unlisted: nothing', 'unlisted: all');
    world = await startWorld({ policy, still: true });
  });
  afterAll(() => world.stop());

  it('are still offered where their names are too long for Discord', async () => {
    const one = await world.alice.chooses('/firewall show server:web-x', 'server');
    const several = await world.alice.chooses('/power boot server:102,web-x', 'server');
    expect([one.map(({ value }) => value), several.map(({ value }) => value)]).toEqual([['101'], ['102,101']]);
    for (const choice of [...one, ...several]) expect(choice.name).toHaveLength(100);
    expect(one[0]?.name).toMatch(new RegExp(`^${name} · 101 · `));
  });

  it('count towards the 20 reads a minute that a person has', async () => {
    const before = world.panel.requests.length;
    for (let i = 1; i <= 25; i += 1) await world.alice.chooses(`/traffic add server:${100_000 + i}`, 'month');
    expect(world.panel.requests.length - before).toBe(20);
    expect(await world.alice.types('/traffic show server:102')).toContain('20 reads');
    expect(await world.bob.types('/traffic show server:102')).toContain('Traffic of web-2');
  });
});
