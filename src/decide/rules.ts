import type { Command, Team } from '../command.ts';
import type { Place, Ruling, Server } from '../outcome.ts';
import type { Reach, Requirements } from '../policy/decide.ts';
import type { Limit } from '../policy/schema.ts';
import type { Selector } from '../policy/selectors.ts';
import type { ListedServer } from '../policy/server.ts';
import type { Suggestion } from '../runs/alerts.ts';

export interface Rules {
  /** The channels in which commands are answered. Empty: everywhere in the guild. */
  channels: readonly string[];
  /** In which places it answers; `command`, if it is answered in others too. */
  answersIn(place: Place, command?: Command): boolean;
  /** With `emergency`: whether with break-glass. */
  decide(roles: readonly string[], command: Command, server?: Server, emergency?: boolean): Ruling;
  /** Whether they may run it on that server during a freeze, too. */
  mayDuringFreeze(roles: readonly string[], command: Command, server: Server): boolean;
  /** On which servers they may run any of the commands, apart from those that everyone may. */
  reachOf(roles: readonly string[], commands: readonly Command[]): Reach;
  /** What is asked for before it is sent to these servers; without them, to any. */
  requirements(command: Command, servers?: readonly Server[]): Requirements;
  /** Whether they may approve what others confirmed, on that server. */
  mayApprove(roles: readonly string[], server: Server): Ruling;
  /** Whether they may acknowledge alerts, on that server. */
  mayAcknowledge(roles: readonly string[], server?: Server): Ruling;
  /** What cards of alerts suggest for alerts of that name: a command with `{server}`, or nothing. */
  suggested(alert: string): readonly Suggestion[];
  /** The ids of the roles that may approve on all of these servers; with a command's id, that may run it there. */
  approvers(servers: readonly Server[], command?: string): readonly string[];
  thawers(): readonly string[];
  /** The names of those whom somebody without the right asks, of the roles that have it. */
  toAsk(roles: readonly string[]): readonly string[];
  /** Whether a denial that others could lift offers to ask them. */
  askOthers: boolean;
  limit(command: Command): Limit | undefined;
  most(command: Command): number;
  servers: readonly ListedServer[];
  /** Of the panel's list, where that is where servers are listed. */
  listDigest: string | undefined;
  find(text: string): Server | undefined;
  suggest(text: string, may: (server: ListedServer) => boolean): readonly Server[];
  /** The listed servers that a tier, a group or a glob stands for; see Selectors. Undefined: the text is none of these. */
  serversOf(text: string, most?: number): readonly ListedServer[] | undefined;
  selectors(typed: string, most?: number): Iterable<Selector>;
  /** Those that a mistyped name may have meant. */
  near(text: string, may: (server: ListedServer) => boolean): readonly Server[];
  team: Team;
  roleName(id: string): string | undefined;
}
