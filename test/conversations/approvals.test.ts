import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { asks, changes, ended, labelsOf, stateOf, textOf, until } from '../helpers/messages.ts';
import { deedsIn } from '../helpers/run/deeds.ts';
import { examplePolicy, startWorld, type World } from '../helpers/world.ts';

/** On production, bob's shutdowns want the approval of a lead; carol is a lead, too. */
const policy = examplePolicy.replace(
  'commands:\n',
  'commands:\n  - { match: ["power.*"], tiers: [production], approvals: 1 }\n',
);
const twoPolicy = policy.replace('approvals: 1', 'approvals: 2');

let world: World;
async function begin(text = policy): Promise<void> {
  world = await startWorld({ still: true, audit: true, policy: text });
  world.discord.setRoles('carol', ['lead']);
}
beforeEach(() => begin());
afterEach(() => world.stop());

const { callWith, cardOf, cards, click, kindsWithout, pingWith, runs } = deedsIn(() => world);
const kinds = (): string[] => kindsWithout('called', 'denied');
const approve = 'Approve: shut down web-1';

/** Bob asks for a shutdown of web-1 and confirms. */
async function confirmed(): Promise<SeenMessage> {
  const question = await asks(world, '/power shutdown server:web-1', 'bob');
  expect(textOf(question)).toContain('confirms and somebody else approves it.');
  await click('bob', question, 'Confirm');
  return callWith(approve);
}

/** The same where two others must approve it; the first of them does. */
async function approvedOnce(by: 'alice' | 'carol', { text = twoPolicy, role = 'lead' } = {}): Promise<SeenMessage> {
  await world.stop();
  await begin(text);
  world.discord.setRoles('carol', [role]);
  const question = await asks(world, '/power shutdown server:web-1', 'bob');
  await click('bob', question, 'Confirm');
  const card = await callWith(approve);
  await click(by, card, approve);
  await until(() => kinds().includes('approved'), 'the first approval');
  return card;
}

describe('what two people must want', () => {
  it('waits after Confirm, pings the approvers once, and is done when one of them approves', async () => {
    const card = await confirmed();
    expect(stateOf(card)).toBe('QUESTION');
    expect(textOf(card)).toContain('confirmed. Nothing is sent until somebody else approves.');
    expect(labelsOf(card)).toEqual([approve, 'Cancel']);
    expect(changes(world)).toEqual([]);
    await until(() => textOf(cardOf(card)).includes('The buttons are on [the message that pinged]'), 'its card');
    expect(labelsOf(cardOf(card))).toEqual([]);
    await click('alice', card, approve);
    const done = await ended(world, cardOf(card));
    expect(stateOf(done)).toBe('ACCEPTED');
    expect(textOf(done)).toMatch(/By <@\d+>, approved by <@1400000000000000001>/);
    expect(changes(world)).toHaveLength(1);
    expect(kinds().slice(0, 5)).toEqual(['asked', 'confirmed', 'approved', 'intent', 'outcome']);
    expect(runs().find(({ kind }) => kind === 'approved')).toMatchObject({ actor: { name: 'alice' } });
    await until(() => world.alice.sees('audit').includes('APPROVED'), 'the trail');
    expect(textOf(await pingWith('ACCEPTED'))).toContain('This no longer needs approval.');
    expect(cards().filter(({ pinged }) => pinged.length > 0)).toHaveLength(1);
  });

  it('survives a restart, and runs out by itself', async () => {
    const card = await confirmed();
    await world.restart();
    await click('alice', card, approve);
    expect(stateOf(await ended(world, cardOf(card)))).toBe('ACCEPTED');
    const late = await asks(world, '/power shutdown server:web-2', 'bob');
    await click('bob', late, 'Confirm');
    await callWith('Approve: shut down web-2');
    world.timePasses(14 * 60_000);
    expect(await world.carol.types('/handover')).toMatch(/Open questions.*waits for an approval, runs out/s);
    world.timePasses(60_001);
    expect(stateOf(await ended(world, late))).toBe('EXPIRED');
    expect(changes(world)).toHaveLength(1);
  });
});

describe('between Confirm and the approval', () => {
  it('what was read has changed: nothing is sent', async () => {
    await world.stop();
    await begin(policy.replace('"power.*"], tiers', '"firewall.*"], tiers'));
    const question = await asks(world, '/firewall flush server:web-1');
    await click('alice', question, 'Confirm');
    const card = await callWith('Approve: flush web-1');
    await fetch(`${world.panel.url}/servers/101/firewall/primary/disable`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.panel.token}` },
    });
    const before = changes(world).length;
    await click('carol', card, approve.replace('shut down', 'flush'));
    const done = await ended(world, cardOf(card));
    expect(stateOf(done)).toBe('NOT-SENT');
    expect(changes(world)).toHaveLength(before);
    expect(runs().at(-1)).toMatchObject({ outcome: 'not-sent', reason: 'changed-since' });
  });

  it('whoever approved first has lost the role since: the second approval does not send it', async () => {
    const card = await approvedOnce('carol');
    world.discord.setRoles('carol', ['viewer']);
    await click('alice', card, approve);
    const done = await ended(world, cardOf(card));
    expect(stateOf(done)).toBe('NOT-SENT');
    expect(textOf(done)).toContain('the policy or a role has changed');
    expect(changes(world)).toEqual([]);
  });
});
