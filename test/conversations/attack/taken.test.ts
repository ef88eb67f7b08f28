import { describe, expect, it } from 'vitest';
import { answerTo, asks, ended, idOf, messageOf, runOf, stateOf, until } from '../../helpers/messages.ts';
import { worldForAll } from '../../helpers/world.ts';

describe('a command by a button, whose first answer was lost on its way back', () => {
  const world = worldForAll();
  const lost = () =>
    world.discord.order({ kind: 'lose-request', by: 'reset', match: { method: 'POST', path: '/interactions/*' } });

  it('is recorded at its own card', async () => {
    const { discord } = world;
    await answerTo(world, await discord.type('alice', 'ops', '/cpu throttle server:web-1 percent:20'), ['SUCCEEDED']);
    const id = await discord.type('alice', 'ops', '/cpu throttle server:web-1 percent:50');
    const first = await answerTo(world, id, ['SUCCEEDED']);
    lost();
    const undo = await discord.click('alice', first.id, idOf(first, 'Undo'));
    const second = await answerTo(world, undo, ['SUCCEEDED']);
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
    expect(stateOf(messageOf(world, blocked.id))).toBe('BLOCKED');
    expect(stateOf(messageOf(world, second.id))).toBe('SUCCEEDED');
  });
});
