import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commands } from '../../commands/index.ts';
import { cardRenderer } from '../../src/app/cards.ts';
import type { Threads } from '../../src/cards/closed-thread.ts';
import { openCardFile } from '../../src/cards/file-store.ts';
import type { Messages } from '../../src/cards/messages.ts';
import { createSeal } from '../../src/cards/seal.ts';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import { invocationIdOf } from '../../src/runs/ids.ts';
import { createRunner } from '../../src/shell/index.ts';
import type { Invocation, Parts } from '../../src/shell/parts.ts';
import { quietLog, until } from '../helpers/messages.ts';
import { openCards } from '../helpers/open-cards.ts';
import { followUpsOf, lenientRules, panelOf, quiet } from '../helpers/stand-ins.ts';

const interaction = { id: '123456789012345678', token: 'token' };

const rules: Parts['rules'] = { ...lenientRules, find: () => ({ id: 101, name: 'web-1' }) };

/** The pipeline with a real ledger and real cards, and a Discord that takes first answers and, while `broken`, no edits. `isStuck`: no record of a card is ever stored. */
async function openPipeline({ isStuck = false } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'panelops-twice-'));
  const ledger = await openFileLedger({ dir, log: quietLog });
  const store = await openCardFile(dir, quietLog);
  const cardStore = isStuck ? { ...store, put: () => new Promise<never>(() => undefined) } : store;
  const card = { shown: '', broken: true, refused: 0 };
  const messages: Messages = {
    onOverwritten: () => undefined,
    onGap: () => undefined,
    edit(_place, { state }) {
      if (card.broken) {
        card.refused += 1;
        return Promise.reject(new Error('503'));
      }
      card.shown = state;
      return Promise.resolve('edited');
    },
    reply: () => Promise.reject(new Error('nothing is posted here')),
    find: () => Promise.resolve(undefined),
  };
  const all = { ledger, rules, seal: createSeal('token'), log: quietLog, now: Date.now };
  const threads: Threads = {
    reads: () => Promise.resolve(true),
    whisper: () => Promise.resolve(),
    onOpened: () => undefined,
  };
  const discord = { messages, threads, recipients: () => [], elsewhere: () => [] };
  const renderer = cardRenderer({
    ...all,
    ...discord,
    cardStore,
    pace: { looks: 0, retry: 1, late: 0 },
    lookOf: () => undefined,
    canLook: () => false,
  });
  let answered = false;
  const parts: Parts = {
    ...all,
    ...quiet,
    ...renderer,
    commands,
    panel: panelOf({ kind: 'yes', data: { enabled: true } }),
    followUps: followUpsOf(),
    limits: { open: { plain: 1, typed: 1 } },
    rolesNow: () => Promise.resolve([]),
  };
  onTestFinished(async () => {
    await renderer.cards.close(0);
    await cardStore.close();
    await ledger.close();
    rmSync(dir, { recursive: true });
  });
  const reply: Invocation['reply'] = {
    refuse: () => Promise.resolve(),
    think: () => Promise.resolve(true),
    show: () => Promise.resolve('shown'),
    ask: () => Promise.resolve(),
    acknowledge({ state }) {
      if (!answered) card.shown = state;
      answered = true;
      return Promise.resolve('7');
    },
  };
  return {
    card,
    dir,
    /** By a process that was told nothing of the first delivery. */
    deliver: (): Promise<void> =>
      createRunner(parts).command({
        interaction,
        actor: { id: '1', name: 'alice', roles: [] },
        place: { guild: 'g', channel: 'c' },
        command: 'firewall.enable',
        options: { server: '101' },
        mayReturn: () => Promise.resolve(true),
        reply,
      }),
    entries: () =>
      ledger
        .entries()
        .slice()
        .map((entry) => (entry.kind === 'outcome' ? entry.outcome : entry.kind)),
  };
}

it('a command that is delivered again while its card waits for Discord is not done again, and its card ends as it should', async () => {
  const { card, dir, deliver, entries } = await openPipeline();
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
  const { card, deliver, entries } = await openPipeline({ isStuck: true });
  await deliver();
  expect([card.shown, entries()]).toEqual(['unavailable', ['unavailable']]);
});
