import { type Card, headline } from '../card.ts';
import { withUtcTimes } from '../view/words.ts';

/** What a terminal has a name for. Undefined: it is shown by its id. */
export interface Names {
  person(id: string): string | undefined;
  role(id: string): string | undefined;
}

const width = 80;
const code = /(```[\s\S]*?```|`[^`]*`)/;
/** Everything that a terminal could take for an order, or that hides or reorders text. */
const unprintable = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

export const printable = (text: string): string => text.replace(unprintable, ' ');

/** Discord's markup as plain text. What is code stays as it is, in its backticks on a line: it may be from outside. */
function plain(markup: string, { person, role }: Names): string {
  const words = (text: string): string =>
    withUtcTimes(text)
      .replace(/\[([^\]\n]+)\]\(https:\/\/discord\.com\/[^)\s]+\)/g, '$1')
      .replace(/<@&(\d+)>/g, (_, id: string) => `@${role(id) ?? id}`)
      .replace(/<@!?(\d+)>/g, (_, id: string) => `@${person(id) ?? id}`)
      .replace(/<#(\d+)>/g, '#$1')
      .replace(/<\/([^:>]+):\d+>/g, '/$1')
      .replace(/^-# /gm, '')
      .replaceAll('**', '')
      .replaceAll('\\_', '_');
  return markup
    .split(code)
    .map((part) => (code.test(part) ? part.replace(/^```\n?|\n?```$/g, '') : words(part)))
    .join('');
}

/** A card as lines of at most 80 columns, from its first line to its last. */
export function textOf(card: Card, names: Names): string {
  const { fact, body, next = [], small = [], run, files = [], state, title } = card;
  const first =
    title === undefined ? headline(card) : `${state === 'succeeded' ? '' : `${state.toUpperCase()} `}${headline(card)}`;
  const print = [...small.map(({ markup }) => markup), ...(run === undefined ? [] : [`run ${run}`])].join(' · ');
  const lines = [
    first,
    ...(fact === undefined ? [] : [fact.markup]),
    ...body.map(({ markup }) => markup),
    ...next.map(({ markup }) => `→ ${markup}`),
    ...files.map(({ name, description }) => `(a file that the terminal does not show: ${description ?? name})`),
    ...(print === '' ? [] : [print]),
  ];
  return lines
    .flatMap((line) => plain(line, names).split('\n'))
    .flatMap((line) => wrapped(printable(line).trimEnd()))
    .join('\n');
}

/** Breaks between words; what follows is indented, so that nothing begins a line that did not. */
export function wrapped(line: string, indent = '  '): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.slice(0, width + 1).lastIndexOf(' ');
    const end = space > width / 2 ? space : width;
    lines.push(rest.slice(0, end).trimEnd());
    rest = `${indent}${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
}
