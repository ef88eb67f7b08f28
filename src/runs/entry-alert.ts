import { z } from 'zod';
import { actor, pinging, place, server } from './entry-parts.ts';

/** What a source says of one alert. All texts are from outside, cut to a length. */
const news = z.object({
  /** The name of the token with which it came. */
  source: z.string(),
  /** What the source puts on one card; and of what it says whether it fires. */
  group: z.string(),
  key: z.string(),
  state: z.enum(['firing', 'resolved']),
  /** When it began to fire, ISO: as the source says, or else when it came. */
  since: z.string(),
  title: z.string(),
  severity: z.string().exactOptional(),
  summary: z.string().exactOptional(),
  /** Only to hosts of `link-hosts`. */
  link: z.string().exactOptional(),
  runbook: z.string().exactOptional(),
  /** The servers that its labels name: of several, nobody knows which is meant. */
  servers: z.array(server).readonly().exactOptional(),
  /** What its labels say, where they name no known server. */
  named: z.array(z.string()).readonly().exactOptional(),
  /** How many alerts of the group the source left out. */
  truncated: z.int().exactOptional(),
});
export type AlertNews = Readonly<z.infer<typeof news>>;

const ofAlert = { kind: z.literal('alert'), actor };
const ofCard = { ...ofAlert, card: z.string() };

/** Alerts of other systems. `card`: `seq` of the entry with which a card began, and which of its news that was, from 0. */
export const alert = z.discriminatedUnion('step', [
  z.object({ ...ofAlert, step: z.literal('received'), news: z.array(news).readonly() }),
  /** People were told of all that fired up to entry `upTo`: by the card, or below it. No place: there was no channel. */
  z.object({ ...ofCard, step: z.literal('shown'), upTo: z.int(), place: place.exactOptional(), ...pinging }),
  /** Nothing has been heard of it since then, ISO, and nobody is reminded any more. */
  z.object({ ...ofCard, step: z.literal('silent'), heard: z.string() }),
  /** A person sees to all that fired up to entry `upTo`. */
  z.object({ ...ofCard, step: z.literal('acknowledged'), upTo: z.int(), place }),
]);
