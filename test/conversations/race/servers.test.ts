import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openCards } from '../../helpers/ledger/reading.ts';
import {
  answerTo,
  asks,
  changes,
  ended,
  historyOf,
  idOf,
  messageOf,
  stateOf,
  textOf,
  until,
  whisperAfter,
} from '../../helpers/messages.ts';
import { startWorld, type World, worldForAll } from '../../helpers/world.ts';

/** Types a command and waits until its card is terminal. */
const does = async (world: World, line: string, state: string, who: 'alice' | 'bob' = 'alice') =>
  answerTo(world, await world.discord.type(who, 'ops', line), [state], who);

describe('two changes on one server at once', () => {
  const world = worldForAll({ still: true });
  afterEach(() => world.panel.clear());

  it('the second is blocked, names who is at it, and sends nothing; asked again later it is done', async () => {
    world.panel.order({ kind: 'hang-before', match: { changes: true } });
    const first = await world.discord.type('alice', 'ops', '/power boot server:web-1');
    await world.panel.until(() => changes(world).length === 1);
    const blocked = await does(world, '/firewall enable server:101', 'BLOCKED', 'bob');
    expect(blocked.content).toBe('⊠ **BLOCKED /firewall enable · web-1 (101, production)**');
    expect(textOf(blocked)).toMatch(/`alice` .*`\/power boot`.* <t:\d+:R>, run \w+\.1\.\n/);
    expect(historyOf(world, blocked)).toEqual(['blocked']);
    expect(changes(world)).toHaveLength(1);

    await does(world, '/power boot server:web-2', 'ACCEPTED', 'bob');
    await world.panel.clear();
    await answerTo(world, first, ['ACCEPTED']);
    const before = world.discord.messages('bob', 'ops').length;
    await world.discord.click('bob', blocked.id, idOf(blocked, 'Ask again'));
    await world.discord.until(() => {
      const next = world.discord.messages('bob', 'ops')[before];
      return next !== undefined && stateOf(next) === 'SUCCEEDED';
    });
    expect(changes(world).map(({ path }) => path)).toEqual([
      '/servers/101/power/boot',
      '/servers/102/power/boot',
      '/servers/101/firewall/primary/enable?sync=true',
    ]);
  });

  it('20 at once: one is done at a time, and whatever is not done sends nothing', async () => {
    const [sent, effects, entries] = [changes(world).length, world.panel.effects.length, world.ledger().length];
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => world.discord.type('bob', 'ops', '/power boot server:web-3')),
    );
    const cards = await Promise.all(ids.map((id) => answerTo(world, id, ['ACCEPTED', 'BLOCKED'], 'bob')));
    const accepted = cards.filter((card) => stateOf(card) === 'ACCEPTED').length;
    expect(accepted).toBeGreaterThanOrEqual(1);
    expect([changes(world).length - sent, world.panel.effects.length - effects]).toEqual([accepted, accepted]);
    const kinds = world
      .ledger()
      .slice(entries)
      .map(({ kind, outcome }) => outcome ?? kind);
    expect(kinds.filter((kind) => kind === 'accepted')).toHaveLength(accepted);
    expect(kinds.filter((kind) => kind === 'intent')).toHaveLength(accepted);
    expect(kinds.filter((kind) => kind === 'blocked')).toHaveLength(20 - accepted);
  });
});

describe('a ledger that cannot be written', () => {
  const world = worldForAll();

  it('lets nothing change, while reads go on; when it is back, so are changes, and what waited is recorded', async () => {
    const card = await asks(world, '/power restart server:web-2');
    const [file, away] = [join(world.dir, 'ledger.jsonl'), join(world.dir, 'ledger.away')];
    renameSync(file, away);
    const written = await does(world, '/power boot server:web-1', 'UNAVAILABLE');
    expect(textOf(written)).toContain('The ledger cannot be written, so changes are refused.\nNothing was sent.');
    await does(world, '/firewall flush server:web-1', 'UNAVAILABLE');
    const confirm = () => world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    expect(await whisperAfter(world, card, 'alice', confirm)).toMatch(/^UNAVAILABLE .*\nThe ledger cannot be written/);
    world.discord.setRoles('bob', ['lead']);
    const cancel = () => world.discord.click('bob', card.id, idOf(card, 'Cancel'));
    expect(await whisperAfter(world, card, 'bob', cancel)).toContain('UNAVAILABLE');
    expect(messageOf(world, card.id)).toEqual(card);
    expect(changes(world)).toEqual([]);
    await does(world, '/firewall show server:web-1', 'SUCCEEDED');

    renameSync(away, file);
    await does(world, '/power boot server:web-1', 'ACCEPTED');
    expect(changes(world).map(({ path }) => path)).toEqual(['/servers/101/power/boot']);
    await until(() => historyOf(world, written).length === 1, 'the outcome that waited');
    expect(historyOf(world, written)).toEqual(['unavailable']);
    await confirm();
    expect(stateOf(await ended(world, card))).toBe('ACCEPTED');
    expect(historyOf(world, card)).toEqual(['asked', 'confirmed', 'intent', 'accepted', 'follow-up']);
  });
});

describe('a ledger that cannot be written while the panel works', () => {
  it('shows what the panel did, and records it when it can', async () => {
    const world = await startWorld();
    const [file, away] = [join(world.dir, 'ledger.jsonl'), join(world.dir, 'ledger.away')];
    world.panel.order({ kind: 'hang-before', match: { changes: true } });
    const id = await world.discord.type('alice', 'ops', '/firewall enable server:web-1');
    await world.panel.until(() => changes(world).length === 1);
    renameSync(file, away);
    await world.panel.clear();
    const card = await answerTo(world, id, ['SUCCEEDED']);
    renameSync(away, file);
    await until(() => historyOf(world, card).length === 2, 'the outcome that waited');
    expect(historyOf(world, card)).toEqual(['intent', 'succeeded']);
    expect(changes(world)).toHaveLength(1);
    await world.stop();
  });
});

describe('a ledger that is lost', () => {
  const world = worldForAll({ still: true, intervals: { cards: { late: 0 } } });

  const file = (): string => join(world.dir, 'ledger.jsonl');
  const lose = (): void => {
    renameSync(file(), `${file()}.away`);
    writeFileSync(file(), '');
  };
  const find = (): void => {
    rmSync(file());
    renameSync(`${file()}.away`, file());
  };
  const refused = (): number => world.logged().split('cannot record an outcome in the ledger').length;

  it('and found says in the end what became of a change whose card was lost too', async () => {
    world.panel.order({ kind: 'hang-before', match: { changes: true } });
    const id = await world.discord.type('alice', 'ops', '/firewall enable server:web-1');
    const card = await answerTo(world, id, ['WORKING']);
    await until(() => historyOf(world, card).includes('intent'), 'the intent');
    const before = refused();
    lose();
    world.discord.order({ kind: 'status', status: 400, match: { method: 'PATCH', path: '/webhooks/*' }, times: 999 });
    await world.panel.clear();
    await until(() => refused() > before, 'the outcome to wait');
    await until(() => world.logged().includes('cannot edit a card yet: will retry'), 'the edit to fail');
    expect(stateOf(messageOf(world, card.id))).toBe('WORKING');
    find();
    world.discord.clear();
    expect(stateOf(await ended(world, card))).toBe('SUCCEEDED');
    await until(() => historyOf(world, card).length === 2, 'its end to be recorded');
    expect(historyOf(world, card)).toEqual(['intent', 'succeeded']);
    await until(() => openCards(world).length === 0, 'the record to go');
  });
});
