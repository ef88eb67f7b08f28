import { z } from 'zod';
import { outcomes } from '../outcome.ts';
import { actor, person, place, rawOptions, server } from './entry-parts.ts';

/** A message added to an incident's timeline, as it was then. `time` is when it was written, ISO. */
export const note = z.object({
  message: z.string(),
  channel: z.string(),
  author: person,
  time: z.string(),
  text: z.string(),
});

/** A read of the panel in the incident's thread, without what it showed. */
export const look = z.object({
  command: z.string(),
  options: rawOptions,
  server: server.exactOptional(),
  /** The part of a longer answer, from 1; missing for the first. */
  part: z.int().exactOptional(),
  /** How it ended, if it did not succeed. `failed`: a check that found something wrong. */
  outcome: z.enum([...outcomes, 'failed']).exactOptional(),
});

/** A step of an incident, whose id is its thread's. */
export const incident = z.object({
  kind: z.literal('incident'),
  actor,
  incident: z.string(),
  step: z.enum(['opened', 'noted', 'looked', 'ended']),
  /** `message`: on `ended`, the card of the command that ended it. */
  place,
  /** Only on `opened`; and the card of alerts with which it began. */
  title: z.string().exactOptional(),
  alert: z.string().exactOptional(),
  /** Only on `noted`, and on `looked`. */
  note: note.exactOptional(),
  look: look.exactOptional(),
});
