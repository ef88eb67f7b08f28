import type { Decision, End, Outcome, Server } from './outcome.ts';

/** Text that is safe to send: built by `md`, so that whatever came from outside is inside inline code. */
export interface Markup {
  readonly markup: string;
}

/** What a card's first word says: an outcome, or that it is not terminal yet. */
export type State = Outcome | End | 'working' | 'question' | 'reminder' | 'alert';

export type ButtonLabel =
  | 'Confirm'
  | 'Cancel'
  | 'Ask again'
  | 'Apply now'
  | 'Undo'
  | 'It happened'
  | 'It did not'
  | 'Share'
  | 'Next'
  | 'Previous'
  | 'Finished'
  | 'Failed'
  | 'Stop following'
  | 'Power off';
/** `id` is the custom id, at most 100 characters: `kind:payload`. */
export interface Button {
  label: ButtonLabel;
  id: string;
}

/** Something to look at or to keep, beside the text. `description` says what is in it, for those who cannot see it. */
export interface CardFile {
  name: string;
  /** A media type: `text/csv`. */
  type: string;
  bytes: Uint8Array;
  description?: string;
}

/** The one message of a command. `subject` says on what, in a few words; `run` is the id that ledger and log show. */
export interface Card {
  state: State;
  command: string;
  subject?: Markup;
  body: readonly Markup[];
  run?: string;
  buttons?: readonly Button[];
  files?: readonly CardFile[];
}

const longestQuote = 200;
/** Line ends, controls, bidi and zero-width characters: they could hide or reorder what a person reads. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]+/gu;

/**
 * Discord leaves out what is no character and what is private, and of many combining marks on one letter all but a few.
 */
const lost = /[\p{Cn}\p{Co}]/gu;
const piledUp = /(\p{M}{5})\p{M}+/gu;
const asStored = (text: string): string => text.replace(lost, '\ufffd').replace(piledUp, '$1');

const visible = (text: string): string => text.replace(invisible, ' ').trim();

/**
 * Text from outside on one line, as Discord keeps it, without what could hide or reorder it. It may still be markup.
 */
export const oneLine = (text: string): string => asStored(visible(text));

/** Text from outside as inline code on one line: no markup, mention or link survives; capped with the number of characters left out. */
export function quote(text: string, longest = longestQuote): Markup {
  const line = visible(text.replaceAll('`', 'ˋ'));
  const letters = [...line];
  const shown =
    letters.length > longest ? `${letters.slice(0, longest).join('')}… (${letters.length - longest} more)` : line;
  // Cut before: a line of the trail has the letters that it had when it was posted, whatever becomes of strange ones.
  return { markup: `\`${shown === '' ? '(empty)' : asStored(shown)}\`` };
}

/** A template for cards. The literal parts are ours; a string put in is from outside and is quoted; Markup stays as it is. */
export function md(parts: TemplateStringsArray, ...values: (Markup | string | number)[]): Markup {
  const shown = values.map((value) =>
    typeof value === 'object' ? value.markup : typeof value === 'number' ? String(value) : quote(value).markup,
  );
  return { markup: parts.reduce((text, part, i) => text + part + (shown[i] ?? ''), '') };
}

/** Our own words, from a table or a literal: never anything from outside. */
export function trusted(words: string): Markup {
  return { markup: words };
}

/** Several pieces as one, e.g. "a, b and c". */
export function list(pieces: readonly Markup[], last = ' and '): Markup {
  const texts = pieces.map((piece) => piece.markup);
  return { markup: texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')}${last}${texts.at(-1)}` };
}

export function joined(pieces: readonly Markup[], separator: string): Markup {
  return { markup: pieces.map((piece) => piece.markup).join(separator) };
}

/** A moment as Discord shows it, in the reader's own time zone; `R` counts by itself. */
export function moment(ms: number, style: 'R' | 'f' | 'd' | 't' = 'R'): Markup {
  return { markup: `<t:${Math.floor(ms / 1000)}:${style}>` };
}

/** "web-1 (101)". The names are those of the policy, whose schema allows only letters, digits, dots and hyphens. */
export function serverName(server: Server): Markup {
  return trusted(server.name === undefined ? `server ${server.id}` : `${server.name} (${server.id})`);
}

/** "web-1 (101, production)", and "server 4711 (not in the policy's list)". */
export function serverLabel(server: Server): Markup {
  if (server.name === undefined) return trusted(`server ${server.id} (not in the policy's list)`);
  return trusted(
    server.tier === undefined ? `${server.name} (${server.id})` : `${server.name} (${server.id}, ${server.tier})`,
  );
}

/** What a card is about: one server in full, or how many. */
export function subjectOf(servers: readonly Server[]): Markup | undefined {
  const [first] = servers;
  if (first === undefined) return undefined;
  return servers.length === 1 ? serverLabel(first) : trusted(`${servers.length} servers`);
}

/** "1 rule", "4 rules". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** The first line of a card, which is what a phone shows: the outcome in capitals, the command, the subject. */
export function headline(card: Card): string {
  const subject = card.subject === undefined ? '' : ` · ${card.subject.markup}`;
  return `${card.state.toUpperCase()} ${card.command}${subject}`;
}

/** Why not, and who may. */
export function whyNot(decision: Extract<Decision, { allowed: false }>): Markup[] {
  const why = {
    role: md`It needs the permission ${quote(decision.missing)}, which none of your roles has.`,
    server: md`Your roles have ${quote(decision.missing)}, but not for this server.`,
    unlisted: trusted('This server is not in the policy, and the policy leaves such servers alone.'),
    hidden: md`Your roles have ${quote(decision.missing)}, but not for ${quote(decision.typed ?? '', 40)}, or the policy names no such server. Type a name or an id, or pick a suggestion: those are yours.`,
  }[decision.why];
  const holders = decision.holders.map((name) => quote(name));
  if (decision.why === 'hidden') return [why, md`Roles that may, each on its own servers: ${list(holders)}.`];
  return [why, holders.length === 0 ? trusted('No role may.') : md`Roles that may: ${list(holders)}.`];
}
