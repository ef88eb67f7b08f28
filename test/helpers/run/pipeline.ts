import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../../commands/index.ts';
import { cardRenderer } from '../../../src/app/cards.ts';
import type { Messages } from '../../../src/cards/messages.ts';
import type { CardStore, LeftOver } from '../../../src/cards/record.ts';
import { createSeal } from '../../../src/cards/seal.ts';
import { openFileLedger } from '../../../src/ledger/file-store.ts';
import { LedgerUnavailable } from '../../../src/outcome.ts';
import { createRunner } from '../../../src/shell/index.ts';
import type { Limits } from '../../../src/shell/limits.ts';
import type { Click, Parts } from '../../../src/shell/parts.ts';
import { quietLog } from '../messages.ts';
import { followUpsOf, lenientRules, panelOf, quiet } from '../stand-ins.ts';

/** Takes every record of a card, and has these of earlier processes. */
export const cardStoreOf = (left: LeftOver = { cards: [] }): CardStore => ({
  put: () => Promise.resolve(true),
  remove: () => undefined,
  takeOver: () => Promise.resolve(left),
  close: () => Promise.resolve(),
});

interface Pipeline extends Partial<Pick<Parts, 'rules' | 'panel' | 'followUps' | 'now' | 'log'>> {
  openStore?: (dir: string) => CardStore | Promise<CardStore>;
  edit?: Messages['edit'];
  limits?: Partial<Limits>;
}

/** The shell with a real ledger and real cards, before a Discord and a panel that take everything. */
export async function openPipeline({
  rules = lenientRules,
  panel = panelOf({ kind: 'yes', data: undefined }),
  followUps = followUpsOf(),
  now = Date.now,
  log = quietLog,
  openStore = () => cardStoreOf(),
  edit = () => Promise.resolve('edited'),
  limits = {},
}: Pipeline) {
  const dir = mkdtempSync(join(tmpdir(), 'panelops-pipeline-'));
  const stored = await openFileLedger({ dir, log, now: () => new Date(now()) });
  const cardStore = await openStore(dir);
  const all = { rules, seal: createSeal('token'), log, now };
  const renderer = cardRenderer({
    mayDraw: () => Promise.resolve(true),
    ...{ ...all, ledger: stored, cardStore, pace: { looks: 0, retry: 1, late: 0 } },
    messages: {
      onOverwritten: () => undefined,
      onGap: () => undefined,
      edit,
      reply: () => Promise.reject(new Error('nothing is posted here')),
      find: () => Promise.resolve(undefined),
    },
    threads: { reads: () => Promise.resolve(true), whisper: () => Promise.resolve(), onOpened: () => undefined },
    ...{ recipients: () => [], elsewhere: () => [], lookOf: () => undefined, canLook: () => false },
  });
  const parts = { ...all, ...quiet, ...renderer, commands, panel, followUps };
  return {
    ...{ dir, ledger: renderer.ledger, seal: all.seal },
    /** Another one knows nothing of what this one did but what is stored. */
    runner: () => createRunner(parts, limits),
    /** From now on each append waits for ever, and nobody knows what of it is written. Resolves at the first. */
    hang: (): Promise<void> =>
      new Promise((resolve) => {
        const never = new Promise<never>(() => undefined);
        const append = (): Promise<never> => {
          resolve();
          return never;
        };
        for (const each of [stored, renderer.ledger]) Object.assign(each, { append, settle: () => never });
      }),
    /** The next append is written, and its answer is lost. */
    lose(): void {
      const { ledger } = renderer;
      ledger.append = async (entries) => {
        ledger.append = stored.append;
        await stored.append(entries);
        throw new LedgerUnavailable(new Error('no answer'));
      };
    },
    /** Draws a card once more, as after a gap in the gateway's events, and stops. */
    drawAgain(id: string): Promise<void> {
      renderer.cards.mark(id);
      return renderer.cards.close(1_000);
    },
    async close(): Promise<void> {
      await renderer.cards.close(0);
      await cardStore.close();
      await stored.close();
      rmSync(dir, { recursive: true });
    },
  };
}

/** A Discord that takes every answer; the card becomes this message. */
export const replyOf = (message: string): Click['reply'] => ({
  refuse: () => Promise.resolve(),
  think: () => Promise.resolve(true),
  show: () => Promise.resolve('shown'),
  acknowledge: () => Promise.resolve(message),
  ask: () => Promise.resolve(),
  defer: () => Promise.resolve(true),
  whisper: () => Promise.resolve(() => Promise.resolve()),
  takeBack: () => Promise.resolve(),
  isShared: () => Promise.resolve(false),
  share: () => Promise.resolve(),
});
