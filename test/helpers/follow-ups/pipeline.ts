import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../../commands/index.ts';
import { cardRoom } from '../../../src/app/cards.ts';
import { policyFor, rulesOf } from '../../../src/app/rules.ts';
import { type Closing, inFiles } from '../../../src/app/store.ts';
import { createSeal } from '../../../src/cards/seal.ts';
import type { Followed, FollowUpTools } from '../../../src/command.ts';
import { createBot } from '../../../src/discord/bot.ts';
import type { Actor } from '../../../src/outcome.ts';
import { livePolicy } from '../../../src/policy/live.ts';
import { type SandboxDiscord, type SeenMessage, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { createRunner } from '../../../src/shell/index.ts';
import { words } from '../card-text.ts';
import { notes } from '../ledger/samples.ts';
import { quietLog } from '../messages.ts';
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

/** Follow-ups set by the test, and what people decided about them. */
interface Book extends FollowUpTools {
  open: Followed[];
  /** Jobs that nobody follows any more. */
  left: Followed[];
  deeds: { deed: 'stop' | 'hand-over' | 'finished' | 'failed'; id: string; by: string; to?: Actor }[];
  /** The error that `stop`, `end` and `handOver` reject with. */
  answer?: () => Promise<boolean>;
}

function book(): Book {
  const done = (): Promise<boolean> => written.answer?.() ?? Promise.resolve(true);
  const written: Book = {
    open: [],
    left: [],
    deeds: [],
    unfollowed: (server) => Promise.resolve(written.left.filter((each) => each.server.id === server)),
    end(id, how, { name: by }) {
      written.deeds.push({ deed: how, id, by });
      return done();
    },
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

export interface TestPipeline {
  book: Book;
  discord: SandboxDiscord;
  /** The folder of its ledger. */
  dir: string;
  /** Runs the periodic work once. */
  recover(): Promise<void>;
  /** The pipeline's log. */
  logged: readonly string[];
  /** From now on the shared Redis cannot be reached. */
  loseLead(): void;
  /** Types a line in #ops; gives the card once it is terminal. */
  says(who: string, line: string): Promise<SeenMessage>;
  /** Presses a button of the card; gives the card once it is another. */
  clicks(who: string, card: SeenMessage, label: string): Promise<SeenMessage>;
  close(): Promise<void>;
}

/** The pipeline and discord.js on the sandbox's Discord, with follow-ups from a book instead of a panel. */
export async function startPipeline(): Promise<TestPipeline> {
  const discord = await startDiscord();
  const dir = mkdtempSync(join(tmpdir(), 'panelops-pipeline-'));
  const closing: Closing = [];
  const log = notes();
  const about = { processId: randomUUID(), log, now: Date.now };
  const store = await inFiles({ dataDir: dir, ...about }, closing);
  const follow = book();
  let isHeld = true;
  const bot = createBot({
    ...{ token: discord.token, guild: discord.guildId, apiUrl: discord.apiUrl, commands, register: true, note: '' },
    ...{ isGiven: () => true, log: quietLog, onRefused: unused },
  });
  const read = policyFor(examplePolicy, discord.guildId);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const around = {
    ...about,
    cardStore: store.cardStore,
    ledger: { ...store.ledger, isHeld: () => isHeld },
    rules: rulesOf(livePolicy(read.policy)),
    seal: createSeal(discord.token),
  };
  const lookless = { lookOf: () => undefined, canLook: () => false };
  const { cards, outbox } = cardRoom({ ...around, ...bot, recipients: () => [], elsewhere: () => [], ...lookless });
  const runner = createRunner({
    ...{ ...around, ...quiet, commands, cards, outbox, limits: { open: { plain: 1, typed: 1 } } },
    rolesNow: () => Promise.resolve([]),
    followUps: { ...follow, deadline: unused, canLook: () => false, look: unused, troubles: () => [] },
    panel: {
      call: unused,
      look: unused,
      slot: unused,
      budgetLeft: unused,
      facts: unused,
      useToken: unused,
      close: unused,
    },
  });
  bot.serve(runner);
  await bot.connect();
  const messages = (who: string): SeenMessage[] => discord.messages(who, 'ops');
  const isOver = ({ content }: SeenMessage): boolean => content !== '' && !words(content).startsWith('WORKING');
  return {
    book: follow,
    discord,
    dir,
    recover: runner.recover,
    logged: log.messages,
    loseLead() {
      isHeld = false;
    },
    async says(who, line) {
      const typed = await discord.type(who, 'ops', line);
      return discord.until(() => messages(who).find((each) => each.answers === typed && isOver(each)));
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
      for (const each of closing.toReversed()) await each();
      rmSync(dir, { recursive: true });
    },
  };
}
