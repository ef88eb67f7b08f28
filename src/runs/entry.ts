import { z } from 'zod';
import { ends, outcomes } from '../outcome.ts';
import { reasonCodes } from '../reasons.ts';
import {
  actor,
  alert,
  events,
  type findings,
  type look,
  type note,
  person,
  pinging,
  place,
  rawOptions,
  scalar,
  server,
  stops,
} from './entry-events.ts';
import { kept, readRules } from './kept.ts';

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

/** Somebody who may not run this asks somebody who may: one for each server. Who takes it on acts in `asked`. */
const requested = z.object({
  ...ofRun,
  kind: z.literal('requested'),
  /** ISO time. */
  expires: z.string(),
  /** The run of the denial that this is about. */
  denied: z.string(),
  /** What was read for this server, and must be the same when somebody takes it on. */
  facts: z.record(z.string(), scalar).exactOptional(),
});

/** A question: an invocation waiting for Confirm. Each of its servers has one, all appended together. */
const asked = z.object({
  ...ofRun,
  kind: z.literal('asked'),
  /** ISO time; and the text to type to confirm. */
  expires: z.string(),
  typed: z.string().exactOptional(),
  /** What was read for this server: `facts` must still hold on Confirm, a later look compares with `before`. */
  facts: z.record(z.string(), scalar).exactOptional(),
  before: z.record(z.string(), scalar).exactOptional(),
  ...onCard,
  /** The freezes, `seq`, of which the question tells: they do not stop it. */
  despite: z.array(z.int()).exactOptional(),
  /** How many other people must approve it after Confirm. */
  approvals: z.int().exactOptional(),
  /** Break-glass: why this person goes on without the right, the approval or the trail that is otherwise wanted. */
  glass: z.string().exactOptional(),
  /** The invocation that this one undoes; and an id used by the first release. */
  undoes: z.string().exactOptional(),
  question: z.string().exactOptional(),
  /** `seq` of the entry whose button began it: what was done since is not done again. */
  since: z.int().exactOptional(),
  /** The ids of the servers that it goes on with, one after the other, with commas. */
  rest: z.string().exactOptional(),
});

/** Of earlier releases: which of several processes goes on. */
const owner = z.string().exactOptional();

const confirmed = z.object({
  ...ofRun,
  kind: z.literal('confirmed'),
  /** The hash of the `asked` entry that was confirmed. */
  question: z.string(),
  owner,
  /** Until when the approvals may come, ISO time. */
  until: z.string().exactOptional(),
});

/** Another person approves what the requester confirmed. */
const approved = z.object({ ...ofRun, kind: z.literal('approved'), question: z.string(), owner });

/** Those who may approve were pinged. */
const called = z.object({ ...ofRun, kind: z.literal('called'), ...pinging });

/** From here on a request may have been sent. */
const intent = z.object({
  ...ofRun,
  kind: z.literal('intent'),
  owner,
  /** `seq` of the last entry known when this was decided. */
  seen: z.int().exactOptional(),
  /** Effects that it opens and closes when it succeeds: see effects.ts. */
  opens: z.array(z.string()).exactOptional(),
  closes: z.array(z.string()).exactOptional(),
  /** The freezes, `seq`, that this person may change something in spite of. */
  despite: z.array(z.int()).exactOptional(),
  undoes: z.string().exactOptional(),
  /** The digest of the panel's list of servers by which it was decided. */
  list: z.string().exactOptional(),
  /** What it removes, as read right before. */
  kept: kept.exactOptional(),
  ...onCard,
});

/** `ends`: `seq` of the intent that it is of. */
const of = { owner, ends: z.int().exactOptional() };
const outcome = z.object({ ...ofRun, kind: z.literal('outcome'), ...ended, ...of });

/** What was read right after a change that the panel took. */
const readBack = z.object({ ...ofRun, kind: z.literal('read-back'), rules: readRules });

/** Denials of one person beyond the first few, counted instead of recorded one by one. Times are ISO. */
const folded = z.object({
  count: z.int(),
  first: z.string(),
  last: z.string(),
  /** Of older versions: a hash chain over all of them. */
  digest: z.string().exactOptional(),
  /** Distinct commands, with the server as typed; only the first ones if there are very many. */
  commands: z.array(
    z.object({
      command: z.string(),
      server: z.string().exactOptional(),
      /** The button that was pressed on a card about it. */
      pressed: z.string().exactOptional(),
      count: z.int(),
    }),
  ),
});

/** A click without the right: which button, and on whose run. */
const pressed = z.object({ button: z.string(), run: z.string(), of: person });

/**
 * With `folded`, `command` is the first, without options. With `pressed`, a button was pressed about that command. `meant`:
 * the ids of its servers, where it offered a way on; the options have them as typed.
 */
const denied = z.object({
  ...ofRun,
  kind: z.literal('denied'),
  ...ended,
  pressed: pressed.exactOptional(),
  meant: z.array(z.int()).readonly().exactOptional(),
  folded: folded.exactOptional(),
});

/** A person says how a run with an unknown outcome ended. */
const resolved = z.object({
  ...ofRun,
  kind: z.literal('resolved'),
  happened: z.boolean(),
  /** It happened, and is still under way: a follow-up of it starts. */
  running: z.literal(true).exactOptional(),
  /** How they know. */
  why: z.string(),
  ...ways,
});

/** Another person looked at what was done with break-glass, and says what they found. */
const reviewed = z.object({ ...ofRun, kind: z.literal('reviewed'), why: z.string() });

const reminded = z.object({ ...ofRun, kind: z.literal('reminded'), ...pinging });
const pinged = z.object({ ...ofRun, kind: z.literal('pinged'), ...pinging });

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
    /** A person said which job it is. */
    given: z.literal(true).exactOptional(),
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
  z.object({ ...ofFollowUp, step: z.literal('announced'), ...pinging }),
]);

const newEntry = z.union([
  z.discriminatedUnion('kind', [
    requested,
    asked,
    confirmed,
    approved,
    called,
    intent,
    outcome,
    readBack,
    denied,
    resolved,
    reviewed,
    reminded,
    pinged,
  ]),
  followUp,
  stops,
  events,
  alert,
]);

/**
 * The link in the chain. `seq` counts from 1, `time` is ISO, `hash` and `prev` are SHA-256 in hex. The first entry of a
 * file also vouches for the checkpoint of the files before, by its SHA-256.
 */
const link = z.object({
  ...{ seq: z.int(), time: z.string(), prev: z.string(), hash: z.string() },
  checkpoint: z.string().exactOptional(),
});

type Link = z.infer<typeof link>;
export type NewEntry = z.infer<typeof newEntry>;
export type Entry = NewEntry & Link;
export type NewRunEntry = Extract<NewEntry, { run: string }>;
export type RunEntry = NewRunEntry & Link;
export type EventEntry = Exclude<NewEntry, NewRunEntry> & Link;

export type Kind<K extends Entry['kind']> = Extract<Entry, { kind: K }>;
export type Step<S extends FollowStep> = Extract<Kind<'follow-up'>, { step: S }>;
export type FollowStep = Extract<NewEntry, { kind: 'follow-up' }>['step'];

export type Finding = (typeof findings)[number];
export type Folded = z.infer<typeof folded>;
export type Note = z.infer<typeof note>;
export type IncidentRead = z.infer<typeof look>;
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
