import { describe, expect, test } from 'vitest';
import type { Reaction } from '../helpers/cards/discord.ts';
import { pass, posted, rest, scene, standingClock } from '../helpers/cards/scene.ts';
import * as story from '../helpers/cards/story.ts';

const { alice, channel, ends, says, sends, tells, typed } = story;

standingClock();

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
