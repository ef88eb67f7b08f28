import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { asks, changes, ended, idOf, labelsOf, messageOf, textOf, until, whisperAfter } from '../helpers/messages.ts';
import { deedsIn } from '../helpers/run/deeds.ts';
import { examplePolicy, startWorld, type World } from '../helpers/world.ts';

/** On-call may not add traffic, may in an emergency, and nothing of a quantity asks first. */
const policy = examplePolicy
  .replace(
    'allow: [read, write, "power.*", audit.history, hold, release, alerts.acknowledge]',
    'allow: [read, "power.*"]',
  )
  .replace('allow-in-emergency: [backup.restore]', 'allow-in-emergency: [traffic.add, whitelist.remove]')
  .replace('  - { match: [ipv4.assign], confirm: true }\n', '');

let world: World;
beforeEach(async () => {
  world = await startWorld({ still: true, policy });
});
afterEach(() => world.stop());

const { callWith, cards, cardWith, click, denialOf, kindsWithout, submit } = deedsIn(() => world);
const requests = (): number => kindsWithout().filter((kind) => kind === 'requested').length;
const added = ['POST /servers/101/traffic/blocks'];
const sent = (): string[] => changes(world).map(({ method, path }) => `${method} ${path}`);
const press = (no: SeenMessage, label: string) => world.discord.click('bob', no.id, idOf(no, label));

async function denied(): Promise<SeenMessage> {
  await world.bob.types('/traffic add server:web-1 month:1 amount:100');
  return denialOf('bob', 'Ask a lead');
}

/** Presses what confirms a question, and waits for its end. */
async function answers(who: 'alice' | 'bob' | 'carol', id: string): Promise<SeenMessage> {
  const question = messageOf(world, id);
  await world.discord.click(who, id, question.buttons[0]?.customId ?? '');
  return ended(world, question);
}

/** Confirms the question that comes of what is done. */
async function confirms(who: 'alice' | 'bob', deed: () => Promise<unknown>): Promise<SeenMessage> {
  const before = new Set(cards(who).map(({ id }) => id));
  await deed();
  const question = await world.discord.until(() =>
    cards(who).find((one) => !before.has(one.id) && labelsOf(one).includes('Cancel')),
  );
  return answers(who, question.id);
}

/** Alice takes the open request on and confirms it. */
async function takesOn(): Promise<SeenMessage> {
  const request = await callWith('Decline');
  await click('alice', request, 'Approve');
  await until(() => labelsOf(messageOf(world, request.id)).includes('Cancel'), 'the question');
  return answers('alice', request.id);
}

describe('one wish is one change', () => {
  it('also if two people press Ask again before either is done', async () => {
    world.discord.setRoles('carol', ['lead']);
    await world.alice.types('/freeze tier:production reason:x');
    await world.alice.types('/ipv4 assign server:web-1 quantity:2');
    const card = await cardWith('Ask again');
    await world.alice.types('/thaw tier:production');
    // Discord takes its time with the answer to carol.
    world.discord.order({ kind: 'delay', ms: 400, match: { path: '/interactions/*' } });
    await click('carol', card, 'Ask again');
    await until(() => world.discord.requests.some(({ path }) => path.includes('/callback')), 'her answer');
    await click('alice', card, 'Ask again');
    await until(() => kindsWithout().filter((kind) => kind === 'outcome').length === 3, 'an end of both');
    expect(sent()).toEqual(['POST /servers/101/ipv4Qty']);
    const refused = () => cards().filter((one) => textOf(one).includes('the same was done there'));
    await until(() => refused().length === 1, 'the card of the second');
  });

  it('also if both answer a question that came of it', async () => {
    world.discord.setRoles('carol', ['lead']);
    await world.alice.types('/freeze tier:production reason:x');
    await world.alice.types('/traffic add server:web-1 month:1 amount:100');
    const card = await cardWith('Ask again');
    await world.alice.types('/thaw tier:production');
    const before = new Set(cards().map(({ id }) => id));
    const questions = (): SeenMessage[] =>
      cards().filter((one) => !before.has(one.id) && labelsOf(one).includes('Cancel'));
    await click('alice', card, 'Ask again');
    await click('carol', card, 'Ask again');
    await until(() => questions().length === 2, 'both questions');
    for (const { id, content, embeds } of questions())
      await answers(JSON.stringify([content, embeds]).includes('1400000000000000003') ? 'carol' : 'alice', id);
    expect(sent()).toEqual(added);
  });

  it('if a lead did what was asked of them, and the denial offers Break glass', async () => {
    const no = await denied();
    await press(no, 'Ask a lead');
    await takesOn();
    const late = await confirms('bob', () => submit('bob', no, 'Break glass', 'nobody answers'));
    expect(textOf(late)).toContain('the same was done there');
    expect(sent()).toEqual(added);
  });

  it('if it was done with break-glass, and then asked of a lead', async () => {
    const no = await denied();
    await confirms('bob', () => submit('bob', no, 'Break glass', 'nobody answers'));
    await press(no, 'Ask a lead');
    expect(textOf(await takesOn())).toContain('the same was done there');
    expect(sent()).toEqual(added);
  });

  it('of an Undo that somebody goes on with by break-glass: what was undone since is not undone again', async () => {
    const line = '/whitelist add server:web-1 network:198.51.100.7/32';
    const card = await confirms('alice', () => asks(world, line));
    await whisperAfter(world, card, 'bob', () => click('bob', card, 'Undo'));
    await press(await denialOf('bob', 'Ask a lead'), 'Ask a lead');
    const request = await cardWith('Decline');
    await confirms('alice', () => click('alice', card, 'Undo'));
    await confirms('alice', () => asks(world, line));
    const late = await confirms('bob', () => submit('bob', request, 'Break glass', 'nobody answers'));
    expect(textOf(late)).toContain('undone');
    expect(sent().filter((each) => each.startsWith('DELETE'))).toHaveLength(1);
  });
});

describe('a denial asks others once', () => {
  it('if it is pressed twice at once', async () => {
    const no = await denied();
    await Promise.all([press(no, 'Ask a lead'), press(no, 'Ask a lead')]);
    await cardWith('Decline');
    await until(() => cards('bob').some((one) => textOf(one).includes('You have already asked')), 'the refusal');
    expect(requests()).toBe(1);
  });
});
