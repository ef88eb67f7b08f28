import { z } from 'zod';
import { actor, place, server } from './entry-parts.ts';

/** Until this ISO time, unless somebody ends it before. `place`: of the command, with its card. */
const stopping = { actor, until: z.string(), why: z.string(), place };
/** `ends`: the `seq` of what this ends before its time. */
const ending = { actor, ends: z.int(), why: z.string().exactOptional(), place };

/** Nothing may change on any server; with `tier`, on none of that tier. */
export const frozen = z.object({ kind: z.literal('frozen'), ...stopping, tier: z.string().exactOptional() });
export const thawed = z.object({ kind: z.literal('thawed'), ...ending, tier: z.string().exactOptional() });

/** Nobody but the actor may change this server. `over`: the `seq` of another person's, which this takes over. */
export const held = z.object({ kind: z.literal('held'), ...stopping, server, over: z.int().exactOptional() });
export const released = z.object({ kind: z.literal('released'), ...ending, server });
