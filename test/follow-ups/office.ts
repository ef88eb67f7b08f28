import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../commands/index.ts';
import { policyFor } from '../../src/app.ts';
import type { Followed, FollowUpsFace } from '../../src/command.ts';
import { createBot } from '../../src/discord/bot.ts';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import { openCardStore } from '../../src/ledger/open-cards.ts';
import { type Actor, RedisUnavailable } from '../../src/outcome.ts';
import { answersIn, decide, limit, requirements } from '../../src/policy/decide.ts';
import { inventory } from '../../src/policy/inventory.ts';
import { createRunner } from '../../src/run/index.ts';
import type { Parts } from '../../src/run/parts.ts';
import { type SandboxDiscord, type SeenMessage, startDiscord } from '../../src/sandbox/discord/index.ts';
import { quietLog } from '../races.ts';
import { quiet } from '../stand-ins.ts';
import { examplePolicy } from '../world.ts';

const roleOf = { alice: '1200000000000000003', bob: '1200000000000000002' };
export const alice: Actor = { id: '1400000000000000001', name: 'alice', roles: [roleOf.alice] };
export const bob: Actor = { id: '1400000000000000002', name: 'bob', roles: [roleOf.bob] };

/** A restore of web-1 that alice started; `other` says what is different. */
export const followed = (other: Partial<Followed> = {}): Followed => ({
  id: 'restore-101-9001',
  command: 'backup.restore',
  server: { id: 101, name: 'web-1', tier: 'production' },
  startedBy: alice,
  notify: alice,
  card: { guild: '1100000000000000001', channel: '1300000000000000001', message: '1500000000000000007' },
  since: Date.parse('2026-11-19T22:00:00Z'),
  ...other,
});

/** What is followed, by hand, and what people decided about it. */
export interface Book extends FollowUpsFace {
  open: Followed[];
  deeds: { deed: 'stop' | 'hand-over'; id: string; by: string; to?: Actor }[];
  /** What `stop` and `handOver` end with instead. */
  answer?: () => Promise<boolean>;
}

function book(): Book {
  const done = (): Promise<boolean> => written.answer?.() ?? Promise.resolve(true);
  const written: Book = {
    open: [],
    deeds: [],
    list: (server) => Promise.resolve(written.open.filter((each) => server === undefined || each.server.id === server)),
    stop(id, { name: by }) {
      written.deeds.push({ deed: 'stop', id, by });
      return done();
    },
    handOver(id, to, { name: by }) {
      written.deeds.push({ deed: 'hand-over', id, by, to });
      return done();
    },
  };
  return written;
}

const unused = (): never => {
  throw new Error('nothing of this is needed for follow-ups');
};

export interface Office {
  book: Book;
  discord: SandboxDiscord;
  /** From now on Redis cannot be reached. */
  loseRedis(): void;
  /** Types a line in #ops; gives the card once it is at rest. */
  says(who: string, line: string): Promise<SeenMessage>;
  /** Presses a button of the card; gives the card once it is another. */
  clicks(who: string, card: SeenMessage, label: string): Promise<SeenMessage>;
  close(): Promise<void>;
}

/** The corridor and discord.js on the sandbox's Discord, with follow-ups from a book instead of a panel. */
export async function openOffice(): Promise<Office> {
  const discord = await startDiscord();
  const dir = mkdtempSync(join(tmpdir(), 'panelops-office-'));
  const ledger = await openFileLedger({ dir, log: quietLog });
  const follow = book();
  let redis = true;
  const bot = createBot({
    token: discord.token,
    guild: discord.guildId,
    apiUrl: discord.apiUrl,
    commands,
    register: true,
    note: '',
    log: quietLog,
    onRefused: unused,
  });
  const runner = createRunner({
    ...{ commands, rules: rules(discord.guildId), ledger, desk: bot.desk, log: quietLog },
    ...quiet,
    followUps: {
      ...follow,
      deadline: unused,
      reconcile: unused,
      say: unused,
      card: () => Promise.resolve(undefined),
      troubles: () => [],
    },
    panel: { call: unused, look: unused, slot: unused, close: unused },
    paint: unused,
    locks: {
      claim: () => (redis ? Promise.resolve(true) : Promise.reject(new RedisUnavailable())),
      claimant: () => Promise.resolve(undefined),
      lease: unused,
    },
    questions: {
      ...{ put: unused, get: unused, seal: unused, matches: unused, take: unused, gone: unused },
      ...{ due: unused, restore: unused },
    },
    openCards: openCardStore(dir, quietLog),
    now: Date.now,
    newId: unused,
    open: { plain: 1, typed: 1 },
    owner: 'office',
    alive: () => Promise.resolve(new Set<string>()),
  });
  bot.serve(runner);
  await bot.connect();
  const messages = (who: string): SeenMessage[] => discord.messages(who, 'ops');
  const resting = ({ content }: SeenMessage): boolean => content !== '' && !content.startsWith('WORKING');
  return {
    book: follow,
    discord,
    loseRedis() {
      redis = false;
    },
    async says(who, line) {
      const typed = await discord.type(who, 'ops', line);
      return discord.until(() => messages(who).find((each) => each.answers === typed && resting(each)));
    },
    async clicks(who, card, label) {
      const button = card.buttons.find((each) => each.label === label);
      if (button === undefined) throw new Error(`no button ${label}`);
      const before = JSON.stringify(card.embeds);
      await discord.click(who, card.id, button.customId);
      return discord.until(() =>
        messages(who).find(({ id, embeds }) => id === card.id && JSON.stringify(embeds) !== before),
      );
    },
    async close() {
      await runner.stop(1_000);
      await bot.close();
      await discord.close();
      await ledger.close();
      rmSync(dir, { recursive: true });
    },
  };
}

/** The example's policy, as the corridor asks it. */
function rules(guild: string): Parts['rules'] {
  const read = policyFor(examplePolicy, guild);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const { policy } = read;
  const servers = inventory(policy);
  return {
    channels: policy.channels ?? [],
    answersIn: (place) => answersIn(policy, place),
    roleName: () => undefined,
    decide: (roles, command, server) => decide(policy, { roles, command, ...(server === undefined ? {} : { server }) }),
    requirements: (command) => requirements(policy, command),
    limit: (command) => limit(policy, command.id),
    find: servers.find,
    suggest: servers.suggest,
  };
}
