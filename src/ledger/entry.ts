import type { Actor, End, Outcome, RawOptions } from '../outcome.ts';
import type { Reason } from '../reasons.ts';

/** The steps of a run that are recorded. `resolved` closes an outcome that was unknown. */
export type RunKind = 'asked' | 'intent' | 'outcome' | 'denied' | 'follow-up' | 'resolved' | 'reminded';

/** What can happen to the watching of a job; `started` comes with the outcome `accepted`, `announced` is the ping at the end. */
export type FollowStep = 'started' | 'moved' | 'handed-over' | 'reminded' | 'ended' | 'announced';

/** Another command that takes back what a run did. */
export interface Undo {
  command: string;
  options: RawOptions;
}

/** What is recorded of a run. Everything here is kept for good: nothing secret belongs in it. */
export interface NewRunEntry {
  /** Stem of the invocation, a dot, the number of the server: `9kq3v1x7m2a.1`. */
  run: string;
  kind: RunKind;
  /** Who did this step; for an expiry, the requester. */
  actor: Actor;
  command: string;
  /** On `intent`: the process that sends. */
  owner?: string;
  /** On `intent`: what is left loose on the server when it is done, such as `firewall-off primary`. */
  opens?: string[];
  /** On `intent`: what is not loose any more when it is done. */
  closes?: string[];
  /** Canonical input of the whole invocation. */
  options: RawOptions;
  server?: { id: number; name?: string; tier?: string };
  /** On `moved`, `message` is what the card is now; on `announced` and `reminded`, the message that pinged. */
  place: { guild: string; channel: string; parent?: string; message?: string };
  /** On `outcome` and `denied`, with `reason` and `said`. */
  outcome?: Outcome;
  reason?: Reason;
  said?: string;
  /** On `outcome`: what the yes came to, as the card says it: a queue id, the addresses assigned. */
  detail?: string;
  /** On `outcome`, and on `resolved` where it did happen: how to take it back, where that is known. */
  undo?: Undo;
  /** On the same: when the actor wants to be reminded of it, ISO time. */
  remind?: string;
  /** On `resolved`, with `why`: whether what was unknown did happen. */
  happened?: boolean;
  /** On `resolved`: how they know. */
  why?: string;
  /** On `asked` and `intent`: the stem of the invocation that this is to undo. */
  undoes?: string;
  /** On `asked`: the question's id. */
  question?: string;
  /** On `asked`: when the question lapses, ISO time. */
  expires?: string;
  /** On `asked`: what must be typed to confirm. */
  typed?: string;
  /** On `asked`: what was read for this server. */
  facts?: Record<string, string | number | boolean>;
  /** On `follow-up`: which step. */
  step?: FollowStep;
  /** On `started`: what is watched. */
  follow?: 'restore' | 'power';
  /** On `started`: the panel's id of the job or of the queue's item. */
  job?: number;
  /** On `started`: when the watching ends at the latest, ISO time. */
  deadline?: string;
  /** On `handed-over`: who is pinged at the end from now on. */
  to?: Actor;
  /** On `reminded`: which reminder, counted from 1. */
  n?: number;
  /** On `ended`, with `said` for the reason that the panel gave. */
  end?: End;
  /** On `ended`: the person who said so; left out when the panel did. */
  by?: Actor;
}

/** The bot came up. `facts`: what it runs with, such as `audit`, the id of the trail's channel, and a hash for each part of the policy. */
interface Started {
  kind: 'started';
  actor: Actor;
  owner: string;
  facts: Record<string, string>;
}

interface Stopped {
  kind: 'stopped';
  actor: Actor;
  owner: string;
  /** The newest message of the trail in its channel then, and up to which entry it goes. */
  reach?: { channel: string; message: string; seq: number };
}

/** Something that the bot runs with is not what it was at the start before: the names of those facts. */
interface Configured {
  kind: 'configured';
  actor: Actor;
  changed: string[];
}

export const findings = ['deleted', 'edited', 'missing', 'changed', 'reordered', 'strange', 'ahead'] as const;
/** What can be wrong with the trail in its channel; `ahead`: it holds entries that the ledger lacks. */
export type Finding = (typeof findings)[number];

/** The trail in the channel is not as it was posted. */
interface Tampered {
  kind: 'tampered';
  /** Who did it, where Discord tells; else the bot. */
  actor: Actor;
  /** It was a deed, and Discord did not say whose. */
  unsaid?: true;
  finding: Finding;
  channel: string;
  /** The message that is meant, or the one after the gap; without `from`, all that is known is this entry of Discord's audit log. */
  message: string;
  /** The entries that are meant, by `seq`. */
  from?: number;
  to?: number;
}

/** A message that somebody put into an incident's timeline, as it was then. */
export interface Note {
  message: string;
  channel: string;
  author: { id: string; name: string };
  /** When it was written, ISO time. */
  time: string;
  text: string;
}

/** What happens to an incident, which is known by the id of its thread. */
interface IncidentStep {
  kind: 'incident';
  actor: Actor;
  incident: string;
  step: 'opened' | 'noted' | 'ended';
  place: { guild: string; channel: string; parent?: string };
  /** On `opened`. */
  title?: string;
  /** On `noted`. */
  note?: Note;
}

/** What is recorded beside runs. */
export type NewEventEntry = Started | Stopped | Configured | Tampered | IncidentStep;

export type NewEntry = NewRunEntry | NewEventEntry;

/** The place in the chain. `seq` counts from 1, `time` is ISO, `hash` and `prev` are SHA-256 in hex. */
interface Link {
  seq: number;
  time: string;
  prev: string;
  hash: string;
}

export type RunEntry = NewRunEntry & Link;
export type EventEntry = NewEventEntry & Link;
export type Entry = RunEntry | EventEntry;

export const isOfRun = (entry: Entry): entry is RunEntry => 'run' in entry;
