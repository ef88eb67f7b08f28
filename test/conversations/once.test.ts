import { beforeEach, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import {
  asks,
  changes,
  ended,
  historyOf,
  idOf,
  labelsOf,
  messageOf,
  textOf,
  until,
  whisperAfter,
  whispers,
} from '../helpers/messages.ts';
import { deedsIn } from '../helpers/run/deeds.ts';
import { examplePolicy, worldForEach } from '../helpers/world.ts';

describe('one wish is one change', () => {
  /** On-call may not add traffic, may in an emergency, and nothing of a quantity asks first. */
  const policy = examplePolicy
    .replace(
      'allow: [read, write, "power.*", audit.history, hold, release, alerts.acknowledge]',
      'allow: [read, "power.*"]',
    )
    .replace('allow-in-emergency: [backup.restore]', 'allow-in-emergency: [traffic.add, whitelist.remove]')
    .replace('  - { match: [ipv4.assign], confirm: true }\n', '');
  const world = worldForEach({ still: true, policy });
  const { callWith, cards, cardWith, click, denialOf, kindsWithout, submit } = deedsIn(() => world);
  const added = ['POST /servers/101/traffic/blocks'];
  const sent = (): string[] => changes(world).map(({ method, path }) => `${method} ${path}`);
  const press = (no: SeenMessage, label: string) => world.discord.click('bob', no.id, idOf(no, label));
  const glass = (card: SeenMessage) => () => submit('bob', card, 'Break glass', 'nobody answers');

  async function denied(): Promise<SeenMessage> {
    await world.bob.types('/traffic add server:web-1 month:1 amount:100');
    return denialOf('bob', 'Ask a lead');
  }
  /** What a freeze stopped, with Ask again, once that is over. */
  async function stopped(line: string): Promise<SeenMessage> {
    world.discord.setRoles('carol', ['lead']);
    await world.alice.types('/freeze tier:production reason:x');
    await world.alice.types(line);
    const card = await cardWith('Ask again');
    await world.alice.types('/thaw tier:production');
    return card;
  }
  /** Presses what confirms a question, and waits for its end. */
  async function answers(who: 'alice' | 'bob' | 'carol', id: string): Promise<SeenMessage> {
    const question = messageOf(world, id);
    await world.discord.click(who, id, question.buttons[0]?.customId ?? '');
    return ended(world, question);
  }
  /** Confirms the question that comes of what is done. */
  async function confirmed(who: 'alice' | 'bob', deed: () => Promise<unknown>): Promise<SeenMessage> {
    const before = new Set(cards(who).map(({ id }) => id));
    await deed();
    const isQuestion = (one: SeenMessage) => !before.has(one.id) && labelsOf(one).includes('Cancel');
    return answers(who, (await world.discord.until(() => cards(who).find(isQuestion))).id);
  }
  /** Alice takes the open request on and confirms it. */
  async function takesOn(): Promise<SeenMessage> {
    const request = await callWith('Decline');
    await click('alice', request, 'Approve');
    await until(() => labelsOf(messageOf(world, request.id)).includes('Cancel'), 'the question');
    return answers('alice', request.id);
  }

  it('also if two people press Ask again before either is done', async () => {
    const card = await stopped('/ipv4 assign server:web-1 quantity:2');
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
    const card = await stopped('/traffic add server:web-1 month:1 amount:100');
    const before = new Set(cards().map(({ id }) => id));
    const questions = () => cards().filter((one) => !before.has(one.id) && labelsOf(one).includes('Cancel'));
    await click('alice', card, 'Ask again');
    await click('carol', card, 'Ask again');
    await until(() => questions().length === 2, 'both questions');
    for (const question of questions())
      await answers(textOf(question).includes('1400000000000000003') ? 'carol' : 'alice', question.id);
    expect(sent()).toEqual(added);
  });

  it('if a lead, who is asked once, did what was asked, and the denial offers Break glass', async () => {
    const no = await denied();
    await Promise.all([press(no, 'Ask a lead'), press(no, 'Ask a lead')]);
    await takesOn();
    await until(() => cards('bob').some((one) => textOf(one).includes('You have already asked')), 'the refusal');
    expect(kindsWithout().filter((kind) => kind === 'requested')).toHaveLength(1);
    expect(textOf(await confirmed('bob', glass(no)))).toContain('the same was done there');
    expect(sent()).toEqual(added);
  });

  it('if it was done with break-glass, and then asked of a lead', async () => {
    const no = await denied();
    await confirmed('bob', glass(no));
    await press(no, 'Ask a lead');
    expect(textOf(await takesOn())).toContain('the same was done there');
    expect(sent()).toEqual(added);
  });

  it('of an Undo that somebody goes on with by break-glass: what was undone since is not undone again', async () => {
    const line = '/whitelist add server:web-1 network:198.51.100.7/32';
    const card = await confirmed('alice', () => asks(world, line));
    await whisperAfter(world, card, 'bob', () => click('bob', card, 'Undo'));
    await press(await denialOf('bob', 'Ask a lead'), 'Ask a lead');
    const request = await cardWith('Decline');
    await confirmed('alice', () => click('alice', card, 'Undo'));
    await confirmed('alice', () => asks(world, line));
    expect(textOf(await confirmed('bob', glass(request)))).toContain('undone');
    expect(sent().filter((each) => each.startsWith('DELETE'))).toHaveLength(1);
  });
});

describe('what is decided again', () => {
  const world = worldForEach({
    still: true,
    audit: true,
    timeouts: { connectMs: 2_000, answerMs: 4_000, syncMs: 4_000 },
  });
  const { callWith, cardOf, cardWith, changeTo, click, denialOf } = deedsIn(() => world);
  const isLook = ({ method, path }: { method: string; path: string }) => method === 'GET' && path.includes('/firewall');
  const looks = (): number => world.panel.requests.filter(isLook).length;
  beforeEach(() => world.discord.setRoles('carol', ['lead']));

  it('of two last approvals at once, one carries the change out', async () => {
    const twice = 'commands:\n  - { match: [firewall.flush], approvals: 2 }\n';
    changeTo(examplePolicy.replace('commands:\n', twice));
    world.discord.setRoles('bob', ['lead']);
    for (let round = 1; round <= 6; round += 1) {
      await click('alice', await asks(world, '/firewall flush server:web-1'), 'Flush web-1');
      const card = await callWith('Approve: flush web-1');
      const before = looks();
      const approve = idOf(card, 'Approve: flush web-1');
      // While a denial is written, both approvals wait for the same turn of the ledger.
      await Promise.all(['mallory', 'carol', 'bob'].map((who) => world.discord.click(who, card.id, approve)));
      const done = await ended(world, card);
      const steps = historyOf(world, done).filter((step) => step !== 'called');
      expect(steps).toEqual(['asked', 'confirmed', 'approved', 'approved', 'intent', 'succeeded']);
      expect([looks() - before, changes(world).length]).toEqual([1, round]);
    }
  });

  it('what the faster of two leads sent is not called unsent by the slower one, whose look took long', async () => {
    await world.bob.types('/firewall flush server:web-2 reason:"locked out"');
    const denial = await denialOf('bob', 'Ask a lead');
    await world.discord.click('bob', denial.id, idOf(denial, 'Ask a lead'));
    const request = await callWith('Decline');
    const before = looks();
    world.panel.order({ kind: 'delay', ms: 2_000, times: 1, match: { changes: false, path: '/servers/102/firewall' } });
    await world.discord.click('carol', request.id, idOf(request, 'Approve'));
    await world.panel.until(() => looks() > before);
    await world.discord.click('alice', request.id, idOf(request, 'Approve'));
    const card = await cardWith('Flush web-2');
    world.panel.order({ kind: 'hang-after', match: { changes: true, path: '/servers/102/' } });
    await world.discord.click('alice', card.id, idOf(card, 'Flush web-2'));
    const late = 'was faster. Your click changed nothing.';
    await world.discord.until(() => whispers(world, card, 'carol').some((one) => textOf(one).includes(late)));
    const done = await ended(world, cardOf(card));
    expect(historyOf(world, done).slice(-3)).toEqual(['confirmed', 'intent', 'unknown']);
    expect(changes(world)).toHaveLength(1);
  });

  it('a server whose tier changed while others were sent is frozen as its new tier is', async () => {
    const question = await asks(world, '/power restart server:web-3,cache-1');
    world.panel.order({ kind: 'hang-before', match: { changes: true } });
    await world.discord.click('alice', question.id, idOf(question, 'Confirm'));
    await world.panel.until(() => changes(world).length === 1);
    changeTo(examplePolicy.replace('name: cache-1, tier: staging', 'name: cache-1, tier: production'));
    expect(await world.carol.types('/freeze tier:production reason:"migration"')).toContain('SUCCEEDED');
    await world.panel.clear();
    expect(textOf(await ended(world, question))).toContain('Tier `production` is frozen');
    await until(() => world.ledger().filter(({ kind }) => kind === 'outcome').length === 2, 'both outcomes');
    expect(changes(world).map(({ path }) => path)).toEqual(['/servers/103/power/restart']);
  });
});
