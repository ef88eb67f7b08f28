import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../outcome.ts';
import { batches } from './batches.ts';
import { type CardRecord, type CardStore, cardRecord, type LeftOver, withoutOldToken } from './record.ts';

const line = z.object({ seq: z.number(), card: cardRecord.exactOptional(), gone: z.string().exactOptional() });
type Line = z.infer<typeof line>;

/** Compacts the file when it has this many more lines than there are cards. */
const compactAfter = 1_000;
/**
 * Also compacts it this often, in ms, to drop tokens that expire before the next time. Discord accepts a token for 15
 * minutes.
 */
const compactEvery = 5 * 60_000;
const tokenMs = 9 * 60_000;
/** The retry delay after a failed write, in ms. */
const retryDelay = 1_000;

/**
 * Stores open cards in `dir`/cards.jsonl, readable only by its owner because it holds interaction tokens. Appends lines
 * in order, without fsync: after a power cut the ledger redraws what is lost. Lock the ledger's folder first. `head`:
 * the last entry of the ledger.
 */
export async function openCardFile(dir: string, processId: string, log: Log, head?: number): Promise<CardStore> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, 'cards.jsonl');
  // The first release stored cards in a folder.
  await rm(join(dir, 'open'), { recursive: true, force: true });
  const left = await read(file, log);
  const cards = new Map(left.cards.map((card) => [card.id, { ...card, processId }]));
  // Nobody kept cards of what was in the ledger before.
  let kept = left.kept ?? head ?? 0;
  let lines = Number.POSITIVE_INFINITY;
  let since = Date.now();
  let handle: FileHandle | undefined;
  let troubled = false;

  async function rewrite(): Promise<void> {
    const open = [...cards.values()].map((card): Line => ({ seq: kept, card: withoutExpiredToken(card) }));
    const replaced = await replaceFile(file, [{ seq: kept }, ...open]);
    await handle?.close().catch(() => undefined);
    handle = replaced;
    lines = cards.size;
    since = Date.now();
  }

  const writes = batches(async (all: readonly Line[]): Promise<boolean> => {
    try {
      // This includes everything in memory.
      if (handle === undefined || lines > compactAfter + 2 * cards.size || Date.now() - since > compactEvery)
        await rewrite();
      else {
        await writeAll(handle, Buffer.from(textOf(all)));
        lines += all.length;
      }
      troubled = false;
    } catch (error) {
      if (!troubled) log.warn({ problem: codeOf(error) }, 'cannot store open cards');
      troubled = true;
      // The next write stores all open cards.
      lines = Number.POSITIVE_INFINITY;
    }
    return !troubled;
  });

  function append(each: Line): Promise<boolean> {
    // Cards of dead processes are not up to date before this process takes them over.
    const seq = Math.min(each.seq, left.kept ?? each.seq);
    kept = Math.max(kept, seq);
    return writes.add({ ...each, seq });
  }

  const timer = setInterval(() => {
    if (troubled || (lines > 0 && Date.now() - since > compactEvery)) void append({ seq: kept });
  }, retryDelay).unref();
  // From now on each card is one line.
  if (left.kept !== undefined) await append({ seq: kept });

  return {
    put(card, seq) {
      cards.set(card.id, card);
      return append({ seq, card });
    },
    remove(id, seq) {
      if (cards.delete(id)) void append({ seq, gone: id });
    },
    takeOver() {
      const isAhead = left.kept !== undefined && head !== undefined && left.kept > head;
      const all = { ...left, cards: [...left.cards], ...(isAhead ? { kept: head, isAhead: true as const } : {}) };
      // From now on the file belongs to this ledger.
      if (isAhead) kept = head;
      if (isAhead) lines = Number.POSITIVE_INFINITY;
      left.cards = [];
      delete left.kept;
      return Promise.resolve(all);
    },
    async close() {
      clearInterval(timer);
      since = 0;
      if (lines > 0) await append({ seq: kept });
      await writes.last();
      await handle?.close();
    },
  };
}

const textOf = (lines: readonly Line[]): string => lines.map((each) => `${JSON.stringify(each)}\n`).join('');

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) written += (await handle.write(bytes, written)).bytesWritten;
}

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

/** The card without an expired token. */
const withoutExpiredToken = (card: CardRecord): CardRecord => ({
  ...card,
  opened: card.opened && withoutOldToken(card.opened, Date.now() - tokenMs),
});

/** Skips a line that a crash truncated. */
async function read(file: string, log: Log): Promise<{ cards: readonly CardRecord[] } & Pick<LeftOver, 'kept'>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') log.warn({ problem: codeOf(error) }, 'cannot read open cards');
    return '';
  });
  const cards = new Map<string, CardRecord>();
  let kept: number | undefined;
  for (const each of text.split('\n')) {
    const read = lineOf(each);
    if (read === undefined) continue;
    kept = Math.max(kept ?? 0, read.seq);
    if (read.card !== undefined) cards.set(read.card.id, read.card);
    if (read.gone !== undefined) cards.delete(read.gone);
  }
  return { cards: [...cards.values()], kept };
}

function lineOf(text: string): Line | undefined {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The error code only: a parser's message quotes its input, which may hold a token. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : 'unknown';
