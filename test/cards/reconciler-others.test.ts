import { describe, expect, test } from 'vitest';
import { knownOf } from '../../src/cards/draw.ts';
import { beside } from '../../src/cards/render/index.ts';
import { disable, enable, enabling, pass, posted, rest, scene, standingClock } from '../helpers/cards/scene.ts';
import * as story from '../helpers/cards/story.ts';

const { alice, bob, channel, drawParts, ends, follows, jobEnds, openedOf, sends, typed } = story;

standingClock();

describe('Other cards', () => {
  test('say what became of them when the command that did it is over on all its servers', async () => {
    const { ledger, discord } = await scene();
    const off = posted(discord, disable);
    const on = posted(discord, enable);
    await ledger.append([sends(off, 1), sends(off, 2)]);
    await ledger.append([ends(off, 'succeeded', 1, enabling(101)), ends(off, 'succeeded', 2, enabling(102))]);
    await ledger.append([sends(on, 1), sends(on, 2)]);
    await ledger.append([ends(on, 'succeeded', 1)]);
    await rest();
    const said = () => story.wordsOf(discord.shown(off.message ?? '') ?? { state: 'working', command: '', body: [] });
    expect(said()).toContain('[Undo: enable firewall of web-2] undo:off');
    await ledger.append([ends(on, 'succeeded', 2)]);
    await rest();
    expect(said()).toContain('Undone since, by <@1100000000000000002>: see the newer card.');
  });

  test('say that they were applied', async () => {
    const { ledger, discord } = await scene();
    const off = posted(discord, typed('off', '/firewall disable server:101 interface:primary sync:no'));
    const sync = posted(discord, typed('sync', '/firewall sync server:101 interface:primary', { by: bob }));
    await ledger.append([sends(off)]);
    await ledger.append([ends(off, 'accepted', 1, enabling(101))]);
    await ledger.append([sends(sync)]);
    await ledger.append([ends(sync, 'succeeded')]);
    await rest();
    expect(story.wordsOf(discord.shown(off.message ?? '') ?? story.firstCard('off', openedOf(off)))).toContain(
      'Applied since, by <@1100000000000000002>: see the newer card.',
    );
  });

  test('name who undid it now, when the job that had undone it first came to nothing', async () => {
    const { ledger, discord } = await scene();
    const shutdown = posted(discord, typed('down', '/power shutdown server:101'));
    const boots = ['up', 'upagain'].map((id) =>
      posted(discord, typed(id, '/power boot server:101', { by: id === 'up' ? alice : bob })),
    );
    await ledger.append([sends(shutdown)]);
    await ledger.append([ends(shutdown, 'accepted')]);
    for (const boot of boots) {
      await ledger.append([sends(boot)]);
      await ledger.append([ends(boot, 'accepted'), follows(boot, 4)]);
    }
    await rest();
    const said = () =>
      story.wordsOf(discord.shown(shutdown.message ?? '') ?? story.firstCard('down', openedOf(shutdown)));
    expect(said()).toContain('Undo accepted, by <@1100000000000000001>: see the newer card.');
    await ledger.append([jobEnds(boots[0] ?? shutdown, 'failed')]);
    await rest();
    expect(said()).toContain('Undo accepted, by <@1100000000000000002>: see the newer card.');
  });

  test("the reminder's message is drawn, too, and tried again where Discord does not take it", async () => {
    const { ledger, discord } = await scene();
    const off = posted(discord, typed('off', '/firewall disable server:101 interface:primary sync:yes'));
    const on = posted(discord, typed('on', '/firewall enable server:101 interface:primary sync:yes', { by: bob }));
    await ledger.append([sends(off)]);
    await ledger.append([ends(off, 'succeeded', 1, { ...enabling(101), remind: '2026-11-20T08:00:00.000Z' })]);
    const known = knownOf(drawParts(ledger), 'off');
    const card = known && beside.reminder(known, drawParts(ledger));
    const reminder = discord.post({ channel, card: card ?? story.firstCard('off', openedOf(off)), pings: [alice.id] });
    await ledger.append([story.reminds(off, reminder)]);
    await rest();
    await ledger.append([sends(on)]);
    // The card itself is too old for good.
    discord.react = ({ message }) => (message === off.message || message === reminder ? 'too-old' : 'edited');
    await ledger.append([ends(on, 'succeeded')]);
    await rest();
    discord.react = ({ message }) => (message === off.message ? 'too-old' : 'edited');
    await pass(200);
    expect(story.wordsOf(discord.shown(reminder) ?? story.firstCard('off', openedOf(off)))).toEqual([
      'REMINDER /firewall disable · web-1 (101, production)',
      'Nothing is left to undo.',
      'Undone since, by <@1100000000000000002>: see the newer card.',
      'run off · reminder',
    ]);
  });
});
