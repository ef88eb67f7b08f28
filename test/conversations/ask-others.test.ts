import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { asks, changes, ended, messageOf, runOf, stateOf, textOf, until, whisperAfter } from '../helpers/messages.ts';
import { deedsIn } from '../helpers/run/deeds.ts';
import { examplePolicy, startWorld, type World } from '../helpers/world.ts';

const policy = examplePolicy;

let world: World;
beforeEach(async () => {
  world = await startWorld({ still: true, audit: true, policy });
});
afterEach(() => world.stop());

const { callWith, cardOf, cards, cardWith, changeTo, click, denialOf, kindsWithout, runs } = deedsIn(() => world);
const kinds = (): string[] => kindsWithout('called');
const flush = '/firewall flush server:web-1 reason:"locked out"';
const denial = (): Promise<SeenMessage> => denialOf('bob', 'Ask a lead');

/** Bob may not flush, and asks a lead. */
async function asked(): Promise<SeenMessage> {
  expect(await world.bob.types(flush)).toContain('[Ask a lead]');
  const { id, buttons } = await denial();
  await world.discord.click('bob', id, buttons[0]?.customId ?? '');
  return callWith('Decline');
}

describe('whoever is denied', () => {
  it('asks those who may, once; whoever takes it on gets the question, and both names are kept', async () => {
    const card = await asked();
    expect(stateOf(card)).toBe('QUESTION');
    expect(textOf(card)).toContain('may not run this and asks somebody who may.');
    expect(textOf(card)).not.toContain('4 rules');
    await world.discord.until(() => cards().some(({ pinged }) => pinged.length > 0));
    expect(changes(world)).toEqual([]);
    await click('alice', card, 'Approve');
    const question = await cardWith('Flush web-1');
    expect(question.id).toBe(card.id);
    expect(textOf(question)).toMatch(/Nothing is sent until <@1400000000000000001> confirms/);
    await click('alice', card, 'Flush web-1');
    const done = await ended(world, cardOf(card));
    expect(stateOf(done)).toBe('SUCCEEDED');
    expect(textOf(done)).toContain('By <@1400000000000000001>, for <@1400000000000000002>');
    expect(kinds()).toEqual(['denied', 'requested', 'asked', 'confirmed', 'intent', 'outcome']);
    expect(runs().find(({ kind }) => kind === 'requested')).toMatchObject({ actor: { name: 'bob' } });
    expect(runs().find(({ kind }) => kind === 'asked')).toMatchObject({ actor: { name: 'alice' } });
    const history = await world.alice.types('/audit history server:web-1');
    expect(history).toMatch(/\/firewall flush .*@alice, for @bob,/);
    await until(() => /ASKED OTHERS.*@bob/.test(world.alice.sees('audit')), 'the trail');
    expect(cards().filter(({ pinged }) => pinged.length > 0)).toHaveLength(1);
  });

  it('is not asked where it is beyond what the policy lets anybody do', async () => {
    changeTo(policy.replace('allow: [read, write, ', 'allow: [read, '));
    expect(await world.bob.types('/ipv4 assign server:web-1 quantity:8')).toContain('[Ask a lead]');
    expect(await world.bob.types('/ipv4 assign server:web-1 quantity:9')).not.toContain('[Ask a lead]');
  });
});

it('a denied Undo can be passed on to a lead, and stays the undo of that card', async () => {
  const question = await asks(world, '/whitelist add server:web-1 network:198.51.100.7/32');
  await click('alice', question, 'Confirm');
  const card = await ended(world, question);
  const told = await whisperAfter(world, card, 'bob', () => click('bob', card, 'Undo'));
  expect(told).toContain('DENIED /whitelist remove');
  const { id, buttons } = await denial();
  await world.discord.click('bob', id, buttons[0]?.customId ?? '');
  const request = await callWith('Decline');
  expect(textOf(request)).toContain('asks somebody who may');
  await click('alice', request, 'Approve');
  const undo = await callWith('Confirm');
  expect(undo.id).toBe(request.id);
  await click('alice', undo, 'Confirm');
  expect(stateOf(await ended(world, cardOf(undo)))).toBe('SUCCEEDED');
  expect(runs().findLast(({ kind }) => kind === 'intent')).toMatchObject({
    command: 'whitelist.remove',
    undoes: runOf(card),
  });
  await world.discord.until(() => textOf(messageOf(world, card.id)).includes('Undone since'));
});

describe('there is nobody to ask', () => {
  it.each([
    ['where the policy does not want it', examplePolicy.replace('ask-others: on', 'ask-others: off'), flush],
    ['where nobody may', policy.replace('allow: ["*",', 'allow: [read,'), flush],
    ['about a read', policy, '/audit history server:web-1'],
  ])('%s', async (_, text, line) => {
    changeTo(text);
    expect(await world.bob.types(line)).not.toContain('[Ask');
  });

  it('about a server that the policy hides', async () => {
    expect(await world.bob.types('/firewall flush server:lab-1 reason:x')).not.toContain('[Ask');
  });
});
