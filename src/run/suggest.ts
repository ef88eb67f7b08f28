import { type Choice, type Command, type Read, ReadFailed, type SuggestContext } from '../command.ts';
import type { Actor, Server } from '../outcome.ts';
import type { Parts, Typing } from './parts.ts';
import { everyone, mayTouch } from './reach.ts';
import { reader } from './read.ts';

const most = 25;
/** How long what the panel said may be suggested from, and how long a person's typing waits for it, in ms. */
const fresh = 60_000;
const patience = 2_000;

type SuggestParts = Pick<Parts, 'commands' | 'rules' | 'panel' | 'ledger' | 'now' | 'log'>;

/** Autocomplete: only what the actor may touch. Never rejects; nothing to offer is an empty list. */
export function suggester(parts: SuggestParts): (typing: Typing) => Promise<readonly Choice[]> {
  const memory: Memory = new Map();
  return ({ actor, place, command: id, option, typed, options }) => {
    const { rules } = parts;
    const command = parts.commands.find((each) => each.id === id);
    if (command === undefined || !rules.answersIn(place) || !rules.decide(actor.roles, command).allowed) {
      return Promise.resolve([]);
    }
    const may = (server: Server): boolean => maySuggest(parts, actor, command, server);
    const context: SuggestContext = {
      typed,
      options,
      read: remembering(parts, memory, actor),
      now: parts.now(),
      find: (text) => {
        const server = rules.find(text);
        return server !== undefined && may(server) ? server : undefined;
      },
      suggest: (text) => rules.suggest(text, may),
      may,
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
      .then((choices) => choices.slice(0, most))
      .catch((error: unknown) => {
        if (!(error instanceof ReadFailed))
          parts.log.warn({ command: id, option, problem: String(error) }, 'no suggestions');
        return [];
      });
  };
}

/** Whether the command may be run on the server; of a command that is everyone's, whether any other may. */
function maySuggest(parts: SuggestParts, actor: Actor, command: Command, server: Server): boolean {
  const decision = parts.rules.decide(actor.roles, command, server);
  if (!decision.allowed || decision.role !== everyone) return decision.allowed;
  return mayTouch(parts, actor, server);
}

/** What the panel said lately, by endpoint and input. */
type Memory = Map<string, { until: number; answer: Promise<unknown> }>;

/** Reads for suggestions, at most once a minute each, and within a person's reads: typing must not use up the token's requests. */
function remembering({ panel, now }: SuggestParts, memory: Memory, { id }: Actor): Read {
  const read = reader(panel, { kind: 'person', id });
  return (endpoint, input) => {
    for (const [key, { until }] of memory) if (until <= now()) memory.delete(key);
    const key = `${endpoint} ${JSON.stringify(input)}`;
    // The key begins with the endpoint, so what is kept under it is that endpoint's data.
    const known = memory.get(key)?.answer as ReturnType<typeof read<typeof endpoint>> | undefined;
    if (known !== undefined) return known;
    const answer = read(endpoint, input);
    memory.set(key, { until: now() + fresh, answer });
    answer.catch(() => memory.delete(key));
    return answer;
  };
}
