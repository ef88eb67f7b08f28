import { isOfTier, type Place, type Ruling, type Server, shellChannel } from '../outcome.ts';
import type { Inventory } from './inventory.ts';
import { shiftOf } from './on-call.ts';
import { type Nameable, namesAny, namesCommand } from './pattern.ts';
import type { Limit, Policy, Role, Stricter } from './schema.ts';
import type { ListedServer } from './server.ts';

export interface Subject extends Nameable {
  /** It never reaches the panel. */
  local?: true;
  /** Everyone may run it, regardless of the policy. */
  everyone?: true;
  /** It is answered in every channel of the guild. */
  anywhere?: true;
}

export interface Deciding {
  /**
   * Whether someone with these roles may run the command: on that server, or without one, on any. A server is matched by
   * id; its name and the rest come from the policy. With `emergency`: whether with break-glass.
   */
  decide(ask: {
    roles: readonly string[];
    command: Subject;
    server?: Server | undefined;
    emergency?: boolean | undefined;
  }): Ruling;
  /** Whether they may run it on that server during a freeze, too. */
  mayDuringFreeze(roles: readonly string[], command: Subject, server: Server): boolean;
  /** On which servers they may run any of the commands, apart from those that everyone may. */
  reachOf(roles: readonly string[], commands: readonly Subject[]): Reach;
}

/** The servers that somebody may do something on: found out once, and asked of many. */
export interface Reach {
  has(server: Server): boolean;
  /** Of one of the policy's own servers, which need not be looked up. */
  hasListed(server: ListedServer): boolean;
}

/** A row of `roles` that has a rule for a command. */
interface Fitting {
  row: Role;
  by: string;
  reaches(server: Server): boolean;
}

/** Whether somebody with these roles, and shifts, has what the row gives. */
const isHeldBy = ({ role, 'on-call': of }: Role, roles: readonly string[]): boolean =>
  roles.includes(role) && (of === undefined || roles.includes(shiftOf(of)));

/** The schedule whose shift is all that they lack for one of these. */
const shiftLacked = (fitting: readonly Fitting[], roles: readonly string[]): string | undefined =>
  fitting.find(({ row }) => row['on-call'] !== undefined && roles.includes(row.role))?.row['on-call'];

/** Prepares the policy for its decisions. `isKnown`: whether it is known who has the shift of that schedule. */
export function deciding(
  policy: Policy,
  { byId }: Pick<Inventory, 'byId'>,
  isKnown: (schedule: string) => boolean = () => true,
): Deciding {
  const rows = policy.roles.map((row) => ({
    row,
    reaches: row.servers === undefined ? () => true : namesAny(row.servers),
  }));
  const known = { always: new WeakMap<Subject, readonly Fitting[]>(), emergency: new WeakMap<Subject, Fitting[]>() };

  /** The rows with a rule for the command, in the order of the file. */
  function fittingFor(command: Subject, when: keyof typeof known = 'always'): readonly Fitting[] {
    const before = known[when].get(command);
    if (before !== undefined) return before;
    const fitting = rows.flatMap(({ row, reaches }) => {
      const by = when === 'always' ? ruleFor(row, command) : emergencyRuleFor(row, command);
      return by === undefined ? [] : [{ row, by, reaches }];
    });
    known[when].set(command, fitting);
    return fitting;
  }

  /** Looking into the ledger touches no server, and must also find what happened on one no longer listed. */
  const isForListed = ({ danger }: Subject): boolean =>
    danger !== 'audit' && policy.unlisted !== 'all' && (policy.unlisted === 'nothing' || danger !== 'read');

  return {
    decide({ roles, command, server, emergency = false }) {
      if (command.everyone) return { allowed: true, role: 'everyone', by: 'everyone' };
      const fitting = fittingFor(command, emergency ? 'emergency' : 'always');
      const listed = server && byId(server.id);
      const target = server && (listed ?? { id: server.id });
      const isOut = server !== undefined && listed === undefined && isForListed(command);
      const isReached = ({ reaches }: Fitting): boolean => !isOut && (target === undefined || reaches(target));
      const isHeld = ({ row }: Fitting): boolean => isHeldBy(row, roles);
      const first = fitting.find((each) => isHeld(each) && isReached(each));
      if (first !== undefined) return { allowed: true, role: first.row.name, by: first.by };

      const holders = [...new Set(fitting.filter(isReached).map(({ row }) => row.name))];
      const denial = {
        allowed: false as const,
        missing: emergency ? `${command.id} with break-glass` : command.id,
        holders,
        ...(server === undefined ? {} : { server }),
      };
      const of = shiftLacked(fitting.filter(isReached), roles);
      if (of !== undefined) return { ...denial, why: 'shift', shift: { of, isKnown: isKnown(of) } };
      if (!fitting.some(isHeld)) return { ...denial, why: 'role' };
      return { ...denial, why: isOut ? 'unlisted' : 'server' };
    },
    mayDuringFreeze: (roles, command, { id }) =>
      rows.some(
        ({ row, reaches }) =>
          isHeldBy(row, roles) &&
          (row['during-freeze'] ?? []).some((rule) => namesCommand(rule, command)) &&
          reaches(byId(id) ?? { id }),
      ),
    reachOf(roles, commands) {
      const reachesOf = (those: readonly Subject[]) => {
        const held = those.flatMap((each) => fittingFor(each).filter(({ row }) => isHeldBy(row, roles)));
        return [...new Set(held.map(({ reaches }) => reaches))];
      };
      const others = commands.filter(({ everyone }) => !everyone);
      const ofListed = reachesOf(others);
      const ofOthers = reachesOf(others.filter((each) => !isForListed(each)));
      const hasListed = (server: ListedServer): boolean => ofListed.some((reaches) => reaches(server));
      return {
        hasListed,
        has({ id }) {
          const listed = byId(id);
          return listed === undefined ? ofOthers.some((reaches) => reaches({ id })) : hasListed(listed);
        },
      };
    },
  };
}

/** Ids of the roles that may run the command on some server. */
export const rolesFor = (policy: Policy, command: Subject): string[] => [
  ...new Set(policy.roles.filter((row) => ruleFor(row, command) !== undefined).map(({ role }) => role)),
];

export const isGiven = (policy: Policy, command: Subject): boolean =>
  command.everyone === true ||
  rolesFor(policy, command).length > 0 ||
  policy.roles.some((row) => emergencyRuleFor(row, command) !== undefined);

function ruleFor(row: Role, command: Subject): string | undefined {
  return row.allow.find((rule) => namesCommand(rule, command));
}

const emergencyRuleFor = (row: Role, command: Subject): string | undefined =>
  row['break-glass'] && row['allow-in-emergency']?.find((rule) => isChange(command) && namesCommand(rule, command));

/** What is asked for before a command is sent. `approvals`: how many other people approve it after Confirm; left out: none. */
export interface Requirements {
  confirm: boolean;
  typed: boolean;
  reason: boolean;
  approvals?: number;
}

/**
 * What to ask for before the command is sent to these servers; without them, to any. Destructive commands always need
 * Confirm; the policy can only add. Typing the server's name is part of confirming, and so is asking for an approval, so
 * both imply `confirm`. Commands that change nothing never ask.
 */
export function requirements(
  policy: Pick<Policy, 'commands'>,
  command: Subject,
  servers?: readonly Pick<Server, 'tier' | 'heldTo'>[],
): Requirements {
  if (!isChange(command)) return { confirm: false, typed: false, reason: false };
  const rows = policy.commands.filter(
    (row) => row.match.some((rule) => namesCommand(rule, command)) && isAboutAny(row, servers),
  );
  const typed = rows.some((row) => row.typed === true);
  const approvals = Math.max(0, ...rows.map((row) => row.approvals ?? 0));
  return {
    confirm: command.danger === 'destructive' || typed || approvals > 0 || rows.some((row) => row.confirm === true),
    typed,
    reason: rows.some((row) => row.reason === 'required'),
    ...(approvals === 0 ? {} : { approvals }),
  };
}

const isAboutAny = ({ tiers }: Stricter, servers: readonly Pick<Server, 'tier' | 'heldTo'>[] | undefined): boolean =>
  tiers === undefined ||
  servers === undefined ||
  servers.some((server) => tiers.some((tier) => isOfTier(server, tier)));

/** The permission to approve what others confirmed: given by its id alone, like those of some commands. */
export const approval: Subject = { id: 'approve', danger: 'write', local: true, byName: true };

/** The permission to acknowledge alerts of other systems. */
export const acknowledgement: Subject = { id: 'alerts.acknowledge', danger: 'write', local: true, byName: true };

/** Whether the command may change something in the panel; only such commands can be made stricter. */
export function isChange(command: Subject): boolean {
  return command.local === undefined && (command.danger === 'write' || command.danger === 'destructive');
}

/** The policy's limit for one command, if it sets one. */
export function limit(policy: Policy, commandId: string): Limit | undefined {
  return Object.hasOwn(policy.limits, commandId) ? policy.limits[commandId] : undefined;
}

/** Whether a command's `server` takes several: always, or where the policy says so. */
export type Takes = 'always' | 'where-allowed';

/** The most servers that one such command may be about. `takes` is missing if it is about one. */
export function mostServers(several: Policy['several'], command: Nameable, takes: Takes | undefined): number {
  const isTaken =
    takes === 'always' || (takes === 'where-allowed' && several.also.some((rule) => namesCommand(rule, command)));
  return isTaken ? several.most : 1;
}

/** Whether the bot answers there: in the policy's guild, in its channels and their threads, or what it answers anywhere. */
export function answersIn(policy: Policy, place: Place, command?: Pick<Subject, 'anywhere'>): boolean {
  if (place.guild !== policy.guild) return false;
  if (place.channel === shellChannel) return policy.shell !== undefined;
  if (policy.channels === undefined || command?.anywhere) return true;
  return (
    policy.channels.includes(place.channel) || (place.parent !== undefined && policy.channels.includes(place.parent))
  );
}
