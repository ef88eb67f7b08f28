import { type End, type Outcome, type Ruling, type Server, shellChannel } from './outcome.ts';
import { isBlank, withoutUnseen } from './text.ts';

/** Text that is safe to send: `md` puts text from outside into inline code. */
export interface Markup {
  readonly markup: string;
}

/** What a card is about: an outcome, a state that is not terminal yet, or how a person says an unknown run ended. */
export type State = Outcome | End | 'happened' | 'did not happen' | 'working' | 'question' | 'reminder' | 'alert';

/** `id` is the custom id, at most 100 characters: `kind:payload`. `tone`: it confirms a change, or a danger. */
export interface Button {
  label: string;
  id: string;
  tone?: 'danger' | 'primary';
}

/** A file beside the text. `description` describes it for people who cannot see it. */
export interface CardFile {
  name: string;
  /** A media type: `text/csv`. */
  type: string;
  bytes: Uint8Array;
  description?: string;
}

/** The one message of a command, from its first line to its last. docs/cards.md shows each. */
export interface Card {
  state: State;
  command: string;
  /** It is no longer so: somebody has undone it. */
  isPast?: true;
  /** Names the target briefly. */
  subject?: Markup;
  /** What a read shows: the first line instead of state, command and subject. */
  title?: Markup;
  /** The one fact that matters, in bold. */
  fact?: Markup;
  /** Short lines: at most three, except for reads and several servers. */
  body: readonly Markup[];
  next?: readonly Markup[];
  small?: readonly Markup[];
  /** The id that ledger and log use: the end of the small print. An alert has what it is about there: "finding 12". */
  run?: string;
  buttons?: readonly Button[];
  files?: readonly CardFile[];
}

const maxQuoteLength = 200;
/** Line breaks, control, bidi and zero-width characters, which could hide or reorder text. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]+/gu;

/** Discord drops unassigned and private characters, and all but a few combining marks per letter. */
const dropped = /[\p{Cn}\p{Co}]/gu;
const stackedMarks = /(\p{M}{5})\p{M}+/gu;
const asStored = (text: string): string => text.replace(dropped, '\ufffd').replace(stackedMarks, '$1');

const visible = (text: string): string => text.replace(invisible, ' ').trim();

/** Text from outside on one line, without what could hide or reorder it. It may still contain markup. */
export const oneLine = (text: string): string => asStored(visible(text));

/** Text from outside as inline code on one line: no markup, mention or link survives. Longer text is truncated. */
export function quote(text: string, longest = maxQuoteLength): Markup {
  const line = visible(text.replaceAll('`', 'ˋ'));
  const letters = [...line];
  const shown =
    letters.length > longest ? `${letters.slice(0, longest).join('')}… (${letters.length - longest} more)` : line;
  // Truncate first: a trail line must keep the length it had when posted, whatever happens to odd characters.
  return { markup: `\`${shown === '' ? '(empty)' : asStored(shown)}\`` };
}

const maxBlockLength = 1500;

/** The same as a block of its own, which one tap copies. */
export function block(text: string): Markup {
  return { markup: `\`\`\`\n${quote(text, maxBlockLength).markup.slice(1, -1)}\n\`\`\`` };
}

/** A template for cards. Inserted strings are from outside and get quoted; Markup stays unchanged. */
export function md(parts: TemplateStringsArray, ...values: (Markup | string | number)[]): Markup {
  const shown = values.map((value) =>
    typeof value === 'object' ? value.markup : typeof value === 'number' ? String(value) : quote(value).markup,
  );
  return { markup: parts.reduce((text, part, i) => text + part + (shown[i] ?? ''), '') };
}

/** The bot's own text, from a table or a literal. Never pass text from outside. */
export function trusted(words: string): Markup {
  return { markup: words };
}

/** Joins pieces: "a, b and c". */
export function list(pieces: readonly Markup[], last = ' and '): Markup {
  const texts = pieces.map((piece) => piece.markup);
  return { markup: texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')}${last}${texts.at(-1)}` };
}

export function joined(pieces: readonly Markup[], separator: string): Markup {
  return { markup: pieces.map((piece) => piece.markup).join(separator) };
}

/** A Discord timestamp, in the reader's time zone; `R` is relative and updates itself. */
export function moment(ms: number, style: 'R' | 'f' | 'd' | 't' = 'R'): Markup {
  return { markup: `<t:${Math.floor(ms / 1000)}:${style}>` };
}

/** Below this age, in ms, the time of day is enough. Whether the day is the same depends on the reader's time zone. */
const timeOfDayEnough = 20 * 3_600_000;

/** When something was, in words written at `written`: with the date where the time of day does not say it. */
export const momentBefore = (written: number, ms: number): Markup =>
  moment(ms, written - ms < timeOfDayEnough ? 't' : 'f');

/** What a name of the panel may have of a card. */
const mostOfName = 63;

/** "web-1 (101)". Names have only letters, digits, dots and hyphens; what the panel calls a server otherwise is code. */
export function serverName(server: Server): Markup {
  if (server.called !== undefined) return md`server ${server.id} (${quote(server.called, mostOfName)})`;
  return trusted(server.name === undefined ? `server ${server.id}` : `${server.name} (${server.id})`);
}

/** "web-1 (101, production)", and "server 4711 (not in the policy's list)". */
export function serverLabel(server: Server): Markup {
  const { id, name, called } = server;
  if (name === undefined && called === undefined) return trusted(`server ${id} (not in the policy's list)`);
  const tier = server.tier ?? (server.heldTo === 'every' ? 'every tier' : undefined);
  const more = [tier ?? [], server.gone ? 'gone' : []]
    .flat()
    .map((each) => `, ${each}`)
    .join('');
  return name === undefined
    ? md`server ${id} (${quote(called ?? '', mostOfName)}${trusted(more)})`
    : trusted(`${name} (${id}${more})`);
}

/** What somebody typed for servers, as names, ids and addresses: "web-1 (101, production)" becomes "web-1 (101)". */
export const typedServers = (text: string): string =>
  withoutUnseen(text.normalize('NFKC'))
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\bserver (\d+)(?: \(not in the policy's list\))?/g, '$1')
    .replace(
      /([^\s,]+) \((\d+)(?:, [\w .-]+)?\)(?: and (?=\S))?/g,
      (whole, name, id) => `${name} (${id})${whole.endsWith(')') ? '' : ', '}`,
    )
    .replace(/([^\s,]+) · (\d+)(?: · [^,]*|(?=,|$))/g, '$1 ($2)');

/** What only looks like a letter of a server's name, as a sentence. */
export function lookalike(text: string): string {
  const [found] = /\P{ASCII}/u.exec(text) ?? [];
  if (found === undefined) return '';
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return ` Its ${quote(found).markup} is U+${code}, which no name has.`;
}

/** The subject of a card: one server in full, or the number of servers. */
export function subjectOf(servers: readonly Server[]): Markup | undefined {
  const [first] = servers;
  if (first === undefined) return undefined;
  return servers.length === 1 ? serverLabel(first) : trusted(`${servers.length} servers`);
}

/** As it stands at the beginning of a sentence, and within one. */
export const capitalized = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
export const uncapitalized = (words: string): string => `${words.charAt(0).toLowerCase()}${words.slice(1)}`;

/** "1 rule", "4 rules". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** The text of a card's first line, which a phone shows: what a read shows; else the outcome in capitals, command, subject. */
export function headline(card: Card): string {
  if (card.title !== undefined) return card.title.markup;
  const subject = card.subject === undefined ? '' : ` · ${card.subject.markup}`;
  return `${card.state.toUpperCase()} ${card.command}${subject}`;
}

const code = /(`[^`]*`)/;

/** In bold, as a whole. Stars in it are replaced, even in code: they would end the bold text. */
export function bold({ markup }: Markup): Markup {
  const parts = markup
    .split(code)
    .map((part) =>
      code.test(part) ? part.replace(/\*{2,}/g, (stars) => '∗'.repeat(stars.length)) : part.replaceAll('**', ''),
    );
  return { markup: `**${parts.join('')}**` };
}

const codeOrLink = /(`[^`]*`|\]\(<[^>]*>\))/;

/** Without underscores that could begin stress: Discord looks for its end in code, too. Within a word they stay what they are. */
export const unstressed = ({ markup }: Markup): Markup => ({
  markup: markup
    .split(codeOrLink)
    .map((part) => (codeOrLink.test(part) ? part : part.replace(/(?<=\w)_(?=\w)/g, '\\_')))
    .join(''),
});

/** Ends the first sentence: a full stop before a space and a capital, or before markup. Not one within inline code. */
const firstSentence = /^((?:`[^`]*`|[^`])*?[.!?])(?: (?=[A-Z*<[`])|$)([\s\S]*)$/;

/** A text as its first sentence, and the rest. Ledgers have what a command said as one text. */
export function sentences({ markup }: Markup): [first: Markup, ...rest: Markup[]] {
  const [, first = markup, rest = ''] = firstSentence.exec(markup) ?? [];
  return rest === '' ? [trusted(first)] : [trusted(first), trusted(rest)];
}

/** The name of a server alone: "web-1", "server 4711". */
export const shortName = ({ name, id }: Server): string => name ?? `server ${id}`;

/** What people type for it: of one that is gone its id, since another may have its name by then. */
export const typedAs = ({ name, id, gone }: Server): string => (gone ? String(id) : (name ?? String(id)));

/** "web-1", "3 servers" */
export const shortNames = (servers: readonly Server[]): string => {
  const [only] = servers;
  return servers.length === 1 && only !== undefined ? shortName(only) : `${servers.length} servers`;
};

/** A link to a message, in our own words; what the shell showed has none. */
export const linkTo = (words: string, place: MessagePlace): Markup =>
  trusted(place.channel === shellChannel ? `${words} at a terminal` : `[${words}](${urlOf(place)})`);

export const urlOf = ({ guild, channel, message }: MessagePlace): string =>
  `https://discord.com/channels/${guild}/${channel}/${message}`;

export const threadLink = (words: string, { guild, id }: { guild: string; id: string }): Markup =>
  trusted(`[${words}](https://discord.com/channels/${guild}/${id})`);

export interface MessagePlace {
  guild: string;
  channel: string;
  message: string;
}

/** The same whether the server exists or not. A typo comes first: a missing right is less likely. */
function hiddenWhy({ missing, typed = '', near = [] }: Extract<Ruling, { allowed: false }>): Markup {
  const or = md`have ${quote(missing)}, but not for ${quote(typed, 40)}, or the policy names no such server.`;
  return near.length === 0
    ? md`Not allowed: your roles ${or}${trusted(lookalike(typed))} Type a name, an id or an address, or pick a suggestion: those are yours.`
    : md`Did you mean ${list(
        near.map((name) => quote(name, 40)),
        ' or ',
      )}?${trusted(lookalike(typed))} Your roles ${or}`;
}

/** The right is there with the shift alone, and only while it is known whose that is. */
const shiftWhy = ({ missing, shift }: Extract<Ruling, { allowed: false }>): Markup =>
  shift?.isKnown === false
    ? md`Not allowed: your role has ${quote(missing)} only with the shift of ${quote(shift.of)}, and who has it is not known: its calendar was not read for an hour. /oncall says more.`
    : md`Not allowed: your role has ${quote(missing)} only while you have the shift of ${quote(shift?.of ?? '')}. /oncall says who has it.`;

/** Why it is denied, and who may do it. */
export function whyNot(decision: Extract<Ruling, { allowed: false }>): Markup[] {
  const why = {
    role: md`Not allowed: none of your roles has the permission ${quote(decision.missing)}.`,
    server: md`Not allowed: your roles have ${quote(decision.missing)}, but not for this server.`,
    unlisted: trusted(
      'Not allowed: the policy does not list this server, and does not allow commands on unlisted ones. Ask whoever keeps the policy to add it.',
    ),
    hidden: hiddenWhy(decision),
    shift: shiftWhy(decision),
  }[decision.why];
  const holders = decision.holders.map((name) => quote(name));
  if (decision.why === 'hidden') return [why, md`Roles that may, each on its own servers: ${list(holders)}.`];
  return [
    why,
    holders.length === 0 ? trusted('No role has this permission here.') : md`Roles that may: ${list(holders)}.`,
  ];
}

/** What somebody typed, without the space around it and no longer than `longest`; empty where nothing of it can be seen. */
export function typedText(text: string, longest = Number.POSITIVE_INFINITY): string {
  const kept = text.trim().slice(0, longest);
  return isBlank(kept) ? '' : kept;
}
