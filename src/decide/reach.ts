import type { Command } from '../command.ts';
import type { Actor, RawOptions, Ruling } from '../outcome.ts';
import type { Reach } from '../policy/decide.ts';
import type { Snapshot } from './decision.ts';

/** The role that everybody has. */
export const everyone = 'everyone';

type PolicyParts = Pick<Snapshot, 'rules' | 'commands'>;

/** The servers on which the actor may do anything that not everybody may do. */
export const touchable = ({ rules, commands }: PolicyParts, { roles }: Actor): Reach => rules.reachOf(roles, commands);

/** On which of them the actor may run the command; for one that everybody may run, where they may run any other. */
export const usable = (parts: PolicyParts, actor: Actor, command: Command): Reach =>
  command.everyone ? touchable(parts, actor) : parts.rules.reachOf(actor.roles, [command]);

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
): Extract<Ruling, { allowed: false }> | undefined {
  const { rules } = parts;
  const theirs = touchable(parts, actor);
  const nobodys = rules.decide([], command);
  const hidden = namesIn(typed)
    .map((name) => ({ name, server: rules.find(name) }))
    .find(({ server }) => server === undefined || !theirs.has(server));
  const hidesNone = (): boolean => rules.servers.every(theirs.hasListed);
  if (hidden === undefined || nobodys.allowed || hidesNone()) return undefined;
  const { name, server } = hidden;
  const near = rules.near(name, usable(parts, actor, command).hasListed).map((each) => each.name ?? String(each.id));
  return { ...nobodys, why: 'hidden', typed: name, near, server };
}
