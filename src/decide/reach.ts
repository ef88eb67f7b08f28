import { type Markup, md, quote } from '../card.ts';
import type { Command } from '../command.ts';
import { type Actor, Invalid, type Place, type RawOptions, type Ruling, type Server } from '../outcome.ts';
import type { Reach } from '../policy/decide.ts';
import type { Snapshot } from './decision.ts';

/** The role that everybody has. */
const everyone = 'everyone';

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
  const nobodys = rules.decide([], command);
  const others = namesIn(typed)
    .map((name) => ({ name, server: rules.find(name) }))
    .filter(({ server }) => server === undefined || !rules.decide(actor.roles, command, server).allowed);
  if (others.length === 0 || nobodys.allowed) return undefined;
  const theirs = touchable(parts, actor);
  const hidden = others.find(({ server }) => server === undefined || !theirs.has(server));
  if (hidden === undefined || rules.servers.every(theirs.hasListed)) return undefined;
  const { name, server } = hidden;
  const near = rules.near(name, usable(parts, actor, command).hasListed).map((each) => each.name ?? String(each.id));
  return { ...nobodys, why: 'hidden', typed: name, near, server };
}

/**
 * The options with each selector (a tier, a group, a glob) as the servers that it stands for, without those that the
 * policy hides from the actor. Whether they may touch the others is decided later, of each: nothing is left out for that.
 * A selector that stands for none stays what it is, which is the name of no server.
 */
export function spellOut(
  parts: PolicyParts,
  actor: Actor,
  command: Command,
  options: RawOptions,
): RawOptions | Invalid {
  const { rules } = parts;
  const names = namesIn(options['server']);
  const isSpelled = names.every((name) => rules.serversOf(name) === undefined);
  if (command.options['server'] === undefined || isSpelled) return options;
  if (rules.most(command) === 1) return onlyOne(command);
  const theirs = touchable(parts, actor);
  const meant = new Set<string>();
  const spelled = names.flatMap((name) => {
    const ids = rules.serversOf(name)?.flatMap((server) => (theirs.hasListed(server) ? [String(server.id)] : [])) ?? [];
    for (const id of ids) meant.add(id);
    return ids.length === 0 ? [name] : ids;
  });
  // Before each is looked up: there may be very many.
  return tooMany(parts, command, meant.size) ?? { ...options, server: [...new Set(spelled)].join(',') };
}

/** The limit of the policy. `count` servers, each once. */
export function tooMany({ rules }: Pick<Snapshot, 'rules'>, command: Command, count: number): Invalid | undefined {
  const most = rules.most(command);
  if (command.options['server']?.several === undefined || count <= most) return undefined;
  if (most === 1) return onlyOne(command);
  return new Invalid('server', `these are ${count} servers; the policy allows at most ${most} in one command`);
}

const onlyOne = ({ options }: Command): Invalid =>
  new Invalid(
    'server',
    options['server']?.several === undefined
      ? 'this command takes one server: a name, an id or an address'
      : 'the policy wants one server in each of these commands: a name, an id or an address',
  );

/** Says which selector has the server that stands in the way: nobody typed its name. */
export function reachedBy({ rules }: Pick<Snapshot, 'rules'>, server: Server | undefined, typed: RawOptions): Markup[] {
  const names = namesIn(typed['server']);
  if (server === undefined || names.some((name) => rules.find(name)?.id === server.id)) return [];
  const by = names.find((name) => rules.serversOf(name)?.some(({ id }) => id === server.id));
  return by === undefined
    ? []
    : [md`${quote(by, maxShown)} includes it, and the bot never drops part of what you typed.`];
}

/** The longest selector that a card repeats. */
const maxShown = 60;

export const changesState = ({ danger }: Pick<Command, 'danger'>): boolean =>
  danger === 'write' || danger === 'destructive';

/** Whether it changes something in the panel. */
export const changesPanel = (command: Pick<Command, 'danger' | 'local'>): boolean =>
  command.local === undefined && changesState(command);

/** Whether the answer is public: changes, and reads in an incident's thread where the policy has commands answered. */
export function isPublic(
  command: Command,
  place: Place,
  { ledger, rules }: { ledger: Pick<Snapshot['ledger'], 'incidents'>; rules: Pick<Snapshot['rules'], 'answersIn'> },
): boolean {
  if (command.menu !== undefined) return false;
  const here = ledger.incidents().some(({ id, ended }) => id === place.channel && ended === undefined);
  return changesState(command) || (command.danger === 'read' && here && rules.answersIn(place));
}

/** Answers from the ledger are never shared. People without a role share nothing, not even /help. */
export const isShareable = ({ danger }: Command, may: Ruling): boolean =>
  danger !== 'audit' && may.allowed && may.role !== everyone;
