import { z } from 'zod';
import { outcomes } from '../outcome.ts';

/** What many kinds of entries have; and below it, the entries of no run. entry.ts has the others. */

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

/** The bot started. `facts`: its configuration, such as the trail's channel as `audit`, and a hash of each part of the policy. */
const started = z.object({
  kind: z.literal('started'),
  actor,
  owner: z.string(),
  facts: z.record(z.string(), z.string()),
});

const stopped = z.object({
  kind: z.literal('stopped'),
  actor,
  owner: z.string(),
  /** The newest trail message in the channel at that time, and the last entry it covers. */
  reach: z.object({ channel: z.string(), message: z.string(), seq: z.number() }).exactOptional(),
});

/** The configuration differs from the previous start; or, with `owner`, it was read again while that process ran. */
const configured = z.object({
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
const shift = z.object({
  kind: z.literal('shift'),
  actor,
  schedule: z.string(),
  /** ISO time. */
  at: z.string(),
  before: z.array(z.string()).readonly(),
  after: z.array(z.string()).readonly(),
  place: place.exactOptional(),
});

/** Until this ISO time, unless somebody ends it before. `place`: of the command, with its card. */
const stopping = { actor, until: z.string(), why: z.string(), place };
/** `ends`: the `seq` of what this ends before its time. */
const ending = { actor, ends: z.int(), why: z.string().exactOptional(), place };

/** Nothing may change on any server; with `tier`, on none of that tier. */
const frozen = z.object({ kind: z.literal('frozen'), ...stopping, tier: z.string().exactOptional() });
const thawed = z.object({ kind: z.literal('thawed'), ...ending, tier: z.string().exactOptional() });

/** Nobody but the actor may change this server. `over`: the `seq` of another person's, which this takes over. */
const held = z.object({ kind: z.literal('held'), ...stopping, server, over: z.int().exactOptional() });
const released = z.object({ kind: z.literal('released'), ...ending, server });

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
const incident = z.object({
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

/** What a source says of one alert. All texts are from outside, cut to a length. */
const alertNews = z.object({
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
export type AlertNews = Readonly<z.infer<typeof alertNews>>;

const ofAlert = { kind: z.literal('alert'), actor };
const ofCard = { ...ofAlert, card: z.string() };

/** Alerts of other systems. `card`: `seq` of the entry with which a card began, and which of its news that was, from 0. */
export const alert = z.discriminatedUnion('step', [
  z.object({ ...ofAlert, step: z.literal('received'), news: z.array(alertNews).readonly() }),
  /** People were told of all that fired up to entry `upTo`: by the card, or below it. No place: there was no channel. */
  z.object({ ...ofCard, step: z.literal('shown'), upTo: z.int(), place: place.exactOptional(), ...pinging }),
  /** Nothing has been heard of it since then, ISO, and nobody is reminded any more. */
  z.object({ ...ofCard, step: z.literal('silent'), heard: z.string() }),
  /** A person sees to all that fired up to entry `upTo`. */
  z.object({ ...ofCard, step: z.literal('acknowledged'), upTo: z.int(), place }),
]);

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
const tampered = z.object({
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
const acknowledged = z.object({
  kind: z.literal('acknowledged'),
  actor,
  findings: z.array(z.int()).min(1),
  why: z.string(),
  place: place.omit({ message: true }),
  seal,
});

/** People were pinged about all findings up to this `seq`; without a place, in no channel. */
const alerted = z.object({
  kind: z.literal('alerted'),
  actor,
  upTo: z.int(),
  place: place.exactOptional(),
  seal,
});

export const stops = z.discriminatedUnion('kind', [frozen, thawed, held, released]);
export const events = z.discriminatedUnion('kind', [
  started,
  stopped,
  configured,
  shift,
  tampered,
  acknowledged,
  alerted,
  incident,
]);
