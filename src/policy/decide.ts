import type { Danger, Decision, Place, Server } from '../outcome.ts';
import { namesCommand, namesServer } from './pattern.ts';
import type { Limit, Policy, Role } from './schema.ts';

/** A command as far as the policy knows it. */
export interface Subject {
  id: string;
  danger: Danger;
  /** It never reaches the panel. */
  local?: true;
  /** Everyone may run it, whatever the policy says. */
  everyone?: true;
}

/**
 * Whether someone with these roles may run the command: on that server, or, without one, at all. A server is judged by its id;
 * name and the like come from the policy.
 */
export function decide(policy: Policy, ask: { roles: readonly string[]; command: Subject; server?: Server }): Decision {
  const { command, server } = ask;
  if (command.everyone) return { allowed: true, role: 'everyone', by: 'everyone' };

  const reach = server === undefined ? () => true : reachOf(policy, command, server);
  const held = policy.roles.filter((row) => ask.roles.includes(row.role));
  for (const row of held) {
    const by = ruleFor(row, command);
    if (by !== undefined && reach(row)) return { allowed: true, role: row.name, by };
  }

  const holders = policy.roles
    .filter((row) => ruleFor(row, command) !== undefined && reach(row))
    .map(({ name }) => name);
  const denial: { allowed: false; missing: string; holders: string[] } = {
    allowed: false,
    missing: command.id,
    holders: [...new Set(holders)],
  };
  if (server === undefined) return { ...denial, why: 'role' };
  if (!held.some((row) => ruleFor(row, command) !== undefined)) return { ...denial, why: 'role', server };
  return { ...denial, why: isOutOfList(policy, command, server) ? 'unlisted' : 'server', server };
}

/** The ids of the roles that may run the command somewhere. */
export const rolesFor = (policy: Policy, command: Subject): string[] => [
  ...new Set(policy.roles.filter((row) => ruleFor(row, command) !== undefined).map(({ role }) => role)),
];

/** Whether anybody may run the command at all. */
export const isGiven = (policy: Policy, command: Subject): boolean =>
  command.everyone === true || rolesFor(policy, command).length > 0;

function ruleFor(row: Role, command: Subject): string | undefined {
  return row.allow.find((rule) => namesCommand(rule, command));
}

/** To look into the ledger does nothing to a server: what was done, or tried, on one that is no longer listed must be found. */
function isOutOfList(policy: Policy, command: Subject, server: Server): boolean {
  if (command.danger === 'audit') return false;
  if (policy.servers.some(({ id }) => id === server.id)) return false;
  return policy.unlisted === 'nothing' || (policy.unlisted === 'read' && command.danger !== 'read');
}

function reachOf(policy: Policy, command: Subject, server: Server): (row: Role) => boolean {
  if (isOutOfList(policy, command, server)) return () => false;
  const target = policy.servers.find(({ id }) => id === server.id) ?? { id: server.id };
  return (row) => row.servers === undefined || row.servers.some((entry) => namesServer(entry, target));
}

/**
 * What must be given before the command is sent. Destructive commands are always asked about; the policy's rows only add. Typing
 * the server's name is part of confirming, so `typed` brings `confirm`. Commands that change nothing are never asked about.
 */
export function requirements(policy: Policy, command: Subject): { confirm: boolean; typed: boolean; reason: boolean } {
  if (!isChange(command)) return { confirm: false, typed: false, reason: false };
  const rows = policy.commands.filter((row) => row.match.some((rule) => namesCommand(rule, command)));
  const typed = rows.some((row) => row.typed === true);
  return {
    confirm: command.danger === 'destructive' || typed || rows.some((row) => row.confirm === true),
    typed,
    reason: rows.some((row) => row.reason === 'required'),
  };
}

/** Whether the command may change something in the panel: what the policy's stricter rows are about. */
export function isChange(command: Subject): boolean {
  return command.local === undefined && (command.danger === 'write' || command.danger === 'destructive');
}

/** What one command may amount to, where the policy sets a limit. */
export function limit(policy: Policy, commandId: string): Limit | undefined {
  return Object.hasOwn(policy.limits, commandId) ? policy.limits[commandId] : undefined;
}

/** Whether commands are answered there: in the policy's guild, in its channels and their threads. */
export function answersIn(policy: Policy, place: Place): boolean {
  if (place.guild !== policy.guild) return false;
  if (policy.channels === undefined) return true;
  return (
    policy.channels.includes(place.channel) || (place.parent !== undefined && policy.channels.includes(place.parent))
  );
}
