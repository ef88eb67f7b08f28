import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../outcome.ts';
import { batches, type CardRecord, type CardStore, cardRecord, type LeftOver } from './record.ts';

const line = z.object({ seq: z.number(), card: cardRecord.exactOptional(), gone: z.string().exactOptional() });
type Line = z.infer<typeof line>;

/** Makes the file shorter after so many lines. */
const compactAfter = 1_000;

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
  const lines = fileOf(file, () => [{ seq }, ...[...cards.values()].map((card): Line => ({ seq, card }))]);
  let troubled = false;

  const writes = batches(async (all: readonly Line[]): Promise<boolean> => {
    try {
      await lines.write(all);
      troubled = false;
    } catch (error) {
      if (!troubled) log.warn({ problem: codeOf(error) }, 'cannot store open cards');
      troubled = true;
    }
    return !troubled;
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
      if (lines.begin()) await append({ seq });
      await writes.last();
      await lines.close();
    },
  };
}

/** Lines of which most are soon out of date. `open`: those that are not, with what is about to be written. */
function fileOf(file: string, open: () => Line[]) {
  let handle: FileHandle | undefined;
  let count = Number.POSITIVE_INFINITY;
  /** A shorter file, once it is on disk, and what was written since it was begun: no first answer waits for that. */
  let shorter: { draft?: FileHandle; lacks: Line[] } | undefined;
  let shortening = Promise.resolve();

  async function shorten(): Promise<void> {
    const next: NonNullable<typeof shorter> = { lacks: [] };
    shorter = next;
    await draftOf(file, open()).then(
      (draft) => Object.assign(next, { draft }),
      () => {
        count = Number.POSITIVE_INFINITY;
      },
    );
  }

  async function replaceBy(draft: FileHandle): Promise<void> {
    await orGone(draft, file, () => rename(partOf(file), file));
    await handle?.close().catch(() => undefined);
    handle = draft;
    count = 0;
    shorter = undefined;
  }

  async function rewrite(): Promise<void> {
    await shortening;
    await shorter?.draft?.close();
    shorter = undefined;
    await replaceBy(await draftOf(file, open()));
  }

  async function add(lines: readonly Line[]): Promise<void> {
    if (handle === undefined || count === Number.POSITIVE_INFINITY) return rewrite();
    if (shorter?.draft === undefined) {
      await writeAll(handle, Buffer.from(textOf(lines)));
      count += lines.length;
      shorter?.lacks.push(...lines);
    } else {
      await writeAll(shorter.draft, Buffer.from(textOf([...shorter.lacks, ...lines])));
      await replaceBy(shorter.draft);
    }
    if (shorter === undefined && count > compactAfter) shortening = shorten();
  }

  return {
    /** Rejects with the file system's errors: then the next write is of all that is open. */
    async write(lines: readonly Line[]): Promise<void> {
      try {
        await add(lines);
      } catch (error) {
        count = Number.POSITIVE_INFINITY;
        throw error;
      }
    },
    /** Has the next write begin anew. False: there is no file yet. */
    begin(): boolean {
      count = Number.POSITIVE_INFINITY;
      return handle !== undefined;
    },
    async close(): Promise<void> {
      await shortening;
      await handle?.close();
    },
  };
}

const textOf = (lines: readonly Line[]): string => lines.map((each) => `${JSON.stringify(each)}\n`).join('');

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) written += (await handle.write(bytes, written)).bytesWritten;
}

const partOf = (file: string): string => `${file}.part`;

/** These lines in a file beside it, on disk and open. */
async function draftOf(file: string, lines: readonly Line[]): Promise<FileHandle> {
  // To open what a stranger has put there, such as a named pipe, could wait for ever.
  await rm(partOf(file), { force: true });
  const draft = await open(partOf(file), 'wx', 0o600);
  await orGone(draft, file, async () => {
    await draft.writeFile(textOf(lines));
    await draft.sync();
  });
  return draft;
}

async function orGone(draft: FileHandle, file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await draft.close();
    await rm(partOf(file), { force: true });
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
    const read = lineOf(each);
    if (read === undefined) continue;
    kept = Math.max(kept ?? 0, read.seq);
    if (read.card !== undefined) cards.set(read.card.id, read.card);
    if (read.gone !== undefined) cards.delete(read.gone);
  }
  return { cards, kept };
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
