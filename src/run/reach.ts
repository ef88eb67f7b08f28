import type { Command } from '../command.ts';
import type { Actor, Decision, RawOptions, Server } from '../outcome.ts';
import type { Parts } from './parts.ts';

/** The role of what everybody may. */
export const everyone = 'everyone';

type Deciding = Pick<Parts, 'rules' | 'commands'>;

/** Whether the actor may do anything on the server, beyond what is everyone's. */
export function mayTouch({ rules, commands }: Deciding, { roles }: Actor, server: Server): boolean {
  return commands.some((command) => {
    const decision = rules.decide(roles, command, server);
    return decision.allowed && decision.role !== everyone;
  });
}

/** The servers that somebody names, as they are typed. */
export const namesIn = (typed: RawOptions[string] | undefined): string[] =>
  String(typed ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/**
 * The denial where somebody names a server on which they may do nothing at all. It says the same whether there is such a server or
 * not: which one it is, where there is one, is for the ledger alone. Somebody from whom the policy hides no server is told that a name
 * is wrong.
 */
export function denyHidden(
  parts: Deciding,
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
