import { count, list, type Markup, md, trusted } from '../src/card.ts';
import { codeBlock, codeWidth, fieldsOf, wrapped } from '../src/code.ts';
import type { Option, View } from '../src/command.ts';
import { isRecord } from '../src/json.ts';
import type { RawOptions } from '../src/outcome.ts';
import { isAddress, type Network, networkIn, overlap, written } from './networks.ts';
import { maybe, maybeWhole, oneOf } from './options.ts';
import { shownOf, slice } from './pages.ts';

/** What a line begins with. The panel documents no field of a rule: whatever else it has is kept as it came. */
const names = ['action', 'direction', 'protocol', 'port', 'source'] as const;

/** A rule with its number in the panel's list, from 1. */
export interface Rule extends Partial<Record<(typeof names)[number], string>> {
  number: number;
  rest: readonly string[];
}

/** Longer than any address, port list or word: something else. */
const maxLength = 45;
/** How much of the other fields a card shows of one rule. */
const maxRestLength = 160;

export function ruleOf(came: unknown, at: number): Rule {
  if (!isRecord(came)) return { number: at + 1, rest: shortened(fieldsOf(came)) };
  const fields = new Map<string, unknown>(Object.entries(came));
  const known = names.flatMap((name) => {
    const text = textOf(fields.get(name));
    if (text === undefined) return [];
    fields.delete(name);
    return [[name, text] as const];
  });
  return { number: at + 1, ...Object.fromEntries(known), rest: shortened(fieldsOf(Object.fromEntries(fields))) };
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.length <= maxLength && /^[\w .,:/*-]*$/.test(text) ? text.trim() : undefined;
}

function shortened(pieces: readonly string[]): string[] {
  const letters = [...pieces.join('\n')];
  const all = letters.length <= maxRestLength ? letters : [...letters.slice(0, maxRestLength - 1), '…'];
  return all.length === 0 ? [] : all.join('').split('\n');
}

/** Rules as lines: `7  accept  in  tcp 22  from 192.0.2.0/24`. The verdict comes first; what is too
 * wide for a phone goes below, indented. */
export function ruleLines(rules: readonly Rule[]): string[] {
  const cells = rules.map(cellsOf);
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(0, ...cells.map((row) => row[at]?.length ?? 0)));
  const columns = widths.filter((width) => width > 0);
  const longest = (gap: number): number =>
    columns.reduce((sum, width) => sum + width, 0) + gap * Math.max(0, columns.length - 1);
  const gap = longest(2) <= codeWidth ? '  ' : ' ';
  const indent = ' '.repeat((widths[0] ?? 0) + gap.length);
  const across = (row: readonly string[], to: number): string =>
    row
      .map((cell, at) => (at === 0 ? cell.padStart(widths[0] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .filter((_, at) => at < to && (widths[at] ?? 0) > 0)
      .join(gap)
      .trimEnd();
  return rules.flatMap(({ rest }, i) => {
    const row = cells[i] ?? [];
    return longest(gap.length) <= codeWidth
      ? [across(row, 5), ...wrapped(rest, indent)]
      : [across(row, 4), ...wrapped([...row.slice(4).filter((cell) => cell !== ''), ...rest], indent)];
  });
}

const cellsOf = ({ number, direction = '', protocol = '', port = '', source = '', action = '' }: Rule): string[] => [
  String(number),
  action,
  direction,
  [protocol, port].filter((word) => word !== '').join(' '),
  source === '' ? '' : `from ${source}`,
];

export const port: Option<number | undefined> = maybeWhole('Only rules that concern this port', 1, 65_535);

export const source = maybe<Network>({
  type: 'string',
  description: 'Only rules that concern this address or network: 192.0.2.7',
  example: '192.0.2.7',
  max: 50,
  read: (raw, { refuse }) =>
    networkIn(String(raw)) ?? refuse('write an address such as 192.0.2.7, or a network such as 192.0.2.0/24'),
  write: shownNetwork,
});

function shownNetwork(value: Network): string {
  return isAddress(value) ? value.ip : written(value);
}

export const direction = oneOf('Only rules for this direction', ['in', 'out'], 'write in or out', undefined);

const rulesPerPart = 10;

/** One part of the rules that are wanted, and how many of how many these are. */
export function rulesView(all: readonly unknown[], wanted: Wanted, part: number, options: RawOptions): View {
  const found = all.map(ruleOf).filter((rule) => concerns(rule, wanted) !== 'no');
  const doubtful = found.filter((rule) => concerns(rule, wanted) === 'maybe').length;
  const shown = slice(found, part, rulesPerPart, options);
  const words = wantedWords(wanted);
  const isNone = found.length === 0;
  const heading = words && [
    isNone
      ? md`**None of ${trusted(count(all.length, 'rule'))}** is for ${words}. The panel does not say what happens to traffic without a rule.`
      : md`**${found.length} of ${trusted(count(all.length, 'rule'))}** for ${words}:`,
  ];
  return {
    body: [
      ...(heading ?? []),
      ...(isNone ? [] : [codeBlock(ruleLines(shown.items))]),
      ...(doubtful === 0
        ? []
        : [trusted(`${count(doubtful, 'rule')} of these may be about something else: the bot cannot read all of it.`)]),
      // That there is none, the fact says.
      ...(isNone ? [] : shownOf(shown, words === undefined ? 'rules' : 'such rules')),
    ],
    ...shown.positions,
  };
}

export interface Wanted {
  port: number | undefined;
  source: Network | undefined;
  direction: 'in' | 'out' | undefined;
}

/** What was asked for, in words. Undefined: everything. */
function wantedWords({ port: number, source: network, direction: way }: Wanted): Markup | undefined {
  const words = [
    ...(number === undefined ? [] : [trusted(`port ${number}`)]),
    ...(network === undefined ? [] : [md`source ${shownNetwork(network)}`]),
    ...(way === undefined ? [] : [trusted(`direction ${way}`)]),
  ];
  return words.length === 0 ? undefined : list(words);
}

type Concerns = 'yes' | 'no' | 'maybe';

/** Whether a rule concerns what was asked for. Nobody is told "no" about a rule that the bot cannot read. */
export function concerns(rule: Rule, { port: number, source: network, direction: way }: Wanted): Concerns {
  const answers = [
    number === undefined ? 'yes' : portConcerns(rule, number),
    network === undefined ? 'yes' : sourceConcerns(rule, network),
    way === undefined ? 'yes' : directionConcerns(rule, way),
  ];
  return answers.includes('no') ? 'no' : answers.includes('maybe') ? 'maybe' : 'yes';
}

const sure = (is: boolean): Concerns => (is ? 'yes' : 'no');
const isEverything = (text: string): boolean => ['', '*', 'any', 'all'].includes(text.toLowerCase());
const withoutPorts = /^(?:icmp|icmpv6|ipv6-icmp|igmp|gre|esp|ah)$/i;

function portConcerns({ protocol = '', port: text }: Rule, number: number): Concerns {
  if (withoutPorts.test(protocol)) return 'no';
  if (text === undefined) return 'maybe';
  if (isEverything(text)) return 'yes';
  const ranges = text.split(',').map((piece) => /^\s*(\d{1,5})(?:\s*[-:]\s*(\d{1,5}))?\s*$/.exec(piece));
  const isIn = ranges.some((range) => {
    const [, first = Number.NaN, last = first] = range ?? [];
    return Number(first) <= number && number <= Number(last);
  });
  return isIn || ranges.every((range) => range !== null) ? sure(isIn) : 'maybe';
}

function sourceConcerns({ source: text }: Rule, network: Network): Concerns {
  if (text === undefined) return 'maybe';
  if (isEverything(text)) return 'yes';
  const named = text.split(',').map((piece) => networkIn(piece));
  const isIn = named.some((each) => each !== undefined && overlap(each, network));
  return isIn || !named.includes(undefined) ? sure(isIn) : 'maybe';
}

function directionConcerns({ direction: text = '' }: Rule, way: 'in' | 'out'): Concerns {
  if (/^in(?:put|bound|gress)?$/i.test(text)) return sure(way === 'in');
  if (/^(?:out(?:put|bound)?|egress)$/i.test(text)) return sure(way === 'out');
  return 'maybe';
}
