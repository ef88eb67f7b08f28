import type { Command } from '../command.ts';
import type { Actor, Decision, RawOptions, Server } from '../outcome.ts';
import type { Parts } from './parts.ts';

/** The role that everybody has. */
export const everyone = 'everyone';

type PolicyParts = Pick<Parts, 'rules' | 'commands'>;

/** Whether the actor may do anything on the server that not everybody may do. */
export function mayTouch({ rules, commands }: PolicyParts, { roles }: Actor, server: Server): boolean {
  return commands.some((command) => {
    const decision = rules.decide(roles, command, server);
    return decision.allowed && decision.role !== everyone;
  });
}

/** The server names in an option, as typed. */
export const namesIn = (typed: RawOptions[string] | undefined): string[] =>
  String(typed ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/**
 * The denial for a server on which the actor may do nothing at all. The reply is the same whether the server exists or
 * not; only the ledger learns which it is. An actor from whom the policy hides no server gets the plain error about a
 * wrong name.
 */
export function denyHidden(
  parts: PolicyParts,
  actor: Actor,
  command: Command,
  typed: RawOptions[string] | undefined,
): Extract<Decision, { allowed: false }> | undefined {
  const { rules } = parts;
  const nobodys = rules.decide([], command);
  const hidden = namesIn(typed)
    .map((name) => ({ name, server: rules.find(name) }))
    .find(({ server }) => server === undefined || !mayTouch(parts, actor, server));
  const hidesNone = (): boolean => rules.servers.every((server) => mayTouch(parts, actor, server));
  if (hidden === undefined || nobodys.allowed || hidesNone()) return undefined;
  const { name, server } = hidden;
  return { ...nobodys, why: 'hidden', typed: name, ...(server === undefined ? {} : { server }) };
}
