import type { Danger, Decision, Place, Server } from '../outcome.ts';
import { namesCommand, namesServer } from './pattern.ts';
import type { Limit, Policy, Role } from './schema.ts';

/** What the policy needs to know of a command. */
export interface Subject {
  id: string;
  danger: Danger;
  /** It never reaches the panel. */
  local?: true;
  /** Everyone may run it, regardless of the policy. */
  everyone?: true;
  /** It is answered in every channel of the guild. */
  anywhere?: true;
}

/**
 * Whether someone with these roles may run the command: on that server, or without one, on any. A server is matched
 * by id; its name and the rest come from the policy.
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

/** Ids of the roles that may run the command on some server. */
export const rolesFor = (policy: Policy, command: Subject): string[] => [
  ...new Set(policy.roles.filter((row) => ruleFor(row, command) !== undefined).map(({ role }) => role)),
];

/** Whether anybody may run the command at all. */
export const isGiven = (policy: Policy, command: Subject): boolean =>
  command.everyone === true || rolesFor(policy, command).length > 0;

function ruleFor(row: Role, command: Subject): string | undefined {
  return row.allow.find((rule) => namesCommand(rule, command));
}

/** Looking into the ledger touches no server, and must also find what happened on one no longer listed. */
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
 * What to ask for before the command is sent. Destructive commands always need Confirm; the policy can only add.
 * Typing the server's name is part of confirming, so `typed` implies `confirm`. Commands that change nothing never
 * ask.
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

/** Whether the command may change something in the panel; only such commands can be made stricter. */
export function isChange(command: Subject): boolean {
  return command.local === undefined && (command.danger === 'write' || command.danger === 'destructive');
}

/** The policy's limit for one command, if it sets one. */
export function limit(policy: Policy, commandId: string): Limit | undefined {
  return Object.hasOwn(policy.limits, commandId) ? policy.limits[commandId] : undefined;
}

/** Whether the bot answers there: in the policy's guild, in its channels and their threads, or what it answers anywhere. */
export function answersIn(policy: Policy, place: Place, command?: Pick<Subject, 'anywhere'>): boolean {
  if (place.guild !== policy.guild) return false;
  if (policy.channels === undefined || command?.anywhere) return true;
  return (
    policy.channels.includes(place.channel) || (place.parent !== undefined && policy.channels.includes(place.parent))
  );
}
