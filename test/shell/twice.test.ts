import { expect, it, onTestFinished } from 'vitest';
import type { Card } from '../../src/card.ts';
import { openCardFile } from '../../src/cards/file-store.ts';
import { DiscordUnavailable } from '../../src/outcome.ts';
import { invocationIdOf } from '../../src/runs/ids.ts';
import type { Click } from '../../src/shell/parts.ts';
import { openCards } from '../helpers/ledger/reading.ts';
import { quietLog, until } from '../helpers/messages.ts';
import { openPipeline, replyOf } from '../helpers/run/pipeline.ts';
import { lenientRules, panelOf } from '../helpers/stand-ins.ts';
import { team } from '../helpers/team.ts';

const interaction = { id: '123456789012345678', token: 'token' };

/** A Discord that takes first answers and, while `broken`, no edits. `isStuck`: no record of a card is ever stored. */
async function scene({ isStuck = false } = {}) {
  const card = { shown: '', broken: true, refused: 0 };
  const { dir, ledger, runner, hang, drawAgain, close } = await openPipeline({
    rules: { ...lenientRules, find: () => ({ id: 101, name: 'web-1' }) },
    panel: panelOf({ kind: 'yes', data: { enabled: true } }),
    async openStore(folder) {
      const store = await openCardFile(folder, quietLog);
      return isStuck ? { ...store, put: () => new Promise<never>(() => undefined) } : store;
    },
    edit(_place, { state }) {
      if (card.broken) {
        card.refused += 1;
        return Promise.reject(new Error('503'));
      }
      card.shown = state;
      return Promise.resolve('edited');
    },
  });
  onTestFinished(close);
  let answered = false;
  const reply = {
    ...replyOf('7'),
    acknowledge({ state }: { state: string }) {
      if (!answered) card.shown = state;
      answered = true;
      return Promise.resolve('7');
    },
  };
  return {
    ...{ card, dir, hang, drawAgain },
    /** By a process that was told nothing of the first delivery. */
    deliver: (): Promise<void> =>
      runner().command({
        ...{ interaction, actor: { id: '1', name: 'alice', roles: [] }, place: { guild: 'g', channel: 'c' } },
        ...{ command: 'firewall.enable', options: { server: '101' }, mayReturn: () => Promise.resolve(true), reply },
      }),
    entries: () =>
      ledger
        .entries()
        .slice()
        .map((entry) => (entry.kind === 'outcome' ? entry.outcome : entry.kind)),
  };
}

it('a command that is delivered again while its card waits for Discord is not done again, and its card ends as it should', async () => {
  const { card, dir, deliver, entries } = await scene();
  await deliver();
  await until(() => card.refused > 1, 'edits that Discord refuses');
  expect([card.shown, entries()]).toEqual(['working', ['intent', 'succeeded']]);
  await deliver();
  expect(entries()).toEqual(['intent', 'succeeded']);
  await until(() => openCards({ dir }).join() === invocationIdOf(interaction.id), 'the open card');
  card.broken = false;
  await until(() => openCards({ dir }).length === 0, 'the card to be done');
  expect([card.shown, entries()]).toEqual(['succeeded', ['intent', 'succeeded']]);
});

it('a change whose card a crash would leave WORKING, because a stuck disk or Redis has no record of it, is not begun', async () => {
  const { card, deliver, entries } = await scene({ isStuck: true });
  await deliver();
  expect([card.shown, entries()]).toEqual(['unavailable', ['unavailable']]);
});

it('nor does its card say that it is under way while the ledger hangs as well: after a crash, nobody would end it', async () => {
  const { card, hang, deliver, drawAgain } = await scene({ isStuck: true });
  const appended = hang();
  card.broken = false;
  void deliver();
  await appended;
  await drawAgain(invocationIdOf(interaction.id));
  expect(card.shown).toBe('unavailable');
});

it('of a freeze that is on its way to a ledger that hangs, nobody says at the stop that it is not recorded', async () => {
  const shown: string[] = [];
  const { dir, runner, hang, close } = await openPipeline({
    openStore: (folder) => openCardFile(folder, quietLog),
    edit(_place, { state }) {
      shown.push(state);
      return Promise.resolve('edited');
    },
  });
  onTestFinished(close);
  const bot = runner();
  const appended = hang();
  void bot.command({
    ...{ interaction, actor: { id: '1', name: 'alice', roles: [] }, place: { guild: 'g', channel: 'c' } },
    ...{ command: 'freeze', options: { tier: 'production', reason: 'x' }, reply: replyOf('7') },
    mayReturn: () => Promise.resolve(true),
  });
  await appended;
  await bot.stop(0);
  // The next process finds its card, and what the ledger has by then.
  expect([shown, openCards({ dir })]).toEqual([[], [invocationIdOf(interaction.id)]]);
});

it.each<[string, (reply: Click['reply']) => Click['reply'], boolean]>([
  ['whose first press came too late for Discord', (reply) => ({ ...reply, acknowledge: async () => undefined }), true],
  [
    'whose first press Discord did not answer',
    (reply) => ({ ...reply, acknowledge: () => Promise.reject(new DiscordUnavailable()) }),
    true,
  ],
  ['whose card is there', (reply) => reply, false],
])('a button that asked what is meant, %s, is pressed again', async (_what, first, isNew) => {
  const { ledger, runner, close } = await openPipeline({ rules: { ...lenientRules, team: { ...team, tiers: [] } } });
  onTestFinished(close);
  const { command, click } = runner();
  const said: Card[] = [];
  const reply = { ...replyOf('7'), refuse: async (card: Card) => void said.push(card) };
  const by = { actor: { id: '1', name: 'alice', roles: [] }, mayReturn: () => Promise.resolve(true) };
  const place = { guild: 'g', channel: 'c' };
  await command({ ...by, interaction, place, command: 'freeze', options: { reason: 'x' }, reply });
  const [{ id = '' } = {}] = said[0]?.buttons ?? [];
  const press = (nth: number, how: Click['reply']): Promise<void> =>
    click({
      ...{ ...by, interaction: { id: `12345678901234568${nth}`, token: 't' }, place: { ...place, message: '6' } },
      ...{ button: id, isPrivate: true, offered: true, rolesNow: () => Promise.resolve([]), reply: how },
    });
  await press(1, first(reply));
  expect(ledger.freezes(Date.now())).toHaveLength(isNew ? 0 : 1);
  await press(2, reply);
  expect(ledger.freezes(Date.now())).toHaveLength(1);
  expect(said.slice(1).flatMap(({ fact }) => fact?.markup ?? [])).toEqual(
    isNew ? [] : ['This was already sent: see the card that came of it. Nothing was sent this time.'],
  );
});
