import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../outcome.ts';

const actor = z.object({ id: z.string(), name: z.string(), roles: z.array(z.string()).readonly() });
const server = z.object({ id: z.number(), name: z.string().exactOptional(), tier: z.string().exactOptional() });

const openCard = z.object({
  interaction: z.string().regex(/^[\w-]{1,64}$/),
  /** Discord's, good for 15 minutes: the file is for its owner only and goes when the card rests. */
  token: z.string(),
  /** When the command came, in ms. */
  at: z.number(),
  audience: z.enum(['private', 'public']),
  actor,
  place: z.object({
    guild: z.string(),
    channel: z.string(),
    parent: z.string().exactOptional(),
    message: z.string().exactOptional(),
  }),
  command: z.string(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).readonly(),
  /** The process that answered, as it is named in its claim. */
  owner: z.string(),
  runs: z.array(z.object({ run: z.string(), server: server.exactOptional() })),
});

/** A card that was answered but is not at rest: what is needed to bring it to rest after a crash. */
export type OpenCard = z.infer<typeof openCard>;

/** What an open card is known by. */
export type CardKey = Pick<OpenCard, 'interaction' | 'owner'>;

/** Nothing here throws or rejects: trouble is a warning. */
export interface OpenCardStore {
  put(card: OpenCard): void;
  /** Only the card of that owner: the same interaction may be delivered to two processes. */
  remove(card: CardKey): void;
  /** The oldest first. What cannot be read is skipped. */
  list(): Promise<OpenCard[]>;
}

/**
 * Keeps open cards in `dir`/open, one file each. `put` and `remove` are done when they return, so that nothing can come
 * between the acknowledgement and its record; they never throw: a card that cannot be stored is only less safe in a
 * crash, which is no reason to refuse a read. The folder is the ledger's: open it first, it sees to it that no other
 * process is there.
 */
export function openCardStore(dir: string, log: Log): OpenCardStore {
  const folder = join(dir, 'open');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // A crash in the middle of storing a card leaves these, with a token in them.
  for (const name of readdirSync(folder)) if (name.endsWith('.part')) rmSync(join(folder, name), { force: true });
  const fileOf = (interaction: string) => join(folder, `${openCard.shape.interaction.parse(interaction)}.json`);

  function read(name: string): OpenCard | undefined {
    try {
      return parseCard(readFileSync(join(folder, name), 'utf8'));
    } catch (error) {
      log.warn({ file: name, problem: problemOf(error) }, 'an open card cannot be read and is skipped');
      return undefined;
    }
  }

  function names(): string[] {
    try {
      return readdirSync(folder).filter((name) => name.endsWith('.json'));
    } catch (error) {
      log.warn({ problem: problemOf(error) }, 'the open cards cannot be listed');
      return [];
    }
  }

  /** What the disk did not take: as long as this process lives, it is brought to rest all the same. */
  const unsaved = new Map<string, OpenCard>();

  function store(card: OpenCard): void {
    const file = fileOf(card.interaction);
    try {
      writeFileSync(`${file}.part`, JSON.stringify(card), { mode: 0o600 });
      renameSync(`${file}.part`, file);
      unsaved.delete(card.interaction);
    } catch (error) {
      unsaved.set(card.interaction, card);
      // It may hold a token.
      rmSync(`${file}.part`, { force: true });
      throw error;
    }
  }

  return {
    put(card) {
      try {
        store(card);
      } catch (error) {
        log.warn({ interaction: card.interaction, problem: problemOf(error) }, 'an open card cannot be stored');
      }
    },
    remove({ interaction }) {
      unsaved.delete(interaction);
      try {
        rmSync(fileOf(interaction), { force: true });
      } catch (error) {
        log.warn({ interaction, problem: problemOf(error) }, 'an open card cannot be removed');
      }
    },
    list() {
      const stored = names()
        .filter((name) => !unsaved.has(name.slice(0, -'.json'.length)))
        .map(read);
      return Promise.resolve(oldestFirst([...stored, ...unsaved.values()]));
    },
  };
}

/** Throws when the text is not an open card. */
export const parseCard = (text: string): OpenCard => openCard.parse(JSON.parse(text));

export const oldestFirst = (cards: readonly (OpenCard | undefined)[]): OpenCard[] =>
  cards.filter((card) => card !== undefined).sort((a, b) => a.at - b.at);

/** The kind of trouble without its details: a parser's message quotes what it read, and that holds a token. */
export function problemOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  return error instanceof Error ? error.name : 'unknown';
}
