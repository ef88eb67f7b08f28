import type { Line } from '../check/line.ts';
import type { Command } from '../command.ts';
import type { Actor, Decision, Server } from '../outcome.ts';
import type { PanelAnswers } from '../panel/probe.ts';
import type { Requirements } from '../policy/decide.ts';

/** The policy's answer to "may this actor do this", as `help` and `can` show it. */
export interface Access {
  actor: Actor;
  /** The version of panelops, where it is known. */
  version?: string;
  commands: readonly Command[];
  /** The command as Discord makes a link of it; undefined while it is not registered. */
  mention(command: Command): string | undefined;
  /** The time zone of what people type. */
  zone: string;
  /** A server by name, id or address, if this actor may do anything on it. Others are never mentioned. */
  find(text: string): Server | undefined;
  /** With `emergency`: whether with break-glass. */
  decide(command: Command, server?: Server, emergency?: boolean): Decision;
  /** Whether they may approve on that server, and so close reviews there. */
  mayApprove(server: Server): boolean;
  requirements(command: Command, servers?: readonly Server[]): Requirements;
  /** What does not work as configured, one sentence each. */
  troubles(): readonly string[];
  /** What blocks all changes now, or is not in the audit channel yet, and the next step, a line each. */
  holds(): Promise<readonly string[]>;
  /** The policy's name for a role id. */
  roleName(id: string): string | undefined;
  /** Whether the actor alone sees the answer. */
  isPrivate: boolean;
  /** Everything the bot needs, looked at. `told`: what the panel has just said. */
  check(told: PanelAnswers): Promise<readonly Line[]>;
}

/** What the policy says of how the team writes things. */
export interface Team {
  /** The time zone of what people type: an IANA name. */
  zone: string;
  /** Names of rulesets and of VLAN entries, by their ids in the panel. */
  rulesets: Names;
  vlans: Names;
  /** The tiers of its servers. */
  tiers: readonly string[];
}

export type Names = Readonly<Record<string, string>>;

/** What suggestions for several servers need to know. */
export interface SeveralContext {
  /** The servers that a text stands for, if the command may be run on each of them; else none. */
  named(text: string): readonly Server[];
  /** Tiers, groups and globs that stand for at least two servers, and the command may be run on all of them at once. */
  selectors(typed: string): readonly { text: string; servers: readonly Server[] }[];
  /** How many servers one such command may be about. */
  most: number;
}
