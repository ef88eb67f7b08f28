import { z } from 'zod';
import { ends, outcomes } from '../outcome.ts';
import { reasonCodes } from '../reasons.ts';
import { incident, type look, type note } from './entry-incident.ts';
import { actor, place, rawOptions, scalar, server } from './entry-parts.ts';

export { actor, place, rawOptions, server } from './entry-parts.ts';

/**
 * Everything the ledger records, in one schema. It is kept for good, so nothing secret belongs in it. A new kind or
 * field must never make an old line invalid, so everything added later is optional.
 */

/** The command that undoes a run. */
const undo = z.object({ command: z.string(), options: rawOptions });

/** Shared by all steps of a run. `options` is the canonical input of the whole invocation. */
const ofRun = {
  run: z.string(),
  actor,
  command: z.string(),
  options: rawOptions,
  server: server.exactOptional(),
  place,
};
/** Set when the panel accepts, or when a person says that it happened: how to undo it, and when to remind (ISO time). */
const ways = { undo: undo.exactOptional(), remind: z.string().exactOptional() };
const ended = {
  outcome: z.enum(outcomes),
  reason: z.enum(reasonCodes).exactOptional(),
  /** The panel's own message. */
  said: z.string().exactOptional(),
  /** Our markup: the details of a success, such as a queue id, or the reason of a failure. */
  detail: z.string().exactOptional(),
  ...ways,
};

/** The card's lines in our markup, on the first run; `warns` of runs that were not over on the same servers. */
const onCard = {
  says: z.array(z.string()).exactOptional(),
  warns: z.array(z.object({ run: z.string(), says: z.string() })).exactOptional(),
};

/** A question: an invocation waiting for Confirm. Each of its servers has one, all appended together. */
const asked = z.object({
  ...ofRun,
  kind: z.literal('asked'),
  /** ISO time; and the text to type to confirm. */
  expires: z.string(),
  typed: z.string().exactOptional(),
  /** What was read for this server and must still hold on Confirm. */
  facts: z.record(z.string(), scalar).exactOptional(),
  ...onCard,
  /** The invocation that this one undoes; and an id used by the first release. */
  undoes: z.string().exactOptional(),
  question: z.string().exactOptional(),
});

const confirmed = z.object({
  ...ofRun,
  kind: z.literal('confirmed'),
  /** The hash of the `asked` entry that was confirmed; and the process that carries it out. */
  question: z.string(),
  owner: z.string(),
});

/** From here on a request may have been sent. */
const intent = z.object({
  ...ofRun,
  kind: z.literal('intent'),
  /** The process that sends. */
  owner: z.string().exactOptional(),
  /** `seq` of the last entry known when this was decided. */
  seen: z.int().exactOptional(),
  /** Effects that it opens and closes when it succeeds: see effects.ts. */
  opens: z.array(z.string()).exactOptional(),
  closes: z.array(z.string()).exactOptional(),
  undoes: z.string().exactOptional(),
  ...onCard,
});

/** `owner`: the process that continues with the command's other servers. */
const outcome = z.object({ ...ofRun, kind: z.literal('outcome'), ...ended, owner: z.string().exactOptional() });

/** Denials of one person beyond the first few, counted instead of recorded one by one. Times are ISO. */
const folded = z.object({
  count: z.int(),
  first: z.string(),
  last: z.string(),
  /** A hash chain over all of them: see run/denials.ts. */
  digest: z.string(),
  /** Distinct commands, with the server as typed; only the first ones if there are very many. */
  commands: z.array(z.object({ command: z.string(), server: z.string().exactOptional(), count: z.int() })),
});

/** With `folded`, `command` is the first one and `options` is missing. */
const denied = z.object({ ...ofRun, kind: z.literal('denied'), ...ended, folded: folded.exactOptional() });

/** A person says how a run with an unknown outcome ended. */
const resolved = z.object({
  ...ofRun,
  kind: z.literal('resolved'),
  happened: z.boolean(),
  /** How they know. */
  why: z.string(),
  ...ways,
});

const reminded = z.object({ ...ofRun, kind: z.literal('reminded') });
const pinged = z.object({ ...ofRun, kind: z.literal('pinged') });

/**
 * Watching a job. `started` is appended together with the outcome `accepted`, or with a person's word that an unknown
 * change did happen. `ended` may come twice: the watching ended before the job, and then a person reports its end.
 */
const ofFollowUp = {
  ...ofRun,
  kind: z.literal('follow-up'),
  follow: z.enum(['restore', 'power']).exactOptional(),
  /** The panel's id of the job or queue item; missing if unknown. */
  job: z.number().exactOptional(),
};
const followUp = z.discriminatedUnion('step', [
  z.object({
    ...ofFollowUp,
    step: z.literal('started'),
    follow: z.enum(['restore', 'power']),
    /** When watching ends at the latest, ISO time. */
    deadline: z.string(),
  }),
  /** A newer message replaces the card. */
  z.object({ ...ofFollowUp, step: z.literal('moved') }),
  /** From now on, `to` is pinged at the end. */
  z.object({ ...ofFollowUp, step: z.literal('handed-over'), to: actor }),
  /** The number of the reminder, from 1. */
  z.object({ ...ofFollowUp, step: z.literal('reminded'), n: z.number() }),
  z.object({
    ...ofFollowUp,
    step: z.literal('ended'),
    end: z.enum(ends),
    /** Why, in the panel's words and in ours. */
    said: z.string().exactOptional(),
    detail: z.string().exactOptional(),
    by: actor.exactOptional(),
  }),
  /** The end was posted, or nobody has to be pinged. */
  z.object({ ...ofFollowUp, step: z.literal('announced') }),
]);

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

const findings = ['deleted', 'edited', 'missing', 'changed', 'reordered', 'strange', 'ahead', 'unvouched'] as const;

/** The trail in the channel was tampered with. */
const tampered = z.object({
  kind: z.literal('tampered'),
  /** The person that Discord names; otherwise the bot. */
  actor,
  /** A person did it, but Discord does not name them. */
  unsaid: z.literal(true).exactOptional(),
  finding: z.enum(findings),
  channel: z.string(),
  /** The message that is meant, the one after the gap, or the newest; without `from`, all that is known is this entry of Discord's audit log. */
  message: z.string(),
  /** The entries concerned, by `seq`. */
  from: z.number().exactOptional(),
  to: z.number().exactOptional(),
  /** The entries of Discord's audit log that explain this, and how many of the deletions in each are reported so far. */
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

const newEntry = z.union([
  z.discriminatedUnion('kind', [asked, confirmed, intent, outcome, denied, resolved, reminded, pinged]),
  followUp,
  z.discriminatedUnion('kind', [started, stopped, configured, tampered, acknowledged, alerted, incident]),
]);

/** The link in the chain. `seq` counts from 1, `time` is ISO, `hash` and `prev` are SHA-256 in hex. */
const link = z.object({ seq: z.int(), time: z.string(), prev: z.string(), hash: z.string() });

type Link = z.infer<typeof link>;
export type NewEntry = z.infer<typeof newEntry>;
export type Entry = NewEntry & Link;
export type NewRunEntry = Extract<NewEntry, { run: string }>;
export type RunEntry = NewRunEntry & Link;
export type EventEntry = Exclude<NewEntry, NewRunEntry> & Link;

/** An entry of one kind. */
export type Kind<K extends Entry['kind']> = Extract<Entry, { kind: K }>;
export type Step<S extends FollowStep> = Extract<Kind<'follow-up'>, { step: S }>;
export type FollowStep = Extract<NewEntry, { kind: 'follow-up' }>['step'];

export type Finding = (typeof findings)[number];
export type Folded = z.infer<typeof folded>;
export type Note = z.infer<typeof note>;
export type Look = z.infer<typeof look>;
export type Undo = z.infer<typeof undo>;
export type EntryServer = z.infer<typeof server>;
export type EntryPlace = z.infer<typeof place>;

/** The denials folded into an entry, if any. */
export const foldedIn = (entry: Entry): Folded | undefined => (entry.kind === 'denied' ? entry.folded : undefined);

/** How many outcomes an entry stands for. */
export const timesOf = (entry: Entry): number => foldedIn(entry)?.count ?? 1;

export const isOfRun = (entry: Entry): entry is RunEntry => 'run' in entry;

/** Validates a parsed line; undefined when it is not an entry. Keeps members that this version does not know. */
export function readEntry(parsed: unknown): Entry | undefined {
  if (!link.safeParse(parsed).success || !newEntry.safeParse(parsed).success) return undefined;
  // Not the result of `parse`, which drops members that this version does not know.
  return parsed as Entry;
}
