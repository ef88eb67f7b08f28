import { commands } from '../../commands/index.ts';
import type { Command } from '../command.ts';
import { defined } from '../defined.ts';
import { answersIn, decide, limit, requirements } from '../policy/decide.ts';
import { inventory } from '../policy/inventory.ts';
import { type Problem, readPolicy } from '../policy/load.ts';
import type { Policy } from '../policy/schema.ts';
import type { Rules } from '../run/parts.ts';

/** The policy, in the form the pipeline needs. */
export function rulesOf(policy: Policy): Rules {
  const servers = inventory(policy);
  return {
    channels: policy.channels ?? [],
    answersIn: (place) => answersIn(policy, place),
    decide: (roles, command, server) => decide(policy, { roles, command, ...defined({ server }) }),
    requirements: (command) => requirements(policy, command),
    limit: (command) => limit(policy, command.id),
    servers: servers.all,
    find: (text) => servers.find(text),
    suggest: (text, may) => servers.suggest(text, may),
    roleName: (id) => policy.roles.find(({ role }) => role === id)?.name,
  };
}

/** Parses policy.yaml and checks it against the existing commands. */
export function policyFor(text: string, guild: string): { policy: Policy } | { problems: Problem[] } {
  const limited = Object.fromEntries(
    commands.flatMap(({ id, limited }: Command) => (limited === undefined ? [] : [[id, limited.by]])),
  );
  return readPolicy(text, { commands, limited, guild });
}
