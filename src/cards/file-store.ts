import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { jsonIn } from '../json.ts';
import type { Log } from '../outcome.ts';
import { codeOf as codeIn } from '../system.ts';
import { toldOnce } from '../waits.ts';
import { batches, type CardRecord, type CardStore, cardRecord, type LeftOver } from './record.ts';

const line = z.object({ seq: z.number(), card: cardRecord.exactOptional(), gone: z.string().exactOptional() });
type Line = z.infer<typeof line>;

/** Compacts the file when it has this many more lines than there are cards: first answers wait for that. */
const compactAfter = 10_000;

/** Open cards in `dir`/cards.jsonl, for its owner alone: it holds tokens. `head`: the last entry of the ledger. */
export async function openCardFile(dir: string, log: Log, head = Number.POSITIVE_INFINITY): Promise<CardStore> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, 'cards.jsonl');
  // The first release stored cards in a folder.
  await rm(join(dir, 'open'), { recursive: true, force: true });
  const { cards, kept } = await read(file, log);
  const isAhead = kept !== undefined && kept > head;
  let left: LeftOver | undefined = { cards: [...cards.values()], ...(isAhead ? { isAhead } : {}) };
  let seq = isAhead ? head : (kept ?? 0);
  let lines = Number.POSITIVE_INFINITY;
  let handle: FileHandle | undefined;
  const trouble = toldOnce(log, 'cannot store open cards');

  async function rewrite(): Promise<void> {
    const open = [...cards.values()].map((card): Line => ({ seq, card }));
    const replaced = await replaceFile(file, [{ seq }, ...open]);
    await handle?.close().catch(() => undefined);
    handle = replaced;
    lines = cards.size;
  }

  const writes = batches(async (all: readonly Line[]): Promise<boolean> => {
    try {
      // This includes everything in memory.
      if (handle === undefined || lines > compactAfter + 2 * cards.size) await rewrite();
      else {
        await handle.writeFile(textOf(all));
        lines += all.length;
      }
      trouble.over();
      return true;
    } catch (error) {
      trouble.say(codeOf(error));
      // The next write stores all open cards.
      lines = Number.POSITIVE_INFINITY;
      return false;
    }
  });

  function append(each: Line): Promise<boolean> {
    seq = each.seq;
    return writes.add(each);
  }

  // From now on each card is one line.
  if (kept !== undefined) await append({ seq });

  return {
    put(card, seq) {
      cards.set(card.id, card);
      return append({ seq, card });
    },
    remove(id, seq) {
      if (cards.delete(id)) void append({ seq, gone: id });
    },
    seen(seq) {
      void append({ seq });
    },
    takeOver() {
      const all = left;
      left = undefined;
      return Promise.resolve(all);
    },
    async close() {
      // Without the tokens of what is over.
      lines = Number.POSITIVE_INFINITY;
      if (handle !== undefined) await append({ seq });
      await writes.last();
      await handle?.close();
    },
  };
}

const textOf = (lines: readonly Line[]): string => lines.map((each) => `${JSON.stringify(each)}\n`).join('');

/** Replaces the file atomically with these lines and leaves it open. */
async function replaceFile(file: string, lines: readonly Line[]): Promise<FileHandle> {
  const part = `${file}.part`;
  // To open what a stranger has put there, such as a named pipe, could wait for ever.
  await rm(part, { force: true });
  const next = await open(part, 'wx', 0o600);
  try {
    await next.writeFile(textOf(lines));
    await next.sync();
    await rename(part, file);
    return next;
  } catch (error) {
    await next.close();
    await rm(part, { force: true });
    throw error;
  }
}

/** The cards, and the last entry that was known. Skips a line that a crash truncated. */
async function read(file: string, log: Log): Promise<{ cards: Map<string, CardRecord>; kept: number | undefined }> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') log.warn({ problem: codeOf(error) }, 'cannot read open cards');
    return '';
  });
  const cards = new Map<string, CardRecord>();
  let kept: number | undefined;
  for (const each of text.split('\n')) {
    const read = line.safeParse(jsonIn(each)).data;
    if (read === undefined) continue;
    kept = Math.max(kept ?? 0, read.seq);
    if (read.card !== undefined) cards.set(read.card.id, read.card);
    if (read.gone !== undefined) cards.delete(read.gone);
  }
  return { cards, kept };
}

/** The error code only: a parser's message quotes its input, which may hold a token. */
const codeOf = (error: unknown): string => codeIn(error, error instanceof Error ? error.name : 'unknown');
