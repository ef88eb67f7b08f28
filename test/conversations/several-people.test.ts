import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import {
  asks,
  changes,
  confirms,
  ended,
  idOf,
  labelsOf,
  messageOf,
  presses,
  runOf,
  stateOf,
  textOf,
  until,
  whisperAfter,
  whispers,
} from '../helpers/messages.ts';
import { deedsIn } from '../helpers/run/deeds.ts';
import { examplePolicy, worldForAll, worldForEach } from '../helpers/world.ts';

describe('what two people must want', () => {
  /** On production, bob's shutdowns want the approval of a lead; carol is a lead, too. */
  const wanting = (approvals: number): string =>
    examplePolicy.replace(
      'commands:\n',
      `commands:\n  - { match: ["power.*"], tiers: [production], approvals: ${approvals} }\n`,
    );
  const approve = 'Approve: shut down web-1';

  const world = worldForEach({ still: true, audit: true, policy: wanting(1) });
  const { callWith, cardOf, cards, changeTo, click, denialOf, kindsWithout, pingWith, runs } = deedsIn(() => world);

  /** Bob has asked for a shutdown of web-1 and confirmed: the message that pinged. */
  async function confirmed(): Promise<SeenMessage> {
    world.discord.setRoles('carol', ['lead']);
    const question = await asks(world, '/power shutdown server:web-1', 'bob');
    expect(textOf(question)).toMatch(/confirms and .* approves? it\./);
    await click('bob', question, 'Confirm');
    return callWith(approve);
  }

  it('waits after Confirm, pings the approvers once, and is done when one of them approves', async () => {
    const call = await confirmed();
    expect(stateOf(call)).toBe('QUESTION');
    expect(textOf(call)).toContain('confirmed. Nothing is sent until somebody else approves.');
    expect(labelsOf(call)).toEqual([approve, 'Cancel']);
    await until(() => textOf(cardOf(call)).includes('The buttons are on [the message that pinged]'), 'its card');
    expect([labelsOf(cardOf(call)), changes(world)]).toEqual([[], []]);
    await click('alice', call, approve);
    const done = await ended(world, cardOf(call));
    expect(stateOf(done)).toBe('ACCEPTED');
    expect(textOf(done)).toMatch(/By <@\d+>, approved by <@1400000000000000001>/);
    expect(changes(world)).toHaveLength(1);
    const kinds = kindsWithout('called', 'denied').slice(0, 5);
    expect(kinds).toEqual(['asked', 'confirmed', 'approved', 'intent', 'outcome']);
    expect(runs().find(({ kind }) => kind === 'approved')).toMatchObject({ actor: { name: 'alice' } });
    await until(() => world.alice.sees('audit').includes('APPROVED'), 'the trail');
    expect(textOf(await pingWith('ACCEPTED'))).toContain('This no longer needs approval.');
    expect(cards().filter(({ pinged }) => pinged.length > 0)).toHaveLength(1);
  });

  it('pings the approvers of what somebody has just taken on for another, too', async () => {
    await world.carol.types('/power shutdown server:web-1');
    const denial = await denialOf('carol', 'Ask an on-call or a lead');
    await world.discord.click('carol', denial.id, idOf(denial, 'Ask an on-call or a lead'));
    const request = await callWith('Decline');
    await click('bob', request, 'Approve');
    await click('bob', request, 'Confirm');
    const call = await callWith(approve);
    expect([call.id === request.id, call.pinged]).toEqual([false, ['alice']]);
    expect(textOf(messageOf(world, request.id))).toContain('Somebody took it on.');
    await click('alice', call, approve);
    expect(stateOf(await ended(world, cardOf(call)))).toBe('ACCEPTED');
    const history = await world.alice.types('/audit history server:web-1');
    expect(history).toContain('@bob, for @carol, approved by @alice, ');
  });

  it('survives a restart, and runs out by itself', async () => {
    const call = await confirmed();
    await world.restart();
    await click('alice', call, approve);
    expect(stateOf(await ended(world, cardOf(call)))).toBe('ACCEPTED');
    const late = await asks(world, '/power shutdown server:web-2', 'bob');
    await click('bob', late, 'Confirm');
    await callWith('Approve: shut down web-2');
    world.timePasses(14 * 60_000);
    expect(await world.carol.types('/handover')).toMatch(/Open questions.*waits for an approval, runs out/s);
    world.timePasses(60_001);
    expect(stateOf(await ended(world, late))).toBe('EXPIRED');
    expect(changes(world)).toHaveLength(1);
  });

  it('is not sent where one of those who approved has lost the role since', async () => {
    changeTo(wanting(2));
    const call = await confirmed();
    await click('carol', call, approve);
    await until(() => kindsWithout().includes('approved'), 'the first approval');
    world.discord.setRoles('carol', ['viewer']);
    await click('alice', call, approve);
    const done = await ended(world, cardOf(call));
    expect(stateOf(done)).toBe('NOT-SENT');
    expect(textOf(done)).toContain('the policy or a role has changed');
    expect(changes(world)).toEqual([]);
  });
});

describe('whoever confirms what another person asked', () => {
  const world = worldForAll();

  it.each([
    ['and may run it', '/power shutdown server:web-1', 'Only <@1400000000000000001> can confirm this question.'],
    ['and may not', '/whitelist add server:web-1 network:198.51.100.7/32', 'DENIED /whitelist add'],
  ])('%s, alone is told why nothing is sent', async (_who, line, why) => {
    const question = await asks(world, line);
    const told = await whisperAfter(world, question, 'bob', () => presses(world, question, 'Confirm', 'bob'));
    expect(told).toContain(why);
    expect(whispers(world, question)).toEqual([]);
    expect([stateOf(messageOf(world, question.id)), changes(world)]).toEqual(['QUESTION', []]);
  });
});

describe('whoever is denied', () => {
  const world = worldForEach({ still: true, audit: true });
  const { callWith, cardOf, cards, cardWith, changeTo, click, denialOf, kindsWithout, runs } = deedsIn(() => world);
  const flush = '/firewall flush server:web-1 reason:"locked out"';
  /** Bob presses Ask a lead on his denial. */
  async function asked(): Promise<SeenMessage> {
    const denial = await denialOf('bob', 'Ask a lead');
    await world.discord.click('bob', denial.id, idOf(denial, 'Ask a lead'));
    return callWith('Decline');
  }

  it('asks those who may, once; whoever takes it on gets the question, and both names are kept', async () => {
    expect(await world.bob.types(flush)).toContain('[Ask a lead]');
    const card = await asked();
    expect(stateOf(card)).toBe('QUESTION');
    expect(textOf(card)).toContain('may not run this and asks somebody who may.');
    expect(textOf(card)).not.toContain('4 rules');
    expect(changes(world)).toEqual([]);
    await click('alice', card, 'Approve');
    const question = await cardWith('Flush web-1');
    expect(question.id).toBe(card.id);
    expect(textOf(question)).toMatch(/Nothing is sent until <@1400000000000000001> confirms/);
    await click('alice', card, 'Flush web-1');
    const done = await ended(world, cardOf(card));
    expect(stateOf(done)).toBe('SUCCEEDED');
    expect(textOf(done)).toContain('By <@1400000000000000001>, for <@1400000000000000002>');
    expect(kindsWithout('called')).toEqual(['denied', 'requested', 'asked', 'confirmed', 'intent', 'outcome']);
    const names = runs().map(({ kind, actor }) => `${kind} ${actor.name}`);
    expect(names).toEqual(expect.arrayContaining(['requested bob', 'asked alice']));
    const history = await world.alice.types('/audit history server:web-1');
    expect(history).toMatch(/\/firewall flush .*@alice, for @bob,/);
    await until(() => /ASKED OTHERS.*@bob/.test(world.alice.sees('audit')), 'the trail');
    expect(cards().filter(({ pinged }) => pinged.length > 0)).toHaveLength(1);
  });

  it('an Undo can pass that on, too, and it stays the undo of that card', async () => {
    const question = await asks(world, '/whitelist add server:web-1 network:198.51.100.7/32');
    await click('alice', question, 'Confirm');
    const card = await ended(world, question);
    const told = await whisperAfter(world, card, 'bob', () => click('bob', card, 'Undo'));
    expect(told).toContain('DENIED /whitelist remove');
    const denied = () => runs().find(({ kind }) => kind === 'denied');
    await until(() => denied() !== undefined, 'its record');
    expect(denied()).toMatchObject({ command: 'whitelist.remove', pressed: { button: 'undo', of: { name: 'alice' } } });
    const request = await asked();
    await click('alice', request, 'Approve');
    const undo = await callWith('Confirm');
    expect(undo.id).toBe(request.id);
    await click('alice', undo, 'Confirm');
    expect(stateOf(await ended(world, cardOf(undo)))).toBe('SUCCEEDED');
    const intent = runs().findLast(({ kind }) => kind === 'intent');
    expect(intent).toMatchObject({ command: 'whitelist.remove', undoes: runOf(card) });
    await world.discord.until(() => textOf(messageOf(world, card.id)).includes('Undone since'));
  });

  it('has nobody to ask where the policy does not want it, nobody may, or it hides the server', async () => {
    const without = examplePolicy.replace('allow: [read, write, ', 'allow: [read, ');
    for (const [policy, line, isOffered] of [
      [without, '/ipv4 assign server:web-1 quantity:8', true],
      [without, '/ipv4 assign server:web-1 quantity:9', false],
      [examplePolicy.replace('ask-others: on', 'ask-others: off'), flush, false],
      [examplePolicy.replace('allow: ["*",', 'allow: [read,'), flush, false],
      [examplePolicy, '/audit history server:web-1', false],
      [examplePolicy, '/firewall flush server:lab-1 reason:x', false],
    ] as const) {
      if (policy !== examplePolicy) changeTo(policy);
      expect((await world.bob.types(line)).includes('[Ask'), line).toBe(isOffered);
      changeTo(examplePolicy);
    }
  });
});

describe('a ping means: look at this', () => {
  const policy = examplePolicy.replace('unknown: nobody', 'unknown: requester');
  const world = worldForAll({ policy, panel: { powerMs: 200 } });
  const all = () => world.discord.messages('alice', 'ops');
  const pinged = () => all().filter((message) => message.pinged.length > 0);

  it('what ended unknown pings whoever ordered it, once, with one fact and the buttons, until somebody says there how it ended', async () => {
    world.panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
    await world.alice.types('/firewall enable server:web-1');
    await until(() => world.ledger().at(-1)?.kind === 'pinged', 'the ping');
    const [ping = expect.fail('no ping')] = pinged();
    expect(ping.pinged).toEqual(['alice']);
    expect(ping.content).toContain('UNKNOWN /firewall enable');
    expect(world.ledger().at(-1)).toMatchObject({ run: expect.stringMatching(/\.1$/), place: { message: ping.id } });
    await world.restart();
    const seen = () => messageOf(world, ping.id);
    await until(() => seen().buttons.length > 0, 'its buttons');
    expect(
      textOf(seen())
        .replaceAll(/discord\.com\/channels\/[\d/]+/g, 'card')
        .split('\n'),
    ).toEqual([
      expect.stringContaining('UNKNOWN /firewall enable'),
      ...['It may or may not have been done.', 'Press Check now, or look at the server in the panel.'],
      ...['Then press Say what happened. The bot will not send it again.', '[Its card](https://card) has the rest.'],
      expect.stringMatching(/^run \w+ · outcome$/),
    ]);
    expect(labelsOf(seen())).toEqual(['Check now', 'Say what happened']);
    await until(() => all().find(({ id }) => id === ping.replyTo)?.buttons.length === 0, 'a card without');
    await world.bob.clicks('Say what happened');
    await world.bob.fills('It happened: it is on');
    await until(() => stateOf(seen()) === 'HAPPENED', 'the settled ping');
    expect(seen().content).toBe('◆ **HAPPENED /firewall enable · web-1 (101, production)** <@1400000000000000001>');
    expect(seen().buttons).toEqual([]);
    expect(textOf(seen())).toContain(`It happened, says <@${world.ledger().at(-1)?.actor.id}>.`);
  });
});

describe('whoever waits for others is told, each thing once', () => {
  const world = worldForAll({ policy: examplePolicy.replaceAll(/(answered|done): nobody/g, '$1: requester') });
  const { cardWith, click, denialOf, submit } = deedsIn(() => world);
  const told = () => world.discord.messages('bob', 'ops').filter(({ pinged }) => pinged.includes('bob'));
  const toldOf = async (words: string) =>
    textOf(await world.discord.until(() => told().find((one) => textOf(one).includes(words))));
  async function askLead(line: string): Promise<void> {
    await world.bob.types(line);
    const denial = await denialOf('bob', 'Ask a lead');
    await world.discord.click('bob', denial.id, idOf(denial, 'Ask a lead'));
  }

  it('that it was declined, taken on or approved, by whom and why, and how it ended', async () => {
    await askLead('/firewall flush server:web-1 reason:"locked out"');
    await submit('alice', await cardWith('Decline'), 'Decline', 'not at night');
    expect(await toldOf('CANCELLED')).toContain('Declined by <@1400000000000000001>: `not at night`');
    expect(told()).toHaveLength(1);
    await askLead('/firewall flush server:web-2 reason:"locked out"');
    await click('alice', await cardWith('Decline'), 'Approve');
    expect(await toldOf('took it on')).toContain('Nothing is sent before <@1400000000000000001> confirms it');
    await click('alice', await cardWith('Flush web-2'), 'Flush web-2');
    expect(await toldOf('SUCCEEDED')).toContain('By <@1400000000000000001>, for <@1400000000000000002>');
    expect(told()).toHaveLength(3);
    await confirms(world.bob, '/power poweroff server:build-1 reason:stuck');
    await click('alice', await cardWith('Approve: power off build-1'), 'Approve: power off build-1');
    expect(await toldOf('ACCEPTED')).toContain('approved by <@1400000000000000001>');
  });
});
