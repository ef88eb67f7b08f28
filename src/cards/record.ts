import { z } from 'zod';
import { actor, place, rawOptions, server } from '../runs/entry.ts';

/** How a command was answered: what is needed to draw its card while the ledger knows nothing of it. */
const opened = z.object({
  /** Discord's id of the interaction, and its token, which is good for 15 minutes from `at` (ms). */
  interaction: z.object({ id: z.string(), token: z.string(), at: z.number() }),
  audience: z.enum(['private', 'public']),
  place,
  actor,
  command: z.string(),
  options: rawOptions,
  /** Of a change: one run each. */
  servers: z.array(server).readonly(),
  /** It will be asked about first. */
  asks: z.boolean(),
});

/** A card that may not show yet what is known: kept, so that whoever comes after a crash draws it. */
export const cardRecord = z.object({
  /** Of the invocation. */
  id: z.string(),
  /** The process that draws it. */
  processId: z.string(),
  opened: opened.exactOptional(),
});

export type Opened = z.infer<typeof opened>;
export type CardRecord = z.infer<typeof cardRecord>;

/** What processes that are no more left: their cards, and up to which entry of the ledger they had kept up. */
export interface LeftOver {
  cards: readonly CardRecord[];
  /** Undefined where that is not known. */
  kept?: number;
  /** They had kept up to an entry that the ledger does not have: it is not the one that they knew. */
  isAhead?: true;
}

/** Where open cards are kept. Nothing here throws or rejects: trouble is a warning, and it is tried again. */
export interface CardStore {
  /** `seq`: the last entry of the ledger that was known then. False: it is not kept yet, and a crash would leave the card as it is. */
  put(card: CardRecord, seq: number): Promise<boolean>;
  remove(id: string, seq: number): void;
  /** What is left of processes that are no more; it is this one's from then on. */
  takeOver(): Promise<LeftOver>;
  close(): Promise<void>;
}

/** The same without its token, if that is from before that moment, in ms. */
export const withoutOldToken = (opened: Opened, before: number): Opened =>
  opened.interaction.at > before ? opened : { ...opened, interaction: { ...opened.interaction, token: '' } };
