import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import {
  asks,
  changes,
  ended,
  historyOf,
  idOf,
  labelsOf,
  messageOf,
  runOf,
  stateOf,
  until,
} from '../../helpers/messages.ts';
import { startWorld, type World, worldForAll } from '../../helpers/world.ts';

/** What Discord was sent for a card after its first answer, in order: the first word of each edit. */
const editsOf = ({ discord }: World, card: SeenMessage): string[] =>
  discord.requests
    .filter(({ method, body }) => method === 'PATCH' && JSON.stringify(body).includes(runOf(card)))
    .map(({ body }) => /"content":". \*\*([A-Z-]+)/.exec(JSON.stringify(body))?.[1] ?? '');

/** Discord shows the question, but its answer never comes: the client sends the same edit again after 10 seconds. */
function asksUnheard(world: World, server: string): Promise<SeenMessage> {
  world.discord.order({ kind: 'lose-request', by: 'hang', match: { method: 'PATCH', path: '/webhooks/*' } });
  return asks(world, `/firewall flush server:${server}`);
}

describe.concurrent("a question of which Discord's answer to its edit is lost", () => {
  let failing: SeenMessage;
  let confirmed: SeenMessage;
  let cancelled: SeenMessage;
  const world = worldForAll();
  beforeAll(async () => {
    failing = await asksUnheard(world, 'web-1');
    confirmed = await asksUnheard(world, 'web-2');
    cancelled = await asksUnheard(world, 'web-3');
  });

  it('does not come over what its Confirm led to', async () => {
    await world.discord.click('alice', confirmed.id, idOf(confirmed, 'Confirm'));
    await until(() => editsOf(world, confirmed).length === 3, 'three edits', 20_000);
    expect(editsOf(world, confirmed)).toEqual(['QUESTION', 'QUESTION', 'SUCCEEDED']);
    const last = await ended(world, confirmed);
    expect([stateOf(last), labelsOf(last)]).toEqual(['SUCCEEDED', []]);
  });

  it('does not come over what its Cancel led to', async () => {
    await world.discord.click('alice', cancelled.id, idOf(cancelled, 'Cancel'));
    await until(() => editsOf(world, cancelled).length === 3, 'three edits', 20_000);
    expect(editsOf(world, cancelled)).toEqual(['QUESTION', 'QUESTION', 'CANCELLED']);
    const last = await ended(world, cancelled);
    expect([stateOf(last), labelsOf(last)]).toEqual(['CANCELLED', []]);
  });

  it('fails without closing the run that its Confirm began', async () => {
    world.panel.order({ kind: 'hang-before', match: { changes: true, path: '/101/' } });
    const own = world.discord.requests.find(
      ({ method, body }) => method === 'PATCH' && JSON.stringify(body).includes(runOf(failing)),
    );
    // The end of the connection is nothing after which the client tries again.
    world.discord.order({ kind: 'lose-request', by: 'close', match: { method: 'PATCH', path: own?.path ?? '' } });
    await world.discord.click('alice', failing.id, idOf(failing, 'Confirm'));
    await until(() => historyOf(world, failing).includes('intent'), 'the intent');
    await until(() => world.logged().includes('cannot edit a card yet: will retry'), 'the edit to fail', 20_000);
    await until(() => editsOf(world, failing).includes('WORKING'), 'the next edit');
    await world.panel.clear();
    await until(() => editsOf(world, failing).length === 4, 'four edits');
    expect(editsOf(world, failing)).toEqual(['QUESTION', 'QUESTION', 'WORKING', 'SUCCEEDED']);
    expect(stateOf(await ended(world, failing))).toBe('SUCCEEDED');
    expect(historyOf(world, failing)).toEqual(['asked', 'confirmed', 'intent', 'succeeded']);
    expect(changes(world).filter(({ path }) => path.includes('/101/'))).toHaveLength(1);
  });
});

describe('a question whose time runs out while its servers are being done', () => {
  let world: World;
  beforeAll(async () => {
    const open = { plain: 2_000, typed: 2_000 };
    world = await startWorld({ still: true, intervals: { open } });
  });
  afterAll(() => world.stop());

  it('does not make those expire that are still to be done', async () => {
    const card = await asks(world, '/power poweroff server:web-1,web-2,web-3');
    const [asked] = world.ledger().filter(({ kind }) => kind === 'asked');
    world.panel.order({ kind: 'hang-before', match: { changes: true } });
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    await until(() => historyOf(world, card).includes('intent'), 'the intent');
    const expires = Date.parse(asked?.expires ?? '');
    // Recovery looks every 50 ms.
    await until(() => Date.now() > expires + 500, 'the end of its time');
    await world.panel.clear();
    await until(() => stateOf(messageOf(world, card.id)) === 'ACCEPTED', 'the end');
    const ends = historyOf(world, card).filter((kind) => !['asked', 'confirmed', 'intent', 'follow-up'].includes(kind));
    expect(ends).toEqual(['accepted', 'accepted', 'accepted']);
    expect(changes(world)).toHaveLength(3);
  });
});
