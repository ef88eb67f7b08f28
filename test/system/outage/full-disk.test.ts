import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  answerTo,
  asks,
  changes,
  historyOf,
  idOf,
  messageOf,
  stateOf,
  textOf,
  until,
  whisperAfter,
} from '../../helpers/messages.ts';
import { type BotProcess, chainIn, openStage, type Stage } from '../../helpers/stage.ts';
import { canFillDisk, limitFiles } from '../../soak/bot.ts';

/** Left out where no disk can be made full for one process: that takes prlimit (util-linux). */
describe.skipIf(!canFillDisk)('a process whose disk is full', () => {
  let stage: Stage;
  let bot: BotProcess;
  beforeEach(async () => {
    stage = await openStage();
    bot = await stage.start();
  });
  afterEach(() => stage.stop());

  /** No file of the bot's grows any more. */
  const fill = (): boolean => limitFiles(bot.pid, 0);
  const makeRoom = (): boolean => limitFiles(bot.pid, 'unlimited');
  const answersTo = (id: string) => stage.discord.messages('alice', 'ops').find(({ answers }) => answers === id);

  async function crash(): Promise<void> {
    await bot.end('SIGKILL');
    stage.discord.clear();
    bot = await stage.start();
  }

  it('never shows WORKING of a change that nobody would know of after a crash; reads go on', async () => {
    fill();
    // Whatever becomes of it later, the first answer is all that Discord takes.
    stage.discord.order({ kind: 'delay', ms: 600_000, match: { method: 'PATCH', path: '/webhooks/*' } });
    const typed: string[] = [];
    for (const line of [
      '/power boot server:web-1',
      '/firewall flush server:web-1',
      '/follow-ups stop server:web-1',
      '/incident start title:x',
    ])
      typed.push(await stage.discord.type('alice', 'ops', line));
    const cards = await Promise.all(typed.map((id) => stage.discord.until(() => answersTo(id))));
    expect(cards.map(stateOf)).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE']);
    expect(textOf(cards[0] ?? expect.fail('no card')).replace(/run \w+$/, 'run R')).toMatchInlineSnapshot(`
      "UNAVAILABLE /power boot · web-1 (101, production)
      The bot cannot record that this is under way, so changes are refused. Nothing was sent.
      Tell whoever runs the bot: the disk of its DATA_DIR, or its Redis, may be full or broken. Reads still work.
      run R"
    `);
    stage.discord.clear();
    const read = await stage.discord.type('carol', 'ops', '/firewall show server:web-1');
    await answerTo(stage, read, ['SUCCEEDED'], 'carol');

    await crash();
    const now = await stage.discord.type('alice', 'ops', '/power boot server:web-2');
    await answerTo(stage, now, ['ACCEPTED']);
    expect(cards.map(({ id }) => stateOf(messageOf(stage, id)))).toEqual(cards.map(() => 'UNAVAILABLE'));
    expect(changes(stage).map(({ path }) => path)).toEqual(['/servers/102/power/boot']);
  });

  it('changes again as soon as there is room, and says of what it turned away that it did', async () => {
    fill();
    const early = await stage.discord.type('alice', 'ops', '/power boot server:web-1');
    const card = await answerTo(stage, early, ['UNAVAILABLE']);
    makeRoom();
    await until(() => historyOf(stage, card).includes('unavailable'), 'its end to be recorded');
    const late = await stage.discord.type('alice', 'ops', '/power boot server:web-2');
    await answerTo(stage, late, ['ACCEPTED']);
    expect(historyOf(stage, card)).toEqual(['unavailable']);
    expect(changes(stage).map(({ path }) => path)).toEqual(['/servers/102/power/boot']);
    expect(chainIn(stage.dir)).toBe(true);
  });

  it('shows nothing as cancelled before that is recorded: a Confirm of long ago does not bring it back', async () => {
    const card = await asks(stage, '/firewall flush server:web-1');
    const [confirm, cancel] = [idOf(card, 'Confirm'), idOf(card, 'Cancel')];
    const unrecorded: string[] = [];
    stage.discord.changed(() => {
      const isShown = stateOf(messageOf(stage, card.id)) === 'CANCELLED';
      if (isShown && !historyOf(stage, card).includes('cancelled')) unrecorded.push('CANCELLED');
    });
    fill();
    const told = await whisperAfter(stage, card, 'alice', () => stage.discord.click('alice', card.id, cancel));
    expect(told).toContain('UNAVAILABLE');
    await crash();
    expect(stateOf(messageOf(stage, card.id))).toBe('QUESTION');
    expect(historyOf(stage, card)).toEqual(['asked']);

    await stage.discord.click('alice', card.id, cancel);
    await stage.discord.until(() => stateOf(messageOf(stage, card.id)) === 'CANCELLED');
    await crash();
    // A client that still shows the question.
    const late = await whisperAfter(stage, card, 'alice', () => stage.discord.forge('alice', card.id, confirm));
    expect(late).toContain('`alice` cancelled this');
    expect(stateOf(messageOf(stage, card.id))).toBe('CANCELLED');
    expect(historyOf(stage, card)).toEqual(['asked', 'cancelled']);
    expect(unrecorded).toEqual([]);
    expect(changes(stage)).toEqual([]);
  });
});
