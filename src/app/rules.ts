import { resolve } from 'node:path';
import { commands } from '../../commands/index.ts';
import type { Command } from '../command.ts';
import type { Rules } from '../decide/rules.ts';
import { readServers } from '../inventory/file.ts';
import type { ServerList } from '../inventory/list.ts';
import { listedOf } from '../inventory/names.ts';
import type { ListInForce } from '../inventory/refresh.ts';
import type { Server } from '../outcome.ts';
import { suggested } from '../policy/alerts.ts';
import {
  acknowledgement,
  answersIn,
  approval,
  deciding,
  limit,
  mostServers,
  requirements,
  rolesFor,
} from '../policy/decide.ts';
import { inventory } from '../policy/inventory.ts';
import type { LivePolicy } from '../policy/live.ts';
import { readPolicy } from '../policy/load.ts';
import { namesToAsk } from '../policy/notify.ts';
import { shiftOf } from '../policy/on-call.ts';
import { exampleGuild } from '../policy/rules.ts';
import type { Policy } from '../policy/schema.ts';
import { selectors } from '../policy/selectors.ts';
import { isStrict, type ListedServer, serversOf } from '../policy/server.ts';
import type { Problem } from '../policy/shape.ts';
import { atOnce, inSlices, strides } from '../walk.ts';

/** What comes of a policy and the panel's list. */
interface Prepared {
  policy: Policy;
  list: ServerList | undefined;
  listed: readonly ListedServer[];
}

/**
 * A policy and the panel's list, prepared for the questions to them. `isKnown`: whether it is known who has the shift of that
 * schedule. `before`: what was prepared before.
 */
function* preparing(
  policy: Policy,
  list: ServerList | undefined,
  isKnown?: (schedule: string) => boolean,
  before?: Prepared,
) {
  const ofPanel = policy.inventory?.source === 'panel' && list !== undefined;
  const known =
    policy === before?.policy && before.list ? { servers: before.list.servers, listed: before.listed } : undefined;
  const listed = ofPanel ? yield* listedOf(list, policy.servers, policy.inventoryRights === 'names', known) : [];
  const all = yield* serversOf(policy, listed);
  const servers = yield* inventory(all, isStrict(policy));
  const tiers = new Set(policy.commands.flatMap((row) => row.tiers ?? []));
  for (const { tier } of policy.tiers) tiers.add(tier);
  yield* strides(all, ({ tier }) => {
    if (tier !== undefined) tiers.add(tier);
  });
  return {
    ...{ policy, list, listed, servers, tiers: [...tiers].sort(), selectors: yield* selectors(servers) },
    digest: ofPanel ? list.digest : undefined,
    ...deciding(policy, servers, isKnown),
  };
}

/** The policy in force, in the form the pipeline needs; and the panel's list in force. */
export function rulesOf(
  { current }: Pick<LivePolicy, 'current'>,
  isKnown?: (schedule: string) => boolean,
): Rules & ListInForce {
  let prepared = atOnce(preparing(current(), undefined, isKnown));
  const now = (): typeof prepared => {
    const policy = current();
    if (prepared.policy !== policy) prepared = atOnce(preparing(policy, prepared.list, isKnown));
    return prepared;
  };
  const approvers: Rules['approvers'] = (servers, id) => {
    const command = id === undefined ? approval : [...commands, acknowledgement].find((each) => each.id === id);
    // A role that may only with a shift is asked for who has that.
    const shifts = (current().onCall ?? []).map(({ name }) => shiftOf(name));
    const may =
      (role: string) =>
      (server: Server): boolean =>
        command !== undefined && now().decide({ roles: [role, ...shifts], command, server }).allowed;
    return command === undefined ? [] : rolesFor(current(), command).filter((role) => servers.every(may(role)));
  };
  return {
    list: () => prepared.list,
    async take(list) {
      const { policy, list: before } = now();
      // Of a list that says the same, only the time is new.
      prepared =
        before?.servers === list.servers
          ? { ...prepared, list }
          : await inSlices(preparing(policy, list, isKnown, prepared));
    },
    get channels() {
      return current().channels ?? [];
    },
    answersIn: (place, command) => answersIn(current(), place, command),
    decide: (roles, command, server, emergency) => now().decide({ roles, command, server, emergency }),
    mayDuringFreeze: (roles, command, server) => now().mayDuringFreeze(roles, command, server),
    reachOf: (roles, all) => now().reachOf(roles, all),
    requirements: (command, servers) => requirements(current(), command, servers),
    mayApprove: (roles, server) => now().decide({ roles, command: approval, server }),
    mayAcknowledge: (roles, server) => now().decide({ roles, command: acknowledgement, server }),
    suggested: (name) =>
      (current().alerts?.suggest ?? []).flatMap(({ alert, command }) =>
        alert === name ? (suggested(command) ?? []) : [],
      ),
    approvers,
    thawers: () => commands.flatMap(({ id, thaws }: Command) => (thaws === true ? approvers([], id) : [])),
    toAsk: (roles) => namesToAsk(current(), roles),
    get askOthers() {
      return current().askOthers !== false;
    },
    limit: (command) => limit(current(), command.id),
    most: (command) => mostServers(current().several, command, command.options['server']?.several),
    get servers() {
      return now().servers.all;
    },
    get listDigest() {
      return now().digest;
    },
    find: (text) => now().servers.find(text),
    suggest: (text, may) => now().servers.suggest(text, may),
    serversOf: (text, most) => now().selectors.serversOf(text, most),
    selectors: (typed, most) => now().selectors.beginningWith(typed, most),
    near: (text, may) => now().servers.near(text, may),
    get team() {
      const { timezone: zone, rulesets, vlans } = current();
      return { zone, rulesets, vlans, tiers: now().tiers };
    },
    roleName: (id) => current().roles.find(({ role }) => role === id)?.name,
  };
}

/** Parses policy.yaml and checks it against the commands. `folder`: where the inventory's file is, if it is read. */
export function policyFor(
  text: string,
  guild = exampleGuild,
  folder?: string,
): { policy: Policy } | { problems: Problem[] } {
  const limited = Object.fromEntries(
    commands.flatMap(({ id, limited }: Command) => (limited === undefined ? [] : [[id, limited.by]])),
  );
  const several = commands.flatMap(({ id, options }: Command) =>
    options['server']?.several === 'where-allowed' ? [id] : [],
  );
  const inventoryOf = folder === undefined ? undefined : (path: string) => readServers(resolve(folder, path));
  return readPolicy(text, { commands, limited, several, guild, inventoryOf });
}
