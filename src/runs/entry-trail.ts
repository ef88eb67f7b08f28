import { z } from 'zod';
import { actor, place } from './entry-parts.ts';

export const findings = [
  'deleted',
  'edited',
  'missing',
  'changed',
  'reordered',
  'strange',
  'ahead',
  'unvouched',
] as const;

/** The trail in the channel was tampered with. */
export const tampered = z.object({
  kind: z.literal('tampered'),
  /** The bot. Earlier releases named the person who deleted a message, if Discord's audit log did. */
  actor,
  /** Somebody did it, and Discord does not tell the bot who. */
  unsaid: z.literal(true).exactOptional(),
  finding: z.enum(findings),
  channel: z.string(),
  /** What is meant, the one after the gap, or the newest. Earlier, without `from`: an entry of Discord's audit log. */
  message: z.string(),
  /** The entries concerned, by `seq`. */
  from: z.number().exactOptional(),
  to: z.number().exactOptional(),
  /** Of earlier releases: entries of Discord's audit log, and how many deletions in each were reported by then. */
  attributed: z.record(z.string(), z.number()).exactOptional(),
});

/** By the bot's token: see trail/seals.ts. What is in the trail needs none. */
const seal = z.string().exactOptional();

/** A person says that these findings, `seq` of `tampered` entries, were looked into. Without that nothing of them is ever settled. */
export const acknowledged = z.object({
  kind: z.literal('acknowledged'),
  actor,
  findings: z.array(z.int()).min(1),
  why: z.string(),
  place: place.omit({ message: true }),
  seal,
});

/** People were pinged about all findings up to this `seq`; without a place, in no channel. */
export const alerted = z.object({
  kind: z.literal('alerted'),
  actor,
  upTo: z.int(),
  place: place.exactOptional(),
  seal,
});
