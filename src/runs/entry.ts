import { z } from 'zod';
import { ends, outcomes } from '../outcome.ts';
import { reasonCodes } from '../reasons.ts';

/**
 * What the ledger records, in one schema. It is kept for good: nothing secret belongs in it. A new kind or field must never make
 * an old line invalid, so whatever came later is optional.
 */

const scalar = z.union([z.string(), z.number(), z.boolean()]);
export const rawOptions = z.record(z.string(), scalar).readonly();
const person = z.object({ id: z.string(), name: z.string() });
/** Who did this step, with the roles of that moment; for an expiry, the requester. */
export const actor = person.extend({ roles: z.array(z.string()).readonly() });
export const server = z.object({ id: z.number(), name: z.string().exactOptional(), tier: z.string().exactOptional() });
export const place = z.object({
  guild: z.string(),
  channel: z.string(),
  /** The channel of a thread. */
  parent: z.string().exactOptional(),
  /** The card; on `moved` what the card is now, on `announced` and `reminded` the message that pinged. */
  message: z.string().exactOptional(),
});
/** Another command that takes back what a run did. */
const undo = z.object({ command: z.string(), options: rawOptions });

/** What all steps of a run share. `options` is the canonical input of the whole invocation. */
const ofRun = {
  run: z.string(),
  actor,
  command: z.string(),
  options: rawOptions,
  server: server.exactOptional(),
  place,
};
/** What a yes brings, or a person who says that it did happen: how to take it back, and when to remind of it (ISO time). */
const ways = { undo: undo.exactOptional(), remind: z.string().exactOptional() };
const ended = {
  outcome: z.enum(outcomes),
  reason: z.enum(reasonCodes).exactOptional(),
  /** The panel's own words. */
  said: z.string().exactOptional(),
  /** Markup of ours: what the yes came to, such as a queue id, or why not. */
  detail: z.string().exactOptional(),
  ...ways,
};

/** A question: an invocation waits for Confirm. Each of its servers has one, all in one append. */
const asked = z.object({
  ...ofRun,
  kind: z.literal('asked'),
  /** ISO time. */
  expires: z.string(),
  /** What must be typed to confirm. */
  typed: z.string().exactOptional(),
  /** What was read for this server, and must still be so. */
  facts: z.record(z.string(), scalar).exactOptional(),
  /** The question's lines, markup of ours; on the first of its runs. */
  says: z.array(z.string()).exactOptional(),
  /** The invocation that this is to undo. */
  undoes: z.string().exactOptional(),
  /** The first release stored questions by this id. */
  question: z.string().exactOptional(),
});

const confirmed = z.object({
  ...ofRun,
  kind: z.literal('confirmed'),
  /** The hash of the `asked` entry that was confirmed. */
  question: z.string(),
  /** The process that goes on with it. */
  owner: z.string(),
});

/** From here on a request may be on its way. */
const intent = z.object({
  ...ofRun,
  kind: z.literal('intent'),
  /** The process that sends. */
  owner: z.string().exactOptional(),
  /** The last entry that was known when this was decided, by `seq`. */
  seen: z.int().exactOptional(),
  /** Effects that it opens and closes when it is done: see effects.ts. */
  opens: z.array(z.string()).exactOptional(),
  closes: z.array(z.string()).exactOptional(),
  undoes: z.string().exactOptional(),
  /** What the card says beside the outcome, markup of ours; on the first run of an invocation without a question. */
  says: z.array(z.string()).exactOptional(),
});

/** `owner`: the process that goes on with the other servers of the command. */
const outcome = z.object({ ...ofRun, kind: z.literal('outcome'), ...ended, owner: z.string().exactOptional() });

/** What a person was denied beyond the first few, counted instead of recorded one by one. Times are ISO. */
const folded = z.object({
  count: z.int(),
  first: z.string(),
  last: z.string(),
  /** A hash chain over all of them: see run/denials.ts. */
  digest: z.string(),
  /** Each once, with the server as it was typed; of very many, the first. */
  commands: z.array(z.object({ command: z.string(), server: z.string().exactOptional(), count: z.int() })),
});

/** With `folded`, `command` is the first of them, and there are no options. */
const denied = z.object({ ...ofRun, kind: z.literal('denied'), ...ended, folded: folded.exactOptional() });

/** Somebody says how a run ended that was unknown. */
const resolved = z.object({
  ...ofRun,
  kind: z.literal('resolved'),
  happened: z.boolean(),
  /** How they know. */
  why: z.string(),
  ...ways,
});

const reminded = z.object({ ...ofRun, kind: z.literal('reminded') });

/**
 * The watching of a job: `started` comes in one append with the outcome `accepted`, or with a person's word that what ended unknown
 * did happen. `ended` may come twice: nobody saw the end, and then somebody says how it ended.
 */
const ofFollowUp = {
  ...ofRun,
  kind: z.literal('follow-up'),
  follow: z.enum(['restore', 'power']).exactOptional(),
  /** The panel's id of the job, or of the queue's item; left out where nobody knows it. */
  job: z.number().exactOptional(),
};
const followUp = z.discriminatedUnion('step', [
  z.object({
    ...ofFollowUp,
    step: z.literal('started'),
    follow: z.enum(['restore', 'power']),
    /** When the watching ends at the latest, ISO time. */
    deadline: z.string(),
  }),
  /** A newer message took the card's place. */
  z.object({ ...ofFollowUp, step: z.literal('moved') }),
  /** `to` is pinged at the end from now on. */
  z.object({ ...ofFollowUp, step: z.literal('handed-over'), to: actor }),
  /** Which reminder, counted from 1. */
  z.object({ ...ofFollowUp, step: z.literal('reminded'), n: z.number() }),
  z.object({
    ...ofFollowUp,
    step: z.literal('ended'),
    end: z.enum(ends),
    /** Why, in the panel's words and in ours. */
    said: z.string().exactOptional(),
    detail: z.string().exactOptional(),
    /** The person who said so. */
    by: actor.exactOptional(),
  }),
  /** The end was posted, or nobody is to be pinged. */
  z.object({ ...ofFollowUp, step: z.literal('announced') }),
]);

/** The bot came up. `facts`: what it runs with, such as the trail's channel as `audit`, and a hash of each part of the policy. */
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
  /** The newest message of the trail in its channel then, and up to which entry it goes. */
  reach: z.object({ channel: z.string(), message: z.string(), seq: z.number() }).exactOptional(),
});

/** Something that the bot runs with is not what it was at the start before: the names of those facts. */
const configured = z.object({ kind: z.literal('configured'), actor, changed: z.array(z.string()) });

const findings = ['deleted', 'edited', 'missing', 'changed', 'reordered', 'strange', 'ahead', 'unvouched'] as const;

/** The trail in the channel is not as it was posted. */
const tampered = z.object({
  kind: z.literal('tampered'),
  /** Who did it, where Discord tells; else the bot. */
  actor,
  /** It was a deed, and Discord did not say whose. */
  unsaid: z.literal(true).exactOptional(),
  finding: z.enum(findings),
  channel: z.string(),
  /** The message that is meant, the one after the gap, or the newest; without `from`, all that is known is this entry of Discord's audit log. */
  message: z.string(),
  /** The entries that are meant, by `seq`. */
  from: z.number().exactOptional(),
  to: z.number().exactOptional(),
  /** The entries of Discord's audit log that this is put down to, and how many of the deletions that each counts are reported by now. */
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

/** A message that somebody put into an incident's timeline, as it was then. `time` is when it was written, ISO. */
const note = z.object({
  message: z.string(),
  channel: z.string(),
  author: person,
  time: z.string(),
  text: z.string(),
});

/** What happens to an incident, which is known by the id of its thread. */
const incident = z.object({
  kind: z.literal('incident'),
  actor,
  incident: z.string(),
  step: z.enum(['opened', 'noted', 'ended']),
  /** `message`: on `ended`, the card of the command that ended it. */
  place,
  /** On `opened`. */
  title: z.string().exactOptional(),
  /** On `noted`. */
  note: note.exactOptional(),
});

const newEntry = z.union([
  z.discriminatedUnion('kind', [asked, confirmed, intent, outcome, denied, resolved, reminded]),
  followUp,
  z.discriminatedUnion('kind', [started, stopped, configured, tampered, acknowledged, alerted, incident]),
]);

/** The place in the chain. `seq` counts from 1, `time` is ISO, `hash` and `prev` are SHA-256 in hex. */
const link = z.object({ seq: z.int(), time: z.string(), prev: z.string(), hash: z.string() });

type Link = z.infer<typeof link>;
export type NewEntry = z.infer<typeof newEntry>;
export type Entry = NewEntry & Link;
export type NewRunEntry = Extract<NewEntry, { run: string }>;
export type RunEntry = NewRunEntry & Link;
export type EventEntry = Exclude<NewEntry, NewRunEntry> & Link;

/** An entry of one kind; a step of a follow-up. */
export type Kind<K extends Entry['kind']> = Extract<Entry, { kind: K }>;
export type Step<S extends FollowStep> = Extract<Kind<'follow-up'>, { step: S }>;
export type FollowStep = Extract<NewEntry, { kind: 'follow-up' }>['step'];

export type Finding = (typeof findings)[number];
export type Folded = z.infer<typeof folded>;
export type Note = z.infer<typeof note>;
export type Undo = z.infer<typeof undo>;
export type EntryServer = z.infer<typeof server>;
export type EntryPlace = z.infer<typeof place>;

/** What of an entry was folded into it; undefined for all others. */
export const foldedIn = (entry: Entry): Folded | undefined => (entry.kind === 'denied' ? entry.folded : undefined);

/** For how many outcomes an entry stands. */
export const timesOf = (entry: Entry): number => foldedIn(entry)?.count ?? 1;

export const isOfRun = (entry: Entry): entry is RunEntry => 'run' in entry;

/** The entry in what was parsed from a line; undefined when it has no entry's shape. Members that this version does not know stay. */
export function readEntry(parsed: unknown): Entry | undefined {
  if (!link.safeParse(parsed).success || !newEntry.safeParse(parsed).success) return undefined;
  // Both schemas fit; what `parse` gives back would lack the members that this version does not know.
  return parsed as Entry;
}
