import { describe, expect, test } from 'vitest';
import { knownOf } from '../../src/cards/draw.ts';
import { moved } from '../../src/cards/messages.ts';
import { beside } from '../../src/cards/render/index.ts';
import type { Reaction } from '../helpers/cards/discord.ts';
import { enabling, pass, posted, rest, scene, standingClock } from '../helpers/cards/scene.ts';
import * as story from '../helpers/cards/story.ts';

const { alice, bob, channel, drawParts, ends, follows, jobEnds, openedOf, says, sends, tells, typed } = story;

standingClock();

const elsewhere = '1300000000000000099';

const toSay = ['Check now check', 'Say what happened say', 'Details details'];

/** Alice's change ended unknown, and a message pinged her about it; Discord answers edits of that message so. */
async function told(reaction: Reaction = 'edited', bot = scene()) {
  const { ledger, discord } = await bot;
  const of = posted(discord, typed('off', '/firewall disable server:101 interface:primary sync:yes'));
  await ledger.append([sends(of)]);
  await ledger.append([ends(of, 'unknown', 1, { reason: 'timeout' })]);
  await rest();
  const card = { state: 'unknown' as const, command: '/firewall disable', body: [], run: 'off · outcome' };
  const ping = discord.post({ channel, card, pings: [alice.id] });
  discord.react = ({ message }) => (message === ping ? reaction : 'edited');
  await ledger.append([tells(of, ping)]);
  await rest();
  const buttonsOn = (message = '') =>
    (discord.shown(message)?.buttons ?? []).map(({ label, id }) => `${label} ${id.split(':')[0]}`);
  const linkOn = () => JSON.stringify(discord.shown(of.message ?? '')?.next).includes('The buttons are on');
  return { ledger, discord, of, ping, onPing: () => buttonsOn(ping), onCard: () => buttonsOn(of.message), linkOn };
}

describe('A message that pinged', () => {
  test('has the buttons, and the card a link to it; once it is settled, the card has what is left', async () => {
    const { ledger, of, onPing, onCard, linkOn } = await told();
    expect([onPing(), onCard(), linkOn()]).toEqual([toSay, [], true]);
    await ledger.append([says(of, false, 'seen')]);
    await rest();
    expect([onPing(), onCard(), linkOn()]).toEqual([[], ['Ask again again', 'Details details'], false]);
  });

  test.each<Reaction>(['gone', 'too-old', 'archived', 'refused'])(
    'has none where Discord answers %s: the card keeps them',
    async (reaction) => {
      const { onPing, onCard, linkOn } = await told(reaction);
      expect([onPing(), onCard(), linkOn()]).toEqual([[], toSay, false]);
    },
  );

  test('gets them later where Discord takes the edit later', async () => {
    const { discord, onPing, onCard } = await told('refused');
    discord.react = () => 'edited';
    await pass(60_000);
    await rest();
    expect([onPing(), onCard()]).toEqual([toSay, []]);
  });
});

test('A message that pinged elsewhere says, whenever it is drawn, why it is there', async () => {
  const { ledger, discord } = await scene();
  const of = posted(discord, typed('off', '/firewall disable server:101 interface:primary sync:yes'));
  await ledger.append([sends(of)]);
  await ledger.append([ends(of, 'unknown', 1, { reason: 'timeout' })]);
  const card = { state: 'unknown' as const, command: '/firewall disable', body: [], run: 'off · outcome' };
  const ping = discord.post({ channel: elsewhere, card, pings: [alice.id] });
  const said = tells(of, ping);
  await ledger.append([{ ...said, place: { ...said.place, channel: elsewhere } }]);
  await rest();
  expect(discord.shown(ping)?.body).toContainEqual(moved);
});

test("A reminder's message is drawn, too, and tried again where Discord does not take it", async () => {
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

test('A card names who undid it now, when the job that had undone it first came to nothing', async () => {
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
