import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { defined } from '../defined.ts';
import type { Log } from '../outcome.ts';
import { type CardRecord, type CardStore, cardRecord, type LeftOver, withoutOldToken } from './record.ts';

const line = z.object({ seq: z.number(), card: cardRecord.exactOptional(), gone: z.string().exactOptional() });
type Line = z.infer<typeof line>;

/** The file is written again, without what is over, when it has so many more lines than there are cards. */
const slack = 1_000;
/** And so often, in ms, without the tokens that Discord would not honour any more before the next time: it does for 15 minutes. */
const often = 5 * 60_000;
const tokenMs = 9 * 60_000;
/** How soon a disk that was full is tried again, in ms. */
const retry = 1_000;

/**
 * Keeps open cards in `dir`/cards.jsonl, which only its owner can read: it holds tokens of interactions. Lines are appended in their
 * order and not synced: what a power cut takes is drawn from the ledger. The folder is the ledger's: lock it first. `head`: its last entry.
 */
export async function openCardFile(
  dir: string,
  processId: string,
  log: Log,
  head = Number.POSITIVE_INFINITY,
): Promise<CardStore> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, 'cards.jsonl');
  // The first release kept cards in a folder.
  await rm(join(dir, 'open'), { recursive: true, force: true });
  const left = await read(file, log);
  const cards = new Map(left.cards.map((card) => [card.id, { ...card, processId }]));
  let kept = left.kept ?? 0;
  let lines = Number.POSITIVE_INFINITY;
  let since = Date.now();
  let handle: FileHandle | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let troubled = false;

  async function rewrite(): Promise<void> {
    const open = [...cards.values()].map((card): Line => ({ seq: kept, card: lasting(card) }));
    const next = await replaceFile(file, [{ seq: kept }, ...open]);
    await handle?.close().catch(() => undefined);
    handle = next;
    lines = cards.size;
    since = Date.now();
  }

  async function write(each: Line): Promise<boolean> {
    try {
      // What is in memory goes with it.
      if (handle === undefined || lines > slack + 2 * cards.size || Date.now() - since > often) await rewrite();
      else {
        await handle.appendFile(`${JSON.stringify(each)}\n`);
        lines += 1;
      }
      troubled = false;
    } catch (error) {
      if (!troubled) log.warn({ problem: codeOf(error) }, 'open cards cannot be stored');
      troubled = true;
      // The next one writes all that is open.
      lines = Number.POSITIVE_INFINITY;
    }
    return !troubled;
  }

  function append(each: Line): Promise<boolean> {
    // What others left behind is not kept up with before it was taken over.
    const seq = Math.min(each.seq, left.kept ?? each.seq);
    kept = Math.max(kept, seq);
    const written = last.then(() => write({ ...each, seq }));
    last = written;
    return written;
  }

  const timer = setInterval(() => {
    if (troubled || (lines > 0 && Date.now() - since > often)) void append({ seq: kept });
  }, retry).unref();
  // So that each card is one line from now on.
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
      const isAhead = left.kept !== undefined && left.kept > head;
      const all = { ...left, cards: [...left.cards], ...(isAhead ? { kept: head, isAhead: true as const } : {}) };
      // From here on the file is about this ledger.
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
      await last;
      await handle?.close();
    },
  };
}

/** Puts a file of these lines in the place of the one that is there, as a whole, and leaves it open. */
async function replaceFile(file: string, lines: readonly Line[]): Promise<FileHandle> {
  const part = `${file}.part`;
  const next = await open(part, 'w', 0o600);
  try {
    await next.writeFile(lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
    await next.sync();
    await rename(part, file);
    return next;
  } catch (error) {
    await next.close();
    await rm(part, { force: true });
    throw error;
  }
}

/** Without a token that is too old. */
const lasting = (card: CardRecord): CardRecord => ({
  ...card,
  ...defined({ opened: card.opened && withoutOldToken(card.opened, Date.now() - tokenMs) }),
});

/** A line that a crash cut off is not there. */
async function read(file: string, log: Log): Promise<{ cards: readonly CardRecord[] } & Pick<LeftOver, 'kept'>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') log.warn({ problem: codeOf(error) }, 'open cards cannot be read');
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
  return { cards: [...cards.values()], ...defined({ kept }) };
}

function lineOf(text: string): Line | undefined {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The kind of trouble without its details: a parser's message quotes what it read, and that holds a token. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : 'unknown';
