import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
  until,
  whisperAfter,
} from '../../helpers/messages.ts';
import { worldForAll } from '../../helpers/world.ts';

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

  it('does not take a Cancel that it cannot record: the question is open, and stays so', async () => {
    const card = await asks(world, '/backup restore server:web-1 disks:0 reason:x');
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    await world.discord.until(() => world.discord.modalOf('alice'));
    world.discord.setRoles('bob', ['lead']);
    const sent = changes(world).length;
    lose();
    const cancel = () => world.discord.click('bob', card.id, idOf(card, 'Cancel'));
    const told = await whisperAfter(world, card, 'bob', cancel);
    expect(told).toContain('UNAVAILABLE');
    expect(told).toContain('The ledger cannot be written, so changes are refused.');
    await world.app.stop();
    find();
    await world.restart();
    expect(stateOf(messageOf(world, card.id))).toBe('QUESTION');
    await cancel();
    await world.discord.until(() => stateOf(messageOf(world, card.id)) === 'CANCELLED');
    const late = await whisperAfter(world, card, 'alice', () => world.discord.submit('alice', 'web-1'));
    expect(late).toContain('`bob` cancelled this');
    expect(historyOf(world, card)).toEqual(['asked', 'cancelled']);
    expect(changes(world)).toHaveLength(sent);
  });
});
