import { describe, expect, it, vi } from 'vitest';
import {
  asks,
  changes,
  historyOf,
  idOf,
  messageOf,
  presses,
  stateOf,
  textOf,
  typed,
  whispers,
} from '../../helpers/messages.ts';
import { stageForAll } from '../../helpers/stage.ts';

describe('the program', () => {
  const stage = stageForAll();

  it('goes on after a modal without its field', async () => {
    const bot = await stage.start();
    const asked = await asks(stage, '/backup restore server:web-1 disks:0 reason:x');
    await stage.discord.forge('mallory', asked.id, 'confirm:x.y', { other: 'text' });
    // Nothing was typed, so that nothing is confirmed.
    await stage.discord.until(() => whispers(stage, asked, 'mallory').length > 0);
    expect(historyOf(stage, asked)).toEqual(['asked']);
    await typed(stage, '/panel check', ['SUCCEEDED'], 'carol');
    expect(bot.child.exitCode).toBeNull();
    await bot.end('SIGTERM');
  });

  const again = 'does not begin again what was confirmed before it was killed, however early it is confirmed again';
  it(again, async () => {
    const bot = await stage.start();
    const card = await asks(stage, '/firewall flush server:web-1');
    // Killed between what the first click recorded and the intent: while it looks what is set now.
    stage.panel.order({ kind: 'hang-before', match: { changes: false } });
    const looks = stage.panel.requests.length;
    await presses(stage, card, 'Confirm');
    await stage.panel.until(() => stage.panel.requests.length > looks);
    await bot.end('SIGKILL');
    expect(historyOf(stage, card)).toEqual(['asked', 'confirmed']);
    await stage.panel.clear();

    stage.panel.order({ kind: 'hang-after', match: { changes: true } });
    stage.discord.order({ kind: 'delay', ms: 6_000, match: { method: 'GET', path: '/applications/*' } });
    const starting = stage.start();
    const told = await vi.waitFor(
      async () => {
        await stage.discord.forge('alice', card.id, idOf(card, 'Confirm'));
        // Of the clicks that came before the bot could listen, Discord says after a while that nobody answered.
        const [whisper] = whispers(stage, messageOf(stage, card.id)).filter(({ state }) => state === 'sent');
        if (whisper === undefined) throw new Error('not heard yet');
        return textOf(whisper);
      },
      { timeout: 45_000, interval: 250 },
    );
    expect(told).toContain('`alice` confirmed this');
    await starting;
    await stage.discord.until(() => stateOf(messageOf(stage, card.id)) === 'NOT-SENT');
    expect(historyOf(stage, card)).toEqual(['asked', 'confirmed', 'not-sent']);
    expect(changes(stage)).toEqual([]);
  });
});
