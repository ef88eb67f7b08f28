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
  runOf,
  stateOf,
  textOf,
  whisperAfter,
  whispers,
} from '../../helpers/messages.ts';
import { unhurried } from '../../helpers/pace.ts';
import { worldForAll } from '../../helpers/world.ts';

const world = worldForAll({ still: true, discord: { deadlines: unhurried } });
afterEach(() => {
  world.discord.clear();
  world.discord.setRoles('alice', ['lead']);
});

/** The requests, effects and ledger entries that come about while something is done. */
async function during(deed: () => Promise<unknown>) {
  const [requests, effects, entries] = [changes(world).length, world.panel.effects.length, world.ledger().length];
  await deed();
  return {
    requests: changes(world)
      .slice(requests)
      .map(({ method, path }) => `${method} ${path}`),
    effects: world.panel.effects.length - effects,
    entries: world
      .ledger()
      .slice(entries)
      .map(({ kind, outcome }) => (kind === 'outcome' ? outcome : kind)),
  };
}
const nothing = { requests: [], effects: 0, entries: [] };
const times = <T>(n: number, one: () => T): T[] => Array.from({ length: n }, one);

describe('many clicks on one question', () => {
  it('50 at once by the requester send one request; the others hear who was faster', async () => {
    const card = await asks(world, '/firewall flush server:web-1');
    const confirm = idOf(card, 'Confirm');
    const came = await during(async () => {
      await Promise.all(times(50, () => world.discord.click('alice', card.id, confirm)));
      await world.discord.until(() => whispers(world, card).length === 49);
      await ended(world, card);
    });
    expect(came).toEqual({
      requests: ['POST /servers/101/firewall/primary/rules?sync=true'],
      effects: 1,
      entries: ['confirmed', 'intent', 'succeeded'],
    });
    expect(historyOf(world, card)).toEqual(['asked', 'confirmed', 'intent', 'succeeded']);
    expect(messageOf(world, card.id).content).toBe('✓ **SUCCEEDED /firewall flush · web-1 (101, production)**');
    for (const whisper of whispers(world, card)) {
      expect(textOf(whisper)).toMatch(/^NOT-SENT .*\n`alice` confirmed this <t:\d+:R>\./);
    }
  });

  it('20 submissions of a form at once start one restore', async () => {
    const card = await asks(world, '/backup restore server:web-1 disks:0 reason:"lost update"');
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    const form = await world.discord.until(() => world.discord.modalOf('alice')?.customId);
    const came = await during(async () => {
      await Promise.all(times(20, () => world.discord.forge('alice', card.id, form, { typed: 'web-1' })));
      await world.discord.until(() => whispers(world, card).length === 19);
      await ended(world, card);
    });
    expect(came).toEqual({
      requests: ['POST /servers/101/backupManager/restore'],
      effects: 1,
      entries: ['confirmed', 'intent', 'accepted', 'follow-up'],
    });
  });

  it('a click that is delivered twice counts once, and so does a command', async () => {
    world.discord.order({ kind: 'deliver-twice' });
    const came = await during(async () => {
      const card = await asks(world, '/power restart server:web-2');
      world.discord.order({ kind: 'deliver-twice' });
      await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
      expect(stateOf(await ended(world, card))).toBe('ACCEPTED');
      world.discord.order({ kind: 'deliver-twice' });
      await answerTo(world, await world.discord.type('alice', 'ops', '/power boot server:web-3'), ['ACCEPTED']);
    });
    expect(came).toEqual({
      requests: ['POST /servers/102/power/restart', 'POST /servers/103/power/boot'],
      effects: 2,
      entries: ['asked', 'confirmed', 'intent', 'accepted', 'follow-up', 'intent', 'accepted', 'follow-up'],
    });
  });

  it('of Confirm and Cancel at once one wins, and card and ledger agree which', async () => {
    for (const server of ['web-1', 'web-2', 'web-3', 'web-1', 'web-2', 'web-3']) {
      const card = await asks(world, `/power shutdown server:${server}`);
      const [confirm, cancel] = [idOf(card, 'Confirm'), idOf(card, 'Cancel')];
      const heard = () => whispers(world, card).length + whispers(world, card, 'bob').length;
      const came = await during(async () => {
        const first = () => world.discord.click('alice', card.id, confirm);
        const second = () => world.discord.click('bob', card.id, cancel);
        await Promise.all(server === 'web-2' ? [second(), first()] : [first(), second()]);
        await world.discord.until(() => heard() === 1);
        await ended(world, card);
      });
      const state = stateOf(messageOf(world, card.id));
      expect(['ACCEPTED', 'CANCELLED']).toContain(state);
      expect(historyOf(world, card)).toEqual(
        state === 'ACCEPTED' ? ['asked', 'confirmed', 'intent', 'accepted', 'follow-up'] : ['asked', 'cancelled'],
      );
      expect(came.effects).toBe(state === 'ACCEPTED' ? 1 : 0);
      expect(came.requests).toHaveLength(came.effects);
      expect(labelsOf(messageOf(world, card.id))).toEqual(state === 'ACCEPTED' ? ['Undo'] : []);
    }
  });
});

describe('a click that does not count', () => {
  it('with an altered id, seal or kind', async () => {
    const card = await asks(world, '/firewall disable server:web-1');
    const other = await asks(world, '/firewall disable server:web-2');
    const [id = '', seal = ''] = idOf(card, 'Confirm').replace('confirm:', '').split('.');
    const [, otherSeal = ''] = idOf(other, 'Confirm').split('.');
    const forged = [
      `confirm:${'A'.repeat(22)}.${seal}`,
      `confirm:${id}.${'A'.repeat(22)}`,
      `confirm:${id}.${seal.slice(0, -1)}`,
      `confirm:${id}.${otherSeal}`,
      `confirm:${id}`,
      `confirm:${id}.`,
      'confirm:',
      `again:${id}.${seal}`,
      `again:${runOf(card)}`,
      `apply:${id}.${seal}`,
      `apply:${runOf(card)}`,
      `run:${id}.${seal}`,
      `page:${id}.${seal}`,
      `page:firewall.disable?server=web-1&part=0`,
      'constructor:x',
      'nothing',
    ];
    const came = await during(async () => {
      for (const customId of forged) {
        const text = await whisperAfter(world, card, 'alice', () => world.discord.forge('alice', card.id, customId));
        expect(text, customId).toMatch(/^(NOT-SENT|INVALID) /);
      }
    });
    expect(came).toEqual(nothing);
    expect(messageOf(world, card.id)).toEqual(card);
  });
});
