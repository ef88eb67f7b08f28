import { z } from 'zod';

const actor = z.object({ id: z.string(), name: z.string(), roles: z.array(z.string()).readonly() });
const server = z.object({ id: z.number(), name: z.string().exactOptional(), tier: z.string().exactOptional() });

/** How a command was answered: what is needed to draw its card while the ledger knows nothing of it. */
const opened = z.object({
  /** Discord's id of the interaction, and its token, which is good for 15 minutes from `at` (ms). */
  interaction: z.object({ id: z.string(), token: z.string(), at: z.number() }),
  audience: z.enum(['private', 'public']),
  place: z.object({
    guild: z.string(),
    channel: z.string(),
    parent: z.string().exactOptional(),
    message: z.string().exactOptional(),
  }),
  actor,
  command: z.string(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).readonly(),
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
}

/** Where open cards are kept. Nothing here throws or rejects: trouble is a warning, and a crash then leaves a card as it was. */
export interface CardStore {
  /** `seq`: the last entry of the ledger that was known then. */
  put(card: CardRecord, seq: number): Promise<void>;
  remove(id: string, seq: number): void;
  /** What is left of processes that are no more; it is this one's from then on. */
  takeOver(): Promise<LeftOver>;
  close(): Promise<void>;
}

/** The same without its token, if that is from before that moment, in ms. */
export const withoutOldToken = (opened: Opened, before: number): Opened =>
  opened.interaction.at > before ? opened : { ...opened, interaction: { ...opened.interaction, token: '' } };
