import { z } from 'zod';

/** What many kinds of entries have: see entry.ts. */

export const scalar = z.union([z.string(), z.number(), z.boolean()]);
export const rawOptions = z.record(z.string(), scalar).readonly();
export const person = z.object({ id: z.string(), name: z.string() });
/** Who took this step, with the roles they had then; for an expiry, the requester. */
export const actor = person.extend({ roles: z.array(z.string()).readonly() });
export const server = z.object({
  id: z.number(),
  name: z.string().exactOptional(),
  tier: z.string().exactOptional(),
  /** What the panel called it, where nobody could type that: text from outside. */
  called: z.string().exactOptional(),
  /** The tiers whose freezes hold it beside that of its own. Exact, zod would word for each entry why neither form is there. */
  heldTo: z.union([z.literal('every'), z.array(z.string()).readonly()]).optional(),
});
export const place = z.object({
  guild: z.string(),
  channel: z.string(),
  /** The parent channel of a thread. */
  parent: z.string().exactOptional(),
  /** The card's message. On `moved` the new card, on `announced`, `reminded` and `pinged` the message that did. */
  message: z.string().exactOptional(),
});
/** Whom a message pinged: ids of users, and of roles with the prefix `&`. */
export const pinging = { pings: z.array(z.string()).readonly().exactOptional() };
