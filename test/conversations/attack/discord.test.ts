import { afterEach, describe, expect, it } from 'vitest';
import type { DiscordFault, SeenMessage } from '../../../src/sandbox/discord/index.ts';
import {
  answerTo,
  asks,
  changes,
  ended,
  historyOf,
  idOf,
  messageOf,
  runOf,
  stateOf,
  textOf,
  until,
  whispers,
} from '../../helpers/messages.ts';
import { type Connection, call, identified } from '../../helpers/sandbox/discord/raw.ts';
import { openWorld, type World, worldForAll } from '../../helpers/world.ts';

const edits = { method: 'PATCH', path: '/webhooks/*' };
const callback = { method: 'POST', path: '/interactions/*' };

/** Edits of a card, as Discord got them, oldest first. */
const editsOf = ({ discord }: World, card: SeenMessage) =>
  discord.requests.filter(({ method, body }) => method === 'PATCH' && JSON.stringify(body).includes(runOf(card)));

describe('a Discord that holds an edit back', () => {
  const held = { kind: 'rate-limit', retryAfterMs: 2_000, match: edits } as const;

  it('does not make a confirmed change late, nor the next server', async () => {
    const world = await openWorld({ still: true });
    const card = await asks(world, '/power poweroff server:web-3');
    world.discord.order(held);
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    await world.panel.until(() => changes(world).length === 1);
    expect(editsOf(world, card).filter(({ status }) => status === 200)).toHaveLength(1);
    expect(stateOf(await ended(world, card))).toBe('ACCEPTED');
    world.discord.order(held);
    const both = await answerTo(world, await world.discord.type('alice', 'ops', '/power boot server:web-1,web-2'), [
      'WORKING',
    ]);
    await world.panel.until(() => changes(world).length === 3);
    expect(editsOf(world, both).filter(({ status }) => status === 200)).toEqual([]);
    expect(stateOf(await ended(world, both))).toBe('ACCEPTED');
  });

  it('of a question that ran out does not hold up the other questions, nor the stop', async () => {
    const world = await openWorld({ still: true, intervals: { open: { plain: 700, typed: 700 }, drain: 500 } });
    const card = await asks(world, '/power poweroff server:web-1');
    world.discord.order({ ...held, retryAfterMs: 60_000 });
    await until(() => editsOf(world, card).some(({ status }) => status === 429), 'an edit to be held back');
    const other = await asks(world, '/power poweroff server:web-2');
    await until(() => historyOf(world, other).includes('expired'), 'the other question to run out');
    const from = performance.now();
    await world.app.stop();
    expect(performance.now() - from).toBeLessThan(30_000);
    world.discord.clear();
  });
});

it('A late edit of a question that fails does not close the run that its Confirm began', async () => {
  const world = await openWorld();
  // Discord shows the question, but its answer never comes: the client sends the same edit again after 10 seconds.
  world.discord.order({ kind: 'lose-request', by: 'hang', match: edits });
  const card = await asks(world, '/firewall flush server:web-1');
  world.panel.order({ kind: 'hang-before', match: { changes: true, path: '/101/' } });
  const path = editsOf(world, card)[0]?.path ?? '';
  // The end of the connection is nothing after which the client tries again.
  world.discord.order({ kind: 'lose-request', by: 'close', match: { method: 'PATCH', path } });
  await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
  await until(() => historyOf(world, card).includes('intent'), 'the intent');
  await until(() => world.logged().includes('cannot edit a card yet: will retry'), 'the edit to fail', 20_000);
  const states = () =>
    editsOf(world, card).map(({ body }) => /"content":". \*\*([A-Z-]+)/.exec(JSON.stringify(body))?.[1]);
  await until(() => states().includes('WORKING'), 'the next edit');
  await world.panel.clear();
  await until(() => states().length === 4, 'four edits');
  expect(states()).toEqual(['QUESTION', 'QUESTION', 'WORKING', 'SUCCEEDED']);
  expect(stateOf(await ended(world, card))).toBe('SUCCEEDED');
  expect(historyOf(world, card)).toEqual(['asked', 'confirmed', 'intent', 'succeeded']);
  expect(changes(world)).toHaveLength(1);
});

it('A question whose time runs out while its servers are being done lets none of them expire', async () => {
  const world = await openWorld({ still: true, intervals: { open: { plain: 2_000, typed: 2_000 } } });
  const card = await asks(world, '/power poweroff server:web-1,web-2,web-3');
  const expires = Date.parse(world.ledger().find(({ kind }) => kind === 'asked')?.expires ?? '');
  world.panel.order({ kind: 'hang-before', match: { changes: true } });
  await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
  await until(() => historyOf(world, card).includes('intent'), 'the intent');
  // Recovery looks every 50 ms.
  await until(() => Date.now() > expires + 500, 'the end of its time');
  await world.panel.clear();
  expect(stateOf(await ended(world, card))).toBe('ACCEPTED');
  const steps = ['asked', 'confirmed', 'intent', 'follow-up'];
  expect(historyOf(world, card).filter((kind) => !steps.includes(kind))).toEqual(['accepted', 'accepted', 'accepted']);
  expect(changes(world)).toHaveLength(3);
});

/** Another process on the same token, which is stopping, answers faster than the bot: it tells the person no. */
describe('who was told by somebody else that nothing was sent', () => {
  const world = worldForAll({ still: true });
  afterEach(() => world.discord.clear());

  /** Does it; while the bot's first answer is on its way, the other process says no. */
  async function refused(other: Connection, deed: () => Promise<string>): Promise<void> {
    const { discord } = world;
    const slow: DiscordFault = { kind: 'delay', ms: 500, match: callback };
    discord.order(slow);
    const interaction = await deed();
    const { d } = await other.wait(({ t, d }) => t === 'INTERACTION_CREATE' && d['id'] === interaction);
    await until(() => !discord.isOrdered(slow), "the bot's first answer");
    const said = 'NOT-SENT: the bot is stopping. Nothing was sent.';
    const body = { type: 4, data: { content: said, flags: 64 } };
    expect((await call(discord, 'POST', `/interactions/${d['id']}/${d['token']}/callback`, body)).status).toBe(204);
    const isTaken = () => discord.requests.some(({ path, status }) => path.includes(interaction) && status === 400);
    await until(isTaken, 'that the bot came too late');
    // What it might do now, it would do before whatever comes next.
    await world.bob.types('/traffic show server:web-1');
    const answer = discord.messages('alice', 'ops').find(({ answers }) => answers === interaction);
    expect(answer).toMatchObject({ ephemeral: true, content: said });
  }

  it('is not sent what was typed or asked about: the question stays open, and can be confirmed', async () => {
    const other = await identified(world.discord);
    await refused(other, () => world.discord.type('alice', 'ops', '/power boot server:web-1'));
    expect([changes(world), world.ledger()]).toEqual([[], []]);
    const card = await asks(world, '/firewall flush server:web-1');
    for (const label of ['Confirm', 'Cancel'])
      await refused(other, () => world.discord.click('alice', card.id, idOf(card, label)));
    expect([changes(world), historyOf(world, card), stateOf(messageOf(world, card.id))]).toEqual([
      [],
      ['asked'],
      'QUESTION',
    ]);
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    await until(() => stateOf(messageOf(world, card.id)) === 'SUCCEEDED', 'the flush');
    // A page of a read is not turned, either.
    const typed = await world.discord.type('alice', 'ops', '/firewall show server:web-3');
    const { id, content, embeds, ...read } = await answerTo(world, typed, ['SUCCEEDED']);
    await refused(other, () => world.discord.click('alice', id, idOf({ id, content, embeds, ...read }, 'Next')));
    expect(messageOf(world, id)).toMatchObject({ content, embeds });
  });
});

describe('a command by a button, whose first answer was lost on its way back', () => {
  const world = worldForAll();
  const lost = () => world.discord.order({ kind: 'lose-request', by: 'reset', match: callback });

  it('is recorded at its own card', async () => {
    const { discord } = world;
    await answerTo(world, await discord.type('alice', 'ops', '/cpu throttle server:web-1 percent:20'), ['SUCCEEDED']);
    const id = await discord.type('alice', 'ops', '/cpu throttle server:web-1 percent:50');
    const first = await answerTo(world, id, ['SUCCEEDED']);
    lost();
    const second = await answerTo(world, await discord.click('alice', first.id, idOf(first, 'Undo')), ['SUCCEEDED']);
    expect(second.id).not.toBe(first.id);
    const entries = world.ledger().filter(({ run }) => run.startsWith(`${runOf(second)}.`));
    expect(entries.map(({ place }) => place.message)).toEqual([second.id, second.id]);
  });

  it('can be confirmed, and leaves the card of the button alone', async () => {
    const { discord, panel } = world;
    panel.order({ kind: 'hang-before', match: { changes: true } });
    const other = await discord.type('alice', 'ops', '/firewall enable server:web-2');
    await panel.until(() => panel.requests.some(({ path }) => path.includes('102/firewall')));
    const question = await asks(world, '/firewall disable server:web-2');
    await discord.click('alice', question.id, idOf(question, 'Confirm'));
    const blocked = await ended(world, question);
    expect(stateOf(blocked)).toBe('BLOCKED');
    await panel.clear();
    await answerTo(world, other, ['SUCCEEDED']);
    lost();
    const again = await discord.click('alice', blocked.id, idOf(blocked, 'Ask again'));
    const second = await answerTo(world, again, ['QUESTION']);
    await discord.click('alice', second.id, idOf(second, 'Confirm'));
    await until(() => stateOf(messageOf(world, second.id)) === 'SUCCEEDED', 'what was confirmed');
    // When questions of then lapse, neither card is one.
    const open = await asks(world, '/firewall disable server:web-3');
    world.timePasses(130_000);
    await until(() => stateOf(messageOf(world, open.id)) === 'EXPIRED', 'the question that is open');
    expect(runOf(messageOf(world, blocked.id))).toBe(runOf(blocked));
    expect([blocked, second].map(({ id }) => stateOf(messageOf(world, id)))).toEqual(['BLOCKED', 'SUCCEEDED']);
  });
});

describe('what Discord breaks is no bug', () => {
  const world = worldForAll({ still: true, audit: true });
  afterEach(() => {
    world.discord.clear();
    expect(world.logged().match(/because of a bug[^"]*/g)).toBeNull();
  });
  const posts = { method: 'POST', path: '/webhooks/*' };

  it.each<[how: string, fault: DiscordFault]>([
    ['breaks the connection', { kind: 'lose-request', by: 'close', match: posts }],
    ['resets it', { kind: 'lose-request', by: 'reset', match: posts }],
    ['refuses the note', { kind: 'status', status: 403, body: { code: 50_013 }, match: posts }],
    ['has lost the webhook for a moment', { kind: 'status', status: 404, body: { code: 10_015 }, match: posts }],
    ['meets an error of its own', { kind: 'status', status: 502, match: posts, times: 4 }],
    ['answers without a message', { kind: 'status', status: 200, body: {}, match: posts }],
  ])(
    'Confirm is pressed twice at once, and Discord %s: it is done once, and the second press is told so',
    async (_how, fault) => {
      const question = await asks(world, '/firewall flush server:web-1');
      world.discord.order(fault);
      const press = () => world.discord.click('alice', question.id, idOf(question, 'Confirm'));
      await Promise.all([press(), press()]);
      expect(stateOf(await ended(world, question))).toBe('SUCCEEDED');
      await world.discord.until(() => whispers(world, question).length > 0);
      for (const each of whispers(world, question)) expect(textOf(each)).toContain('Your click changed nothing.');
      expect(historyOf(world, question).filter((kind) => kind === 'intent')).toHaveLength(1);
    },
  );

  it('A refusal whose answer was lost says the same again', async () => {
    world.discord.order({ kind: 'status', status: 403, body: { code: 50_001 }, match: { path: '/interactions/*' } });
    expect(await world.mallory.types('/power boot server:web-1')).toContain('DENIED /power boot');
  });

  it('A click whose answer arrived, and whose message Discord then does not name, is answered', async () => {
    await world.alice.types('/firewall show server:web-1');
    world.discord.order({ kind: 'lose-request', by: 'reset', match: { path: '/interactions/*/callback' } });
    world.discord.order({ kind: 'lose-request', by: 'close', match: { method: 'GET', path: '/webhooks/*' } });
    expect(await world.alice.clicks('Share')).not.toContain('bug');
    await world.alice.types('/power boot server:web-1');
  });
});
