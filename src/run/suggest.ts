import { type Choice, type Command, type Read, ReadFailed, type SuggestContext } from '../command.ts';
import type { Actor } from '../outcome.ts';
import type { Reach } from '../policy/decide.ts';
import type { Parts, Typing } from './parts.ts';
import { touchable } from './reach.ts';
import { reader } from './read.ts';

const maxChoices = 25;
/** How long answers of the panel are cached for suggestions, and how long an autocomplete request waits, in ms. */
const cacheTime = 60_000;
const patience = 2_000;

type SuggestParts = Pick<Parts, 'commands' | 'rules' | 'panel' | 'ledger' | 'now' | 'log'>;

/** Autocomplete: suggests only what the actor may touch. Never rejects; with nothing to suggest, the list is empty. */
export function suggester(parts: SuggestParts): (typing: Typing) => Promise<readonly Choice[]> {
  const memory: Memory = new Map();
  return ({ actor, place, command: id, option, typed, options }) => {
    const { rules } = parts;
    const command = parts.commands.find((each) => each.id === id);
    if (command === undefined || !rules.answersIn(place, command) || !rules.decide(actor.roles, command).allowed) {
      return Promise.resolve([]);
    }
    const reach = reachFor(parts, actor, command);
    const context: SuggestContext = {
      typed,
      options,
      read: cachedReader(parts, memory, actor),
      now: parts.now(),
      team: rules.team,
      find: (text) => {
        const server = rules.find(text);
        return server !== undefined && reach.has(server) ? server : undefined;
      },
      suggest: (text) => rules.suggest(text, reach.hasListed),
      may: reach.has,
      commands: parts.commands.map((each) => each.id),
      incidents: parts.ledger.incidents(),
      findings: parts.ledger.findings(),
      entries: parts.ledger.entries(),
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

/**
 * Where the actor may run the command; for a command that everybody may run, where they may run any other.
 */
const reachFor = (parts: SuggestParts, actor: Actor, command: Command): Reach =>
  command.everyone ? touchable(parts, actor) : parts.rules.reachOf(actor.roles, [command]);

/** Recent answers of the panel, by endpoint and input. */
type Memory = Map<string, { until: number; answer: Promise<unknown> }>;

/**
 * Reads for suggestions: each at most once a minute, and within the person's read limit. Typing must not use up the
 * token's budget.
 */
function cachedReader({ panel, now }: SuggestParts, memory: Memory, { id }: Actor): Read {
  const read = reader(panel, { kind: 'person', id }, []);
  return (endpoint, input) => {
    for (const [key, { until }] of memory) if (until <= now()) memory.delete(key);
    const key = `${endpoint} ${JSON.stringify(input)}`;
    // The key begins with the endpoint, so the cached value is that endpoint's data.
    const known = memory.get(key)?.answer as ReturnType<typeof read<typeof endpoint>> | undefined;
    if (known !== undefined) return known;
    const answer = read(endpoint, input);
    memory.set(key, { until: now() + cacheTime, answer });
    answer.catch(() => memory.delete(key));
    return answer;
  };
}
