/** A parsed line; `wrong` carries the sentence that explains the mistake. */
export type Line =
  | { kind: 'blank' }
  | { kind: 'help' }
  | { kind: 'as'; who: string }
  | { kind: 'command'; who: string; channel: string; text: string }
  | { kind: 'click'; who: string; label: string }
  | { kind: 'type'; who: string; text: string }
  | { kind: 'wrong'; sentence: string };

const DEFAULT_CHANNEL = 'ops';

/** `a, b and c`. */
export function enumerate(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last;
}

/** A line: `PERSON [#channel] /command …`, `PERSON click LABEL`, `PERSON type TEXT`, `as PERSON`, `help`. */
export function readLine(line: string, people: readonly string[], channels: readonly string[]): Line {
  const [first, rest] = firstWord(line);
  const word = first.toLowerCase();
  if (word === '') return { kind: 'blank' };
  if (word === 'help') return { kind: 'help' };
  if (word.startsWith('/'))
    return wrong(`Begin with the person who types it, for example: ${people[0]} ${line.trim()}`);
  const named = word === 'as' ? firstWord(rest)[0] : first;
  if (named === '') return wrong(`Name a person, for example: as ${people[0]}`);
  const who = people.find((person) => person === named.toLowerCase());
  if (!who) return wrong(`There is no person "${named}". The people are ${enumerate(people)}.`);
  return word === 'as' ? { kind: 'as', who } : whatPersonDoes(who, rest, channels);
}

function whatPersonDoes(who: string, does: string, channels: readonly string[]): Line {
  const [verb, words] = firstWord(does);
  if (verb === 'click') {
    const label = words.replace(/^"(.*)"$/, '$1');
    return label ? { kind: 'click', who, label } : wrong(`Name the button, for example: ${who} click Confirm`);
  }
  if (verb === 'type') {
    return words ? { kind: 'type', who, text: words } : wrong(`Say what ${who} types, for example: ${who} type web-1`);
  }
  const channel = verb.startsWith('#') ? channelAt(does, channels) : DEFAULT_CHANNEL;
  if (channel === undefined) {
    return wrong(`There is no channel ${verb}. The channels are ${enumerate(channels.map((name) => `#${name}`))}.`);
  }
  const text = verb.startsWith('#') ? does.slice(1 + channel.length).trim() : does;
  return text.startsWith('/')
    ? { kind: 'command', who, channel, text }
    : wrong(`Only commands work here, and they begin with a slash, for example: ${who} /help`);
}

/** The longest name that the words begin with: that of a thread may have spaces. */
function channelAt(words: string, channels: readonly string[]): string | undefined {
  const said = `${words.toLowerCase()} `;
  return channels
    .filter((name) => said.startsWith(`#${name.toLowerCase()} `))
    .toSorted((a, b) => b.length - a.length)[0];
}

const wrong = (sentence: string): Line => ({ kind: 'wrong', sentence });

function firstWord(text: string): [word: string, rest: string] {
  const [word = ''] = /^\S*/.exec(text.trim()) ?? [];
  return [word, text.trim().slice(word.length).trim()];
}
