import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commands } from '../commands/index.ts';
import { openFileLedger } from '../src/ledger/file-store.ts';
import { openCardStore } from '../src/ledger/open-cards.ts';
import { createRunner } from '../src/run/index.ts';
import type { Invocation, Parts } from '../src/run/parts.ts';
import { quietLog } from './races.ts';
import { followUpsOf, panelOf, quiet } from './stand-ins.ts';

const unused = (): never => {
  throw new Error('no question is asked here');
};

const rules: Parts['rules'] = {
  channels: [],
  answersIn: () => true,
  decide: () => ({ allowed: true, role: 'lead', by: '*' }),
  requirements: () => ({ confirm: false, typed: false, reason: false }),
  limit: () => undefined,
  find: () => ({ id: 101, name: 'web-1' }),
  suggest: () => [],
  roleName: () => undefined,
};

/** The first one has it. */
function claims(): Parts['locks'] {
  const taken = new Map<string, string>();
  return {
    claim(interaction, owner) {
      if (taken.has(interaction)) return Promise.resolve(false);
      taken.set(interaction, owner);
      return Promise.resolve(true);
    },
    claimant: (interaction) => Promise.resolve(taken.get(interaction)),
    lease: () => Promise.resolve({ held: { release: () => Promise.resolve(), lost: () => false } }),
  };
}

/** The corridor with a real ledger and a real folder of open cards, and a Discord that takes first answers and, while `broken`, no edits. */
async function openCorridor() {
  const dir = mkdtempSync(join(tmpdir(), 'panelops-twice-'));
  const ledger = await openFileLedger({ dir, log: quietLog });
  onTestFinished(async () => {
    await ledger.close();
    rmSync(dir, { recursive: true });
  });
  const card = { shown: '', broken: true, ahead: 0, answered: false };
  const edit: Parts['desk']['edit'] = (_where, { state }) => {
    if (card.broken) return Promise.reject(new Error('503'));
    card.shown = state;
    return Promise.resolve();
  };
  const openCards = openCardStore(dir, quietLog);
  const runner = createRunner({
    ...{ commands, rules, ledger, openCards, locks: claims(), desk: { edit }, log: quietLog },
    panel: panelOf({ kind: 'yes', data: { queueId: 5001 } }),
    followUps: followUpsOf(),
    ...quiet,
    questions: {
      ...{ put: unused, get: unused, seal: unused, matches: unused, take: unused, gone: unused, restore: unused },
      due: () => Promise.resolve([]),
    },
    now: () => Date.now() + card.ahead,
    newId: unused,
    open: { plain: 1, typed: 1 },
    owner: 'corridor',
    alive: () => Promise.resolve(new Set<string>()),
  });
  const reply: Invocation['reply'] = {
    refuse: () => Promise.resolve({ kind: 'taken', message: '7' }),
    acknowledge({ state }) {
      if (card.answered) return Promise.resolve({ kind: 'taken', message: '7' });
      card.answered = true;
      card.shown = state;
      return Promise.resolve({ kind: 'ours', message: '7' });
    },
    show: (shown) => edit({ channel: 'c', message: '7' }, shown),
  };
  const deliver = (): Promise<void> =>
    runner.command({
      interaction: { id: '123456789012345678', token: 'token' },
      actor: { id: '1', name: 'alice', roles: [] },
      place: { guild: 'g', channel: 'c' },
      command: 'power.boot',
      options: { server: '101' },
      reply,
    });
  const outcomes = () => ledger.runs(BigInt('123456789012345678').toString(36)).map(({ outcome }) => outcome?.outcome);
  return { card, deliver, openCards, outcomes, recover: runner.sweep };
}

it('a command that is delivered again while its card waits for Discord is not done again, and its card comes to rest', async () => {
  const { card, deliver, openCards, outcomes, sweep } = await openCorridor();
  await deliver();
  expect([card.shown, outcomes()]).toEqual(['working', ['accepted']]);
  await deliver();
  expect(await openCards.list()).toHaveLength(1);
  card.broken = false;
  card.ahead = 60_000;
  await sweep();
  expect([card.shown, outcomes(), await openCards.list()]).toEqual(['accepted', ['accepted'], []]);
});
