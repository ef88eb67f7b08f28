import { z } from 'zod';
import { actor, place } from './entry-parts.ts';

/** The bot started. `facts`: its configuration, such as the trail's channel as `audit`, and a hash of each part of the policy. */
export const started = z.object({
  kind: z.literal('started'),
  actor,
  owner: z.string(),
  facts: z.record(z.string(), z.string()),
});

export const stopped = z.object({
  kind: z.literal('stopped'),
  actor,
  owner: z.string(),
  /** The newest trail message in the channel at that time, and the last entry it covers. */
  reach: z.object({ channel: z.string(), message: z.string(), seq: z.number() }).exactOptional(),
});

/** The configuration differs from the previous start; or, with `owner`, it was read again while that process ran. */
export const configured = z.object({
  kind: z.literal('configured'),
  actor,
  /** The names of the facts that changed, and of a secret that did. */
  changed: z.array(z.string()),
  owner: z.string().exactOptional(),
  facts: z.record(z.string(), z.string()).exactOptional(),
  /** What of the policy is gone and what is new: "+ roles { … }". */
  difference: z.array(z.string()).exactOptional(),
  /** What was wrong: the one before stays in force. */
  problems: z.array(z.string()).exactOptional(),
});

/** The shift of a schedule went from some people to others, by their Discord ids, who were pinged; without a place, in no channel. */
export const shift = z.object({
  kind: z.literal('shift'),
  actor,
  schedule: z.string(),
  /** ISO time. */
  at: z.string(),
  before: z.array(z.string()).readonly(),
  after: z.array(z.string()).readonly(),
  place: place.exactOptional(),
});
