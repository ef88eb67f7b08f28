import { describe, expect, it } from 'vitest';
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
  until,
  whisperAfter,
  whispers,
} from '../../helpers/messages.ts';
import { unhurried } from '../../helpers/pace.ts';
import { openWorld, worldForAll } from '../../helpers/world.ts';

const confirmed = ['asked', 'confirmed', 'intent', 'succeeded'];
const accepted = ['asked', 'confirmed', 'intent', 'accepted', 'follow-up'];
const times = <T>(n: number, one: () => T): T[] => Array.from({ length: n }, one);

describe('many clicks on one question', () => {
  const world = worldForAll({ still: true, discord: { deadlines: unhurried } });

  /** The requests and effects that come about while something is done. */
  async function during(deed: () => Promise<unknown>): Promise<[requests: string[], effects: number]> {
    const [requests, effects] = [changes(world).length, world.panel.effects.length];
    await deed();
    const sent = changes(world).slice(requests);
    return [sent.map(({ method, path }) => `${method} ${path}`), world.panel.effects.length - effects];
  }

  it('50 at once by the requester send one request; the others hear who was faster', async () => {
    const card = await asks(world, '/firewall flush server:web-1');
    const came = await during(async () => {
      await Promise.all(times(50, () => world.discord.click('alice', card.id, idOf(card, 'Confirm'))));
      await world.discord.until(() => whispers(world, card).length === 49);
      await ended(world, card);
    });
    expect(came).toEqual([['POST /servers/101/firewall/primary/rules?sync=true'], 1]);
    expect(historyOf(world, card)).toEqual(confirmed);
    expect(messageOf(world, card.id).content).toBe('✓ **SUCCEEDED /firewall flush · web-1 (101, production)**');
    for (const whisper of whispers(world, card))
      expect(textOf(whisper)).toMatch(/^NOT-SENT .*\n`alice` confirmed this <t:\d+:R>\./);
  });

  it('20 submissions of a form at once start one restore, also where the bot was restarted while it was open', async () => {
    const card = await asks(world, '/backup restore server:web-1 disks:0 reason:"lost update"');
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    const form = await world.discord.until(() => world.discord.modalOf('alice')?.customId);
    await world.restart();
    const came = await during(async () => {
      await Promise.all(times(20, () => world.discord.forge('alice', card.id, form, { typed: 'web-1' })));
      await world.discord.until(() => whispers(world, card).length === 19);
      await ended(world, card);
    });
    expect(came).toEqual([['POST /servers/101/backupManager/restore'], 1]);
    expect(historyOf(world, card)).toEqual(accepted);
  });

  it('one that is delivered twice counts once, and so does a command', async () => {
    const twice = () => world.discord.order({ kind: 'deliver-twice' });
    const came = await during(async () => {
      twice();
      const card = await asks(world, '/power restart server:web-2');
      twice();
      await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
      await ended(world, card);
      expect(historyOf(world, card)).toEqual(accepted);
      twice();
      const typed = await world.discord.type('alice', 'ops', '/power boot server:web-3');
      expect(historyOf(world, await answerTo(world, typed, ['ACCEPTED']))).toEqual(accepted.slice(2));
    });
    expect(came).toEqual([['POST /servers/102/power/restart', 'POST /servers/103/power/boot'], 2]);
  });

  it('of Confirm and Cancel at once one wins, and card and ledger agree which', async () => {
    for (const server of ['web-1', 'web-2', 'web-3', 'web-1', 'web-2', 'web-3']) {
      const card = await asks(world, `/power shutdown server:${server}`);
      const heard = () => whispers(world, card).length + whispers(world, card, 'bob').length;
      const [requests, effects] = await during(async () => {
        const first = () => world.discord.click('alice', card.id, idOf(card, 'Confirm'));
        const second = () => world.discord.click('bob', card.id, idOf(card, 'Cancel'));
        await Promise.all(server === 'web-2' ? [second(), first()] : [first(), second()]);
        await world.discord.until(() => heard() === 1);
        await ended(world, card);
      });
      const now = messageOf(world, card.id);
      const isDone = stateOf(now) === 'ACCEPTED';
      expect([stateOf(now), requests.length, effects, historyOf(world, card), labelsOf(now)]).toEqual(
        isDone ? ['ACCEPTED', 1, 1, accepted, ['Undo']] : ['CANCELLED', 0, 0, ['asked', 'cancelled'], []],
      );
    }
  });

  it('one with an altered id, seal or kind does not count', async () => {
    const card = await asks(world, '/firewall disable server:web-1');
    const other = await asks(world, '/firewall disable server:web-2');
    const [id = '', seal = ''] = idOf(card, 'Confirm').replace('confirm:', '').split('.');
    const [, otherSeal = ''] = idOf(other, 'Confirm').split('.');
    const run = runOf(card);
    const seals = [
      `${'A'.repeat(22)}.${seal}`,
      `${id}.${'A'.repeat(22)}`,
      `${id}.${seal.slice(0, -1)}`,
      `${id}.${otherSeal}`,
    ];
    const forged = [...seals, id, `${id}.`, ''].map((each) => `confirm:${each}`);
    for (const kind of ['again', 'apply', 'run', 'page']) forged.push(`${kind}:${id}.${seal}`, `${kind}:${run}`);
    const before = world.ledger().length;
    const came = await during(async () => {
      for (const customId of [...forged, 'page:firewall.disable?server=web-1&part=0', 'constructor:x', 'nothing']) {
        const text = await whisperAfter(world, card, 'alice', () => world.discord.forge('alice', card.id, customId));
        expect(text, customId).toMatch(/^(NOT-SENT|INVALID) /);
      }
    });
    expect([came, world.ledger().length, messageOf(world, card.id)]).toEqual([[[], 0], before, card]);
  });
});

describe('two changes on one server at once', () => {
  const world = worldForAll({ still: true });
  const does = async (line: string, state: string) =>
    answerTo(world, await world.discord.type('bob', 'ops', line), [state], 'bob');

  it('the second is blocked, names who is at it, and sends nothing; asked again later it is done', async () => {
    world.panel.order({ kind: 'hang-before', match: { changes: true } });
    const first = await world.discord.type('alice', 'ops', '/power boot server:web-1');
    await world.panel.until(() => changes(world).length === 1);
    const blocked = await does('/firewall enable server:101', 'BLOCKED');
    expect(blocked.content).toBe('⊠ **BLOCKED /firewall enable · web-1 (101, production)**');
    expect(textOf(blocked)).toMatch(/`alice` .*`\/power boot`.* <t:\d+:R>, run \w+\.1\.\n/);
    expect(historyOf(world, blocked)).toEqual(['blocked']);
    expect(changes(world)).toHaveLength(1);
    await does('/power boot server:web-2', 'ACCEPTED');
    await world.panel.clear();
    await answerTo(world, first, ['ACCEPTED']);
    const again = await world.discord.click('bob', blocked.id, idOf(blocked, 'Ask again'));
    await answerTo(world, again, ['SUCCEEDED'], 'bob');
    expect(changes(world).map(({ path }) => path)).toEqual([
      '/servers/101/power/boot',
      '/servers/102/power/boot',
      '/servers/101/firewall/primary/enable?sync=true',
    ]);
  });

  it('20 at once: one is done at a time, and whatever is not done sends nothing', async () => {
    const [sent, effects, entries] = [changes(world).length, world.panel.effects.length, world.ledger().length];
    const ids = await Promise.all(times(20, () => world.discord.type('bob', 'ops', '/power boot server:web-3')));
    const cards = await Promise.all(ids.map((id) => answerTo(world, id, ['ACCEPTED', 'BLOCKED'], 'bob')));
    const done = cards.filter((card) => stateOf(card) === 'ACCEPTED').length;
    expect(done).toBeGreaterThanOrEqual(1);
    expect([changes(world).length - sent, world.panel.effects.length - effects]).toEqual([done, done]);
    const kinds = world
      .ledger()
      .slice(entries)
      .map(({ kind, outcome }) => outcome ?? kind);
    const count = (kind: string) => kinds.filter((each) => each === kind).length;
    expect(['accepted', 'intent', 'blocked'].map(count)).toEqual([done, done, 20 - done]);
  });
});

describe('a question', () => {
  it('that nobody answers in time says so, and offers to ask again, which goes the full way again', async () => {
    const world = await openWorld({ intervals: { open: { plain: 600, typed: 600 } } });
    const line = '/firewall flush server:web-1 reason:"locked out"';
    const card = await answerTo(world, await world.discord.type('alice', 'ops', line), ['EXPIRED']);
    expect(card.content).toBe('◷ **EXPIRED /firewall flush · web-1 (101, production)**');
    expect(textOf(card)).toContain('Reason: `locked out`');
    expect(labelsOf(card)).toEqual(['Ask again']);
    const again = await world.discord.click('alice', card.id, idOf(card, 'Ask again'));
    const next = await answerTo(world, again, ['EXPIRED']);
    expect([card, next].map((each) => historyOf(world, each))).toEqual(times(2, () => ['asked', 'expired']));
    const asked = { options: { reason: 'locked out' }, facts: { enabled: true, rules: 4 } };
    expect(world.ledger().filter(({ kind }) => kind === 'asked')).toMatchObject([asked, asked]);
    expect(changes(world)).toEqual([]);
  });

  it('whose time is over while the bot is down, or Discord, is shown as expired afterwards, with nothing to confirm', async () => {
    // Nobody looks for what has run out, but a start.
    const world = await openWorld({ intervals: { open: { plain: 1, typed: 1 }, recover: 3_600_000 } });
    const card = await asks(world, '/backup restore server:web-2 disks:0 reason:test');
    await world.restart();
    const other = await openWorld({ intervals: { open: { plain: 700, typed: 700 } } });
    const late = await asks(other, '/power restart server:web-1');
    other.discord.order({ kind: 'outage' });
    await until(() => historyOf(other, late).includes('expired'), 'the expiry in the ledger');
    expect(stateOf(messageOf(other, late.id))).toBe('QUESTION');
    other.discord.clear();
    for (const [at, question] of [
      [world, card],
      [other, late],
    ] as const) {
      const expired = await ended(at, question);
      expect([stateOf(expired), ...labelsOf(expired)]).toEqual(['EXPIRED', 'Ask again']);
      expect(historyOf(at, question)).toEqual(['asked', 'expired']);
      expect(changes(at)).toEqual([]);
    }
  });

  it('over a restart of the bot, whose Redis comes back empty, stays open, and is confirmed once', async () => {
    const world = await openWorld({ still: true });
    const card = await asks(world, '/firewall disable server:web-1,web-2 reason:"a word with `ticks` and ümläuts"');
    await world.restart();
    expect(messageOf(world, card.id)).toEqual(card);
    await Promise.all(times(5, () => world.discord.click('alice', card.id, idOf(card, 'Confirm'))));
    expect((await ended(world, card)).content).toBe('✓ **SUCCEEDED /firewall disable · 2 servers**');
    expect(changes(world)).toHaveLength(2);
    expect(historyOf(world, card).join(' ')).toBe('asked asked confirmed confirmed intent succeeded intent succeeded');
  });
});
