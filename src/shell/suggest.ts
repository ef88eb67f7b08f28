import {
  type Choice,
  type Command,
  type OptionSpec,
  ReadFailed,
  type SeveralContext,
  type SuggestContext,
} from '../command.ts';
import { nameOf } from '../decide/notes.ts';
import { touchable, usable } from '../decide/reach.ts';
import type { Actor, Server } from '../outcome.ts';
import type { Caller } from '../panel/budget.ts';
import type { Reach } from '../policy/decide.ts';
import type { Parts, Typing } from './parts.ts';
import { inTime, reader } from './read.ts';

const maxChoices = 25;
/** How long answers of the panel are cached for suggestions, and how long an autocomplete request waits, in ms. */
const cacheTime = 60_000;
const patience = 2_000;

type SuggestParts = Pick<Parts, 'commands' | 'forCommands' | 'rules' | 'panel' | 'ledger' | 'now' | 'log'>;

/** Autocomplete: suggests only what the actor may touch. Never rejects; with nothing to suggest, the list is empty. */
export function suggester(parts: SuggestParts): (typing: Typing) => Promise<readonly Choice[]> {
  const memory: Memory = new Map();
  return ({ actor, place, command: id, option, typed, options }) => {
    const { rules } = parts;
    const command = parts.commands.find((each) => each.id === id);
    if (command === undefined || !rules.answersIn(place, command)) return Promise.resolve([]);
    const may = rules.decide(actor.roles, command);
    if (!may.allowed) return Promise.resolve(notYours(command, command.options[option], may.holders, typed));
    const reach = usable(parts, actor, command);
    const find = (text: string): Server | undefined => {
      const server = rules.find(text);
      return server !== undefined && reach.has(server) ? server : undefined;
    };
    const context: SuggestContext = {
      typed,
      options,
      ...cachedReaders(parts, memory, actor),
      now: parts.now(),
      team: rules.team,
      find,
      ...severalContext(parts, { actor, command, reach, find }),
      suggest: (text) => rules.suggest(text, reach.hasListed),
      near: (text) => rules.near(text, reach.hasListed),
      may: reach.has,
      commands: parts.commands.map((each) => each.id),
      incidents: parts.ledger.incidents(),
      findings: parts.ledger.findings(),
      records: parts.ledger,
    };
    const late = new Promise<readonly Choice[]>((resolve) => setTimeout(resolve, patience, []).unref());
    return Promise.race([
      new Promise<readonly Choice[]>((resolve) => resolve(command.options[option]?.suggest?.(context) ?? [])),
      late,
    ])
      .then((choices) => choices.slice(0, maxChoices))
      .catch((error: unknown) => {
        if (!(error instanceof ReadFailed))
          parts.log.warn({ command: id, option, problem: String(error) }, 'no suggestions');
        return [];
      });
  };
}

/** Discord's limit for the name of a choice, and for its value. */
const maxName = 100;

/** Discord alone would say that no options match. Whoever sends the choice is denied before any option is read. */
function notYours(
  command: Command,
  option: OptionSpec | undefined,
  holders: readonly string[],
  typed: string,
): readonly Choice[] {
  if (option?.type !== 'string') return [];
  const who = holders.length === 0 ? 'No role may' : `Roles that may: ${holders.join(', ')}`;
  const value = typed.trim().slice(0, Math.min(option.max ?? maxName, maxName));
  // Once it is chosen, Discord shows the name in place of the value.
  const name = `${value === '' ? '' : `${value} · `}You may not run ${nameOf(command)}. ${who}`;
  return [{ name: name.length > maxName ? `${name.slice(0, maxName - 1)}…` : name, value: value || '-' }];
}

/** Recent answers of the panel, by what was read. */
type Memory = Map<string, { until: number; answer: Promise<unknown> }>;

/** Reads for suggestions: each once a minute, within the person's limit: typing must not use up the token's budget. */
function cachedReaders(
  { panel, forCommands, now }: SuggestParts,
  memory: Memory,
  { id }: Actor,
): Pick<SuggestContext, 'read' | 'backups'> {
  const by: Caller = { kind: 'person', id };
  const read = reader(panel, by, []);
  function cached<T>(key: string, look: () => Promise<T>): Promise<T> {
    for (const [each, { until }] of memory) if (until <= now()) memory.delete(each);
    // The key names what was read, so the cached value is of that type.
    const known = memory.get(key)?.answer as Promise<T> | undefined;
    if (known !== undefined) return known;
    const answer = look();
    memory.set(key, { until: now() + cacheTime, answer });
    answer.catch(() => memory.delete(key));
    return answer;
  }
  return {
    read: (endpoint, input) => cached(`${endpoint} ${JSON.stringify(input)}`, () => read(endpoint, input)),
    backups: (server) => inTime(cached(`backups ${server.id}`, () => forCommands.backups(server, by))),
  };
}

const maxOffered = 5;
/** How many selectors are looked at for one key press, and the largest that is: typing must stay quick in a large policy. */
const maxTried = 200;
const maxServers = 1_000;

/** What suggestions for several servers need to know. They offer only what would not be refused. */
function severalContext(
  parts: Pick<Parts, 'rules' | 'commands'>,
  {
    actor,
    command,
    reach,
    find,
  }: { actor: Actor; command: Command; reach: Reach; find(text: string): Server | undefined },
): SeveralContext {
  const { rules } = parts;
  const most = rules.most(command);
  let theirs: Reach | undefined;

  /** Those of them that the policy does not hide. None if the command may not be run on one of these. */
  function allowed(servers: readonly Server[]): readonly Server[] {
    if (servers.length > maxServers) return [];
    theirs ??= touchable(parts, actor);
    const { has } = theirs;
    const shown = servers.filter(has);
    return shown.length <= most && shown.every((server) => reach.has(server)) ? shown : [];
  }

  return {
    most,
    named(text) {
      const servers = rules.serversOf(text, maxServers);
      return servers === undefined ? [find(text) ?? []].flat() : allowed(servers);
    },
    selectors(typed) {
      const found: { text: string; servers: readonly Server[] }[] = [];
      let tried = 0;
      for (const { text, servers } of rules.selectors(typed, maxServers)) {
        tried += 1;
        if (found.length === maxOffered || tried > maxTried) break;
        const shown = servers.length < 2 ? [] : allowed(servers);
        if (shown.length >= 2) found.push({ text, servers: shown });
      }
      return found;
    },
  };
}
