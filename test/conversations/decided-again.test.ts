import { afterEach, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import {
  asks,
  changes,
  ended,
  historyOf,
  idOf,
  messageOf,
  stateOf,
  textOf,
  until,
  whispers,
} from '../helpers/messages.ts';
import { deedsIn } from '../helpers/run/deeds.ts';
import { examplePolicy, startWorld, type World } from '../helpers/world.ts';

const withRow = (row: string): string => examplePolicy.replace('commands:\n', `commands:\n  - ${row}\n`);

let world: World;
async function begin(policy: string, timeouts = { connectMs: 2_000, answerMs: 4_000, syncMs: 4_000 }): Promise<void> {
  world = await startWorld({ still: true, audit: true, policy, timeouts });
  world.discord.setRoles('carol', ['lead']);
}
afterEach(() => world.stop());

const { callWith, cardOf, changeTo, click, denialOf, runs } = deedsIn(() => world);
const looksAt = (server: number): number =>
  world.panel.requests.filter(({ method, path }) => method === 'GET' && path.includes(`/servers/${server}/firewall`))
    .length;
const labelOf = (card: SeenMessage, start: string): string =>
  card.buttons.find(({ label }) => label.startsWith(start))?.label ?? expect.fail(`no ${start}: ${textOf(card)}`);
const withLabel = (start: string): Promise<SeenMessage> =>
  world.discord.until(() =>
    world.discord
      .messages('carol', 'ops')
      .findLast(({ buttons }) => buttons.some(({ label }) => label.startsWith(start))),
  );

it('of two last approvals at once, one carries the change out', async () => {
  await begin(withRow('{ match: [firewall.flush], approvals: 2 }'));
  world.discord.setRoles('bob', ['lead']);
  for (let round = 1; round <= 6; round += 1) {
    const question = await asks(world, '/firewall flush server:web-1');
    await click('alice', question, labelOf(question, 'Flush'));
    const card = await withLabel('Approve');
    const before = looksAt(101);
    const approve = idOf(card, labelOf(card, 'Approve'));
    // While a denial is written, both approvals wait for the same turn of the ledger.
    await Promise.all(['mallory', 'carol', 'bob'].map((who) => world.discord.click(who, card.id, approve)));
    const done = await ended(world, card);
    const steps = historyOf(world, done).filter((step) => step !== 'called');
    expect(steps).toEqual(['asked', 'confirmed', 'approved', 'approved', 'intent', 'succeeded']);
    expect(looksAt(101) - before).toBe(1);
    expect(changes(world)).toHaveLength(round);
  }
});

describe('two leads take one request on, and the first look of the slower one takes long:', () => {
  async function taken(): Promise<SeenMessage> {
    await begin(examplePolicy);
    await world.bob.types('/firewall flush server:web-2 reason:"locked out"');
    const denial = await denialOf('bob', 'Ask a lead');
    await world.discord.click('bob', denial.id, idOf(denial, 'Ask a lead'));
    const card = await callWith('Decline');
    const before = looksAt(102);
    world.panel.order({ kind: 'delay', ms: 2_000, times: 1, match: { changes: false, path: '/servers/102/firewall' } });
    await world.discord.click('carol', card.id, idOf(card, 'Approve'));
    await world.panel.until(() => looksAt(102) > before);
    await world.discord.click('alice', card.id, idOf(card, 'Approve'));
    return withLabel('Flush web-2');
  }
  const isLate = (card: SeenMessage) => (): boolean =>
    whispers(world, card, 'carol').some((one) => textOf(one).includes('was faster. Your click changed nothing.'));

  it('the question of the faster one stays open, whatever the slower one sees', async () => {
    const card = await taken();
    await world.panel.until(() => world.panel.requests.length > 0);
    await world.discord.until(isLate(card));
    expect(stateOf(messageOf(world, card.id))).toBe('QUESTION');
    expect(historyOf(world, card).at(-1)).toBe('asked');
  });

  it('what the faster one sent is not called unsent', async () => {
    const card = await taken();
    world.panel.order({ kind: 'hang-after', match: { changes: true, path: '/servers/102/' } });
    await world.discord.click('alice', card.id, idOf(card, 'Flush web-2'));
    await world.discord.until(isLate(card));
    const done = await ended(world, cardOf(card));
    expect(stateOf(done)).toBe('UNKNOWN');
    expect(historyOf(world, done).slice(-3)).toEqual(['confirmed', 'intent', 'unknown']);
    expect(changes(world)).toHaveLength(1);
  });
});

it('a server whose tier changed while others were sent is frozen, and approved, as its new tier is', async () => {
  await begin(examplePolicy);
  const question = await asks(world, '/power restart server:web-3,cache-1');
  world.panel.order({ kind: 'hang-before', match: { changes: true } });
  await world.discord.click('alice', question.id, idOf(question, 'Confirm'));
  await world.panel.until(() => changes(world).length === 1);
  changeTo(examplePolicy.replace('name: cache-1, tier: staging', 'name: cache-1, tier: production'));
  expect(await world.carol.types('/freeze tier:production reason:"migration"')).toContain('SUCCEEDED');
  await world.panel.clear();
  const card = await ended(world, question);
  expect(textOf(card)).toContain('Tier `production` is frozen');
  await until(() => runs().filter(({ kind }) => kind === 'outcome').length === 2, 'both outcomes');
  expect(changes(world).map(({ path }) => path)).toEqual(['/servers/103/power/restart']);
});
