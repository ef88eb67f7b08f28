import { describe, expect, it } from 'vitest';
import { announced, following, pingsOf, power, seenOnce, sharedFollowing } from '../../helpers/follow-ups/story.ts';
import { idOf, labelsOf, messageOf, stateOf, textOf, until } from '../../helpers/messages.ts';

describe('the card of a follow-up', () => {
  const world = sharedFollowing();

  it('offers to undo a shutdown to its end and after it, which pings nobody', async () => {
    const card = await power(world(), 'shutdown server:web-1');
    expect(labelsOf(card)).toEqual(['Undo']);
    const finished = await seenOnce(world(), card.id, (text) => text.startsWith('FINISHED'));
    expect(labelsOf(finished)).toEqual(['Undo']);
    await announced(world(), card);
    expect(pingsOf(world(), card)).toEqual([]);
    await world().discord.click('bob', card.id, idOf(finished, 'Undo'));
    const undone = await seenOnce(world(), card.id, (text) => text.includes('Undone since, by <@'));
    expect([stateOf(undone), labelsOf(undone)]).toEqual(['FINISHED', []]);
    expect(world().panel.effects.at(-1)?.path).toBe('/servers/101/power/boot');
  });

  it('still offers Undo if nobody saw how the first undo ended', async () => {
    const blind = await following({ followUps: { deadline: 2_000 } });
    const card = await power(blind, 'shutdown server:cache-1 remind:30m');
    await announced(blind, card);
    blind.panel.order({ kind: 'status-before', status: 500, match: { path: '/queue/' }, times: 0 });
    await blind.discord.click('bob', card.id, idOf(messageOf(blind, card.id), 'Undo'));
    await seenOnce(blind, card.id, (text) => text.includes('Undo accepted, by <@'));
    const again = await seenOnce(blind, card.id, (text) => !text.includes('Undo accepted'));
    expect(textOf(again)).not.toContain('Undone since');
    expect(labelsOf(again)).toEqual(['Undo']);
    expect(blind.ledger().at(-1)?.command).toBe('power.boot');
    expect(await blind.alice.types('/handover')).toContain('shut down');
    blind.timePasses(31 * 60_000);
    const reminded = () => blind.ledger().find(({ kind }) => kind === 'reminded');
    expect((await until(reminded, 'the reminder')).place.message).toBeDefined();
  });
});
