import { commands } from '../../commands/index.ts';
import type { Command } from '../command.ts';
import { answersIn, deciding, limit, requirements } from '../policy/decide.ts';
import { inventory } from '../policy/inventory.ts';
import type { LivePolicy } from '../policy/live.ts';
import { type Problem, readPolicy } from '../policy/load.ts';
import { exampleGuild } from '../policy/rules.ts';
import type { Policy } from '../policy/schema.ts';
import type { Rules } from '../run/parts.ts';

/** A policy, prepared for the questions to it. */
function preparedOf(policy: Policy) {
  const servers = inventory(policy.servers);
  return { policy, servers, ...deciding(policy, servers) };
}

/** The policy in force, in the form the pipeline needs. */
export function rulesOf({ current }: Pick<LivePolicy, 'current'>): Rules {
  let prepared = preparedOf(current());
  const now = (): typeof prepared => {
    const policy = current();
    if (prepared.policy !== policy) prepared = preparedOf(policy);
    return prepared;
  };
  return {
    get channels() {
      return current().channels ?? [];
    },
    answersIn: (place, command) => answersIn(current(), place, command),
    decide: (roles, command, server) => now().decide({ roles, command, server }),
    reachOf: (roles, all) => now().reachOf(roles, all),
    requirements: (command) => requirements(current(), command),
    limit: (command) => limit(current(), command.id),
    get servers() {
      return current().servers;
    },
    find: (text) => now().servers.find(text),
    suggest: (text, may) => now().servers.suggest(text, may),
    get team() {
      const { timezone: zone, rulesets, vlans } = current();
      return { zone, rulesets, vlans };
    },
    roleName: (id) => current().roles.find(({ role }) => role === id)?.name,
  };
}

/** Parses policy.yaml and checks it against the existing commands. Without a guild, it is for that of the sandbox. */
export function policyFor(text: string, guild = exampleGuild): { policy: Policy } | { problems: Problem[] } {
  const limited = Object.fromEntries(
    commands.flatMap(({ id, limited }: Command) => (limited === undefined ? [] : [[id, limited.by]])),
  );
  return readPolicy(text, { commands, limited, guild });
}
