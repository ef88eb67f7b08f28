import { type Choice, type Read, ReadFailed, type SuggestContext } from '../command.ts';
import type { Parts, Typing } from './parts.ts';
import { reader } from './read.ts';

const most = 25;
/** How long what the panel said may be suggested from, and how long a person's typing waits for it, in ms. */
const fresh = 60_000;
const patience = 2_000;

type SuggestParts = Pick<Parts, 'commands' | 'rules' | 'panel' | 'now' | 'log'>;

/** Autocomplete: only what the actor may touch. Never rejects; nothing to offer is an empty list. */
export function suggester(parts: SuggestParts): (typing: Typing) => Promise<readonly Choice[]> {
  const read = remembering(parts);
  return ({ actor, place, command: id, option, typed, options }) => {
    const { rules } = parts;
    const command = parts.commands.find((each) => each.id === id);
    if (command === undefined || !rules.answersIn(place) || !rules.decide(actor.roles, command).allowed) {
      return Promise.resolve([]);
    }
    const context: SuggestContext = {
      typed,
      options,
      read,
      now: parts.now(),
      find: (text) => {
        const server = rules.find(text);
        return server !== undefined && rules.decide(actor.roles, command, server).allowed ? server : undefined;
      },
      suggest: (text) => rules.suggest(text, (server) => rules.decide(actor.roles, command, server).allowed),
      commands: parts.commands.map((each) => each.id),
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

/** Reads for suggestions, at most once a minute each: typing must not use up anybody's requests. */
function remembering({ panel, now }: SuggestParts): Read {
  const memory = new Map<string, { until: number; answer: Promise<unknown> }>();
  const read = reader(panel, { kind: 'bot' });
  return (endpoint, input) => {
    const key = `${endpoint} ${JSON.stringify(input)}`;
    const known = memory.get(key);
    // The key begins with the endpoint, so what is kept under it is that endpoint's data.
    if (known !== undefined && now() < known.until) return known.answer as ReturnType<typeof read<typeof endpoint>>;
    const answer = read(endpoint, input);
    memory.set(key, { until: now() + fresh, answer });
    return answer;
  };
}
