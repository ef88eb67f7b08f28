import { renameSync, writeFileSync } from 'node:fs';
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
  whispers,
} from '../../helpers/messages.ts';
import { worldForAll, worldForEach } from '../../helpers/world.ts';

const callback = { method: 'POST', path: '/interactions/*' };
const edits = { method: 'PATCH', path: '/webhooks/*' };

describe('a Discord that fails', () => {
  // What is queued stays so: it is looked at, and never seen to end.
  const world = worldForAll({ panel: { powerMs: 3_600_000 } });
  afterEach(async () => {
    world.discord.clear();
    await world.panel.clear();
  });
  const answersTo = (id: string) => world.discord.messages('alice', 'ops').filter(({ answers }) => answers === id);
  const boots = () => world.discord.type('alice', 'ops', '/power boot server:web-1');

  it('loses its answer to the acknowledgement, which is sent again: the command is done once all the same', async () => {
    const sent = changes(world).length;
    world.discord.order({ kind: 'lose-request', match: callback });
    const id = await boots();
    const card = await answerTo(world, id, ['ACCEPTED']);
    expect(historyOf(world, card)).toEqual(['intent', 'accepted', 'follow-up']);
    expect([changes(world).length, answersTo(id).length]).toEqual([sent + 1, 1]);
  });

  it('loses it for good: nothing is sent, and the card says so', async () => {
    const sent = changes(world).length;
    world.discord.order({ kind: 'lose-request', by: 'close', match: callback });
    const card = await answerTo(world, await boots(), ['NOT-SENT', 'ACCEPTED']);
    expect(textOf(card)).toMatch(/^NOT-SENT[\s\S]*The connection to Discord broke at the bot's first answer, or/);
    expect(historyOf(world, card)).toEqual(['not-sent']);
    expect(changes(world)).toHaveLength(sent);
  });

  it.each([
    ['reset', 'SUCCEEDED', ['asked', 'confirmed', 'intent', 'succeeded'], 1],
    ['close', 'QUESTION, NOT-SENT', ['asked'], 0],
  ] as const)('loses the answer to a click (%s): %s', async (by, told, history, more) => {
    const sent = changes(world).length;
    const card = await asks(world, '/firewall flush server:web-1');
    world.discord.order({ kind: 'lose-request', by, match: callback });
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    const seen = await world.discord.until(() => {
      const state = stateOf(messageOf(world, card.id));
      const whisper = whispers(world, card)[0];
      return state === 'SUCCEEDED' ? state : whisper !== undefined && `${state}, ${stateOf(whisper)}`;
    });
    expect([seen, historyOf(world, card), changes(world).length]).toEqual([told, history, sent + more]);
  });

  it('is down between the request and its card: afterwards the card is terminal and true', async () => {
    world.panel.order({ kind: 'hang-before', match: { changes: true } });
    const sent = changes(world).length;
    const id = await world.discord.type('alice', 'ops', '/firewall enable server:web-1');
    await world.panel.until(() => changes(world).length === sent + 1);
    world.discord.order({ kind: 'outage' });
    await world.panel.clear();
    await until(() => world.ledger().at(-1)?.outcome === 'succeeded', 'the outcome in the ledger');
    expect(answersTo(id).map(stateOf)).toEqual(['WORKING']);
    world.discord.clear();
    expect(historyOf(world, await answerTo(world, id, ['SUCCEEDED']))).toEqual(['intent', 'succeeded']);
    expect(changes(world)).toHaveLength(sent + 1);
    // And people are served again.
    await answerTo(world, await boots(), ['ACCEPTED']);
  });

  it('refuses to show the question: it is shown again, and confirmed once', async () => {
    const [sent, asked] = [changes(world).length, world.discord.requests.length];
    world.discord.order({ kind: 'status', status: 400, match: edits });
    const card = await asks(world, '/firewall flush server:web-2');
    expect(world.discord.requests.slice(asked).filter(({ status }) => status === 400)).toHaveLength(1);
    await Promise.all([1, 2].map(() => world.discord.click('alice', card.id, idOf(card, 'Confirm'))));
    await ended(world, card);
    expect(historyOf(world, card)).toEqual(['asked', 'confirmed', 'intent', 'succeeded']);
    expect(changes(world)).toHaveLength(sent + 1);
  });
});

describe('a ledger that cannot be written', () => {
  const world = worldForEach({ intervals: { cards: { late: 0 } } });
  const file = (): string => join(world.dir, 'ledger.jsonl');
  const lose = (): void => renameSync(file(), `${file()}.away`);
  const find = (): void => renameSync(`${file()}.away`, file());
  const does = async (line: string, ...states: string[]) =>
    answerTo(world, await world.discord.type('alice', 'ops', line), states);

  it('lets nothing change, while reads go on; when it is back, so are changes, and what waited is recorded', async () => {
    const card = await asks(world, '/power restart server:web-2');
    lose();
    const written = await does('/power boot server:web-1', 'UNAVAILABLE');
    expect(textOf(written)).toContain('The ledger cannot be written, so changes are refused.\nNothing was sent.');
    await does('/firewall flush server:web-1', 'UNAVAILABLE');
    const confirm = () => world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    expect(await whisperAfter(world, card, 'alice', confirm)).toMatch(/^UNAVAILABLE .*\nThe ledger cannot be written/);
    world.discord.setRoles('bob', ['lead']);
    const cancel = () => world.discord.click('bob', card.id, idOf(card, 'Cancel'));
    expect(await whisperAfter(world, card, 'bob', cancel)).toContain('UNAVAILABLE');
    expect([messageOf(world, card.id), changes(world)]).toEqual([card, []]);
    await does('/firewall show server:web-1', 'SUCCEEDED');
    find();
    await does('/power boot server:web-1', 'ACCEPTED');
    expect(changes(world).map(({ path }) => path)).toEqual(['/servers/101/power/boot']);
    await until(() => historyOf(world, written).length === 1, 'the outcome that waited');
    expect(historyOf(world, written)).toEqual(['unavailable']);
    await confirm();
    expect(stateOf(await ended(world, card))).toBe('ACCEPTED');
    expect(historyOf(world, card)).toEqual(['asked', 'confirmed', 'intent', 'accepted', 'follow-up']);
  });

  it.each([
    ['shows what the panel did, and records it when it can', 'SUCCEEDED'],
    ['and whose card Discord does not take says in the end what became of a change', 'WORKING'],
  ])('while the panel works %s', async (_, state) => {
    world.panel.order({ kind: 'hang-before', match: { changes: true } });
    const card = await does('/firewall enable server:web-1', 'WORKING');
    await until(() => historyOf(world, card).includes('intent'), 'the intent');
    lose();
    // A file that others made in its place is not it, either.
    writeFileSync(file(), '');
    if (state === 'WORKING') world.discord.order({ kind: 'status', status: 400, match: edits, times: 999 });
    await world.panel.clear();
    await until(() => world.logged().includes('cannot record an outcome in the ledger'), 'the outcome to wait');
    if (state === 'WORKING')
      await until(() => world.logged().includes('cannot edit a card yet: will retry'), 'the edit to fail');
    await until(() => stateOf(messageOf(world, card.id)) === state, 'the card');
    find();
    world.discord.clear();
    expect(stateOf(await ended(world, card))).toBe('SUCCEEDED');
    await until(() => historyOf(world, card).length === 2, 'its end to be recorded');
    expect(historyOf(world, card)).toEqual(['intent', 'succeeded']);
    expect(changes(world)).toHaveLength(1);
    await until(() => openCards(world).length === 0, 'the record to go');
  });
});
