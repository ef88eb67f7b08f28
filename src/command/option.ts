import type { Actor, RawOptions, Server } from '../outcome.ts';
import type { Records } from '../runs/book.ts';
import type { FindingState } from '../runs/findings.ts';
import type { Incident } from '../runs/incident.ts';
import type { Read, ReadBackups } from './look.ts';

/** What the policy says of how the team writes things. */
export interface Team {
  /** The time zone of what people type: an IANA name. */
  zone: string;
  /** Names of rulesets and of VLAN entries, by their ids in the panel. */
  rulesets: Names;
  vlans: Names;
  tiers: readonly string[];
}

export type Names = Readonly<Record<string, string>>;

/** What suggestions for several servers need to know. */
export interface SeveralContext {
  /** The servers that a text stands for, if the command may be run on each of them; else none. */
  named(text: string): readonly Server[];
  /** Tiers, groups and globs that stand for at least two servers, and the command may be run on all of them at once. */
  selectors(typed: string): readonly { text: string; servers: readonly Server[] }[];
  most: number;
}

/** The context for parsing options. `find` takes a name, an id or an address. */
export interface ParseContext {
  now: number;
  team: Team;
  find(text: string): Server | undefined;
  /** Those of this actor that a mistyped name may have meant. */
  near?(text: string): readonly Server[];
  /** The guild members, without bots, that `user` options name. */
  people?: readonly Actor[];
}

/** The context for autocomplete. `may` is the policy's answer for this actor, this command and that server. */
export interface SuggestContext extends ParseContext, SeveralContext {
  may(server: Server): boolean;
  typed: string;
  options: RawOptions;
  suggest(typed: string): readonly Server[];
  commands: readonly string[];
  /** Oldest first. */
  incidents: readonly Incident[];
  /** All findings in the trail, oldest first. */
  findings: readonly FindingState[];
  /** Where to look for what was done before. */
  records: Pick<Records, 'entries' | 'past' | 'outcomes'>;
  read: Read;
  backups: ReadBackups;
}

export interface Choice {
  name: string;
  value: string | number;
}

type Raw = string | number | boolean;

/** What Discord must know about an option. The value of a `user` is the user's id. */
export interface OptionSpec {
  type: 'string' | 'integer' | 'boolean' | 'user';
  description: string;
  /** It is a time: whoever types it must know of which zone. */
  isTime?: true;
  required?: boolean;
  choices?: readonly Choice[];
  min?: number;
  max?: number;
  /** A value for an example, where that of the command does not have the option. */
  example?: string;
  /** Of `server`: it takes several, with tiers, groups and globs; always, or where the policy allows it. */
  several?: 'always' | 'where-allowed';
  suggest?(context: SuggestContext): readonly Choice[] | Promise<readonly Choice[]>;
}

/** One option: its appearance, and how to parse typed input. */
export interface Option<T> extends OptionSpec {
  read(raw: Raw | undefined, context: ParseContext & { refuse(rule: string): never }): T;
  /** What parses to this value; left out where that is the value itself. */
  write?(value: T): Raw | undefined;
  /** The servers that it names: the policy decides about each, and a change has a run for each. */
  servers?(value: T): readonly Server[];
}

export type Options = Readonly<Record<string, Option<unknown>>>;
export type InputOf<O> = { [K in keyof O]: O[K] extends Option<infer T> ? T : never };
