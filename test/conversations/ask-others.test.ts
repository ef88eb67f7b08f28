import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { policyFor } from '../../src/app.ts';
import { isOfRun } from '../../src/runs/entry.ts';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import {
  changes,
  ended,
  idOf,
  labelsOf,
  messageOf,
  stateOf,
  textOf,
  until,
  whisperAfter,
} from '../helpers/messages.ts';
import { examplePolicy, startWorld, type World } from '../helpers/world.ts';

const policy = examplePolicy;

let world: World;
beforeEach(async () => {
  world = await startWorld({ still: true, audit: true, policy });
});
afterEach(() => world.stop());

const click = (who: string, card: SeenMessage, label: string): Promise<unknown> =>
  world.discord.click(who, card.id, idOf(messageOf(world, card.id), label));
const runs = () => world.app.entries().filter(isOfRun);
const kinds = (): string[] => runs().flatMap(({ kind }) => (kind === 'called' ? [] : [kind]));
const flush = '/firewall flush server:web-1 reason:"locked out"';
const cardWith = (label: string): Promise<SeenMessage> =>
  world.discord.until(() => world.discord.messages('alice', 'ops').find((one) => labelsOf(one).includes(label)));
const denial = (who: 'bob' | 'carol' = 'bob'): Promise<SeenMessage> =>
  world.discord.until(() =>
    world.discord.messages(who, 'ops').findLast(({ ephemeral, buttons }) => ephemeral === true && buttons.length > 0),
  );
function changeTo(text: string): void {
  const read = policyFor(text, world.discord.guildId);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  world.app.reconfigure({ policy: read.policy });
}

/** Bob may not flush, and asks a lead. */
async function asked(): Promise<SeenMessage> {
  expect(await world.bob.types(flush)).toContain('[Ask a lead]');
  await until(() => kinds().includes('denied'), 'the denial');
  const { id, buttons } = await denial();
  await world.discord.click('bob', id, buttons[0]?.customId ?? '');
  return cardWith('Decline');
}

describe('whoever is denied', () => {
  it('asks those who may, once; whoever takes it on gets the question, and both names are kept', async () => {
    const card = await asked();
    expect(stateOf(card)).toBe('QUESTION');
    expect(textOf(card)).toContain('may not run this, and asks somebody who may.');
    expect(textOf(card)).not.toContain('4 rules');
    await world.discord.until(() => world.discord.messages('alice', 'ops').some(({ pinged }) => pinged.length > 0));
    expect(changes(world)).toEqual([]);
    await click('alice', card, 'Approve');
    const question = await cardWith('Flush web-1');
    expect(question.id).toBe(card.id);
    expect(textOf(question)).toMatch(/Nothing is sent until <@1400000000000000001> confirms/);
    await click('alice', card, 'Flush web-1');
    const done = await ended(world, card);
    expect(stateOf(done)).toBe('SUCCEEDED');
    expect(textOf(done)).toContain('By <@1400000000000000001>, for <@1400000000000000002>');
    expect(kinds()).toEqual(['denied', 'requested', 'asked', 'confirmed', 'intent', 'outcome']);
    expect(runs().find(({ kind }) => kind === 'requested')).toMatchObject({ actor: { name: 'bob' } });
    expect(runs().find(({ kind }) => kind === 'asked')).toMatchObject({ actor: { name: 'alice' } });
    await until(() => /ASKED OTHERS.*@bob/.test(world.alice.sees('audit')), 'the trail');
    expect(world.discord.messages('alice', 'ops').filter(({ pinged }) => pinged.length > 0)).toHaveLength(1);
  });

  it('is declined with a word', async () => {
    const card = await asked();
    await click('alice', card, 'Decline');
    await world.discord.until(() => world.discord.modalOf('alice') !== undefined);
    await world.discord.submit('alice', 'not at night');
    const done = await ended(world, card);
    expect(stateOf(done)).toBe('CANCELLED');
    expect(textOf(done)).toContain('Declined by <@1400000000000000001>: `not at night`');
    expect(kinds()).toEqual(['denied', 'requested', 'outcome']);
  });

  it('gets no second card and no second ping by pressing again', async () => {
    await asked();
    const { id, buttons } = await denial();
    await world.discord.forge('bob', id, buttons[0]?.customId ?? '');
    await until(() => world.bob.sees().includes('You asked already'), 'the answer');
    expect(kinds().filter((kind) => kind === 'requested')).toHaveLength(1);
  });

  it('cannot take it on, and nor can anybody who may not run it', async () => {
    const card = await asked();
    const told = await whisperAfter(world, card, 'bob', () => click('bob', card, 'Approve'));
    expect(told).toContain('DENIED /firewall flush');
    world.discord.setRoles('bob', ['on-call', 'lead']);
    expect(await whisperAfter(world, card, 'bob', () => click('bob', card, 'Approve'))).toContain('You asked for this');
    expect(await whisperAfter(world, card, 'carol', () => click('carol', card, 'Approve'))).toContain('DENIED');
    expect(kinds().filter((kind) => kind === 'asked')).toEqual([]);
    expect(changes(world)).toEqual([]);
  });

  it('uses nobody else’s denial', async () => {
    await world.bob.types(flush);
    await until(() => kinds().includes('denied'), 'the denial');
    const { buttons } = await denial();
    await world.alice.types('/power restart server:web-3');
    const card = await cardWith('Cancel');
    await world.discord.forge('carol', card.id, buttons[0]?.customId ?? '');
    await until(() => world.carol.sees().includes('does not have it'), 'the answer');
    expect(kinds().filter((kind) => kind === 'requested')).toEqual([]);
  });

  it('who may run it by now is told so, and nothing happens by that click', async () => {
    await world.bob.types(flush);
    await until(() => kinds().includes('denied'), 'the denial');
    world.discord.setRoles('bob', ['lead']);
    const { id, buttons } = await denial();
    await world.discord.click('bob', id, buttons[0]?.customId ?? '');
    await until(() => world.bob.sees().includes('You may run it yourself by now'), 'the answer');
    expect(kinds()).toEqual(['denied']);
  });
});

describe('a request', () => {
  it('is void when what was read for it has changed', async () => {
    const card = await asked();
    await fetch(`${world.panel.url}/servers/101/firewall/primary/disable`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.panel.token}` },
    });
    await click('alice', card, 'Approve');
    expect(stateOf(await ended(world, card))).toBe('NOT-SENT');
    expect(runs().at(-1)).toMatchObject({ outcome: 'not-sent', reason: 'changed-since' });
  });

  it('is not taken on by somebody who may no longer, by the policy of now', async () => {
    const card = await asked();
    changeTo(policy.replace('name: lead, allow: ["*",', 'name: lead, allow: [read,'));
    expect(await whisperAfter(world, card, 'alice', () => click('alice', card, 'Approve'))).toContain('DENIED');
    expect(kinds().filter((kind) => kind === 'asked')).toEqual([]);
  });

  it('waits 15 minutes, also over a restart, and runs out', async () => {
    const card = await asked();
    await world.restart();
    world.timePasses(14 * 60_000);
    expect(await world.carol.types('/handover')).toContain('Open questions');
    world.timePasses(60_001);
    expect(stateOf(await ended(world, card))).toBe('EXPIRED');
  });
});

describe('there is nobody to ask', () => {
  it.each([
    ['where the policy does not want it', examplePolicy.replace('ask-others: on', 'ask-others: off'), flush],
    ['where nobody may', policy.replace('name: lead, allow: ["*",', 'name: lead, allow: [read,'), flush],
    ['about a read', policy, '/audit history server:web-1'],
  ])('%s', async (_, text, line) => {
    changeTo(text);
    expect(await world.bob.types(line)).not.toContain('[Ask');
  });

  it('about a server that the policy hides', async () => {
    expect(await world.bob.types('/firewall flush server:lab-1 reason:x')).not.toContain('[Ask');
  });
});
