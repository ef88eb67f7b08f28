import { afterEach, describe, expect, it } from 'vitest';
import {
  answerTo,
  asks,
  changes,
  ended,
  historyOf,
  idOf,
  labelsOf,
  messageOf,
  stateOf,
  until,
  whispers,
} from '../../helpers/messages.ts';
import { startWorld, worldForAll } from '../../helpers/world.ts';

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

  it('loses its answer to the acknowledgement, which is sent again: the command is done once all the same', async () => {
    const sent = changes(world).length;
    world.discord.order({ kind: 'lose-request', match: callback });
    const id = await world.discord.type('alice', 'ops', '/power boot server:web-1');
    const card = await answerTo(world, id, ['ACCEPTED']);
    expect(historyOf(world, card)).toEqual(['intent', 'accepted', 'follow-up']);
    expect(changes(world)).toHaveLength(sent + 1);
    expect(answersTo(id)).toHaveLength(1);
  });

  it('loses it for good: nothing is sent, and the card says so', async () => {
    const sent = changes(world).length;
    world.discord.order({ kind: 'lose-request', by: 'close', match: callback });
    const id = await world.discord.type('alice', 'ops', '/power boot server:web-1');
    const card = await answerTo(world, id, ['NOT-SENT', 'ACCEPTED']);
    expect(stateOf(card)).toBe('NOT-SENT');
    expect(historyOf(world, card)).toEqual(['not-sent']);
    expect(changes(world)).toHaveLength(sent);
  });

  it('loses the answer to a click: confirmed once, or the click is told that it failed and the question stays', async () => {
    for (const by of ['reset', 'close'] as const) {
      const sent = changes(world).length;
      const card = await asks(world, '/firewall flush server:web-1');
      world.discord.order({ kind: 'lose-request', by, match: callback });
      await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
      const told = await world.discord.until(() => {
        const state = stateOf(messageOf(world, card.id));
        const whisper = whispers(world, card)[0];
        return state === 'SUCCEEDED' ? state : whisper !== undefined && `${state}, ${stateOf(whisper)}`;
      });
      expect(told).toBe(by === 'reset' ? 'SUCCEEDED' : 'QUESTION, NOT-SENT');
      expect(historyOf(world, card)).toEqual(
        by === 'reset' ? ['asked', 'confirmed', 'intent', 'succeeded'] : ['asked'],
      );
      expect(changes(world)).toHaveLength(by === 'reset' ? sent + 1 : sent);
    }
  });

  it('is down between the request and its card: afterwards the card is terminal and true', async () => {
    world.panel.order({ kind: 'hang-before', match: { changes: true } });
    const sent = changes(world).length;
    const id = await world.discord.type('alice', 'ops', '/firewall enable server:web-1');
    await world.panel.until(() => changes(world).length === sent + 1);
    world.discord.order({ kind: 'outage' });
    await world.panel.clear();
    await world.panel.until(() => changes(world).at(-1)?.status === 200);
    await until(() => world.ledger().at(-1)?.outcome === 'succeeded', 'the outcome in the ledger');
    expect(answersTo(id).map(stateOf)).toEqual(['WORKING']);
    world.discord.clear();
    const card = await answerTo(world, id, ['SUCCEEDED']);
    expect(historyOf(world, card)).toEqual(['intent', 'succeeded']);
    expect(changes(world)).toHaveLength(sent + 1);
    // And people are served again.
    await answerTo(world, await world.discord.type('alice', 'ops', '/power boot server:web-1'), ['ACCEPTED']);
  });

  it('refuses to show the question: it is shown again, and confirmed once', async () => {
    const [sent, asked] = [changes(world).length, world.discord.requests.length];
    world.discord.order({ kind: 'status', status: 400, match: edits });
    const id = await world.discord.type('alice', 'ops', '/firewall flush server:web-2');
    const card = await answerTo(world, id, ['QUESTION']);
    expect(world.discord.requests.slice(asked).filter(({ status }) => status === 400)).toHaveLength(1);
    await Promise.all([1, 2].map(() => world.discord.click('alice', card.id, idOf(card, 'Confirm'))));
    expect(stateOf(await ended(world, card))).toBe('SUCCEEDED');
    expect(historyOf(world, card)).toEqual(['asked', 'confirmed', 'intent', 'succeeded']);
    expect(changes(world)).toHaveLength(sent + 1);
  });
});

describe('a Discord that is down when a question runs out', () => {
  it('shows it as expired when it is back, with nothing to confirm', async () => {
    const world = await startWorld({ intervals: { open: { plain: 700, typed: 700 } } });
    const card = await asks(world, '/power restart server:web-1');
    world.discord.order({ kind: 'outage' });
    await until(() => historyOf(world, card).includes('expired'), 'the expiry in the ledger');
    expect(stateOf(messageOf(world, card.id))).toBe('QUESTION');
    world.discord.clear();
    const expired = await ended(world, card);
    expect([stateOf(expired), ...labelsOf(expired)]).toEqual(['EXPIRED', 'Ask again']);
    expect(historyOf(world, card)).toEqual(['asked', 'expired']);
    await world.stop();
  });
});
