/** A parser for Discord's markdown, as far as the bot uses it. Its result is data: text never becomes anything else. */

type Mark = 'bold' | 'italic' | 'underline' | 'strike' | 'small';

export type Piece =
  | { kind: 'text'; text: string }
  | { kind: Mark; inner: Piece[] }
  | { kind: 'code' | 'block'; text: string }
  /** `at` in seconds, `style` one of Discord's letters. */
  | { kind: 'time'; at: number; style: string }
  | { kind: 'user' | 'role' | 'channel'; id: string }
  | { kind: 'command'; name: string }
  /** A message of the same guild, or a channel or thread of it. */
  | { kind: 'place'; label: Piece[]; channel: string; message?: string }
  /** Any other address: shown, never a link. */
  | { kind: 'address'; label: Piece[]; url: string };

/** Deeper than people write; deeper nesting stays text. */
const deepest = 6;
const special = /[\\`*_~<[h-]/g;
const placeLink = /^https:\/\/(?:\w+\.)?discord\.com\/channels\/\d{17,20}\/(\d{17,20})(?:\/(\d{17,20}))?$/;

type Rule = readonly [form: RegExp, piece: (found: string[], inside: (text: string) => Piece[]) => Piece];

const mark =
  (kind: Mark): Rule[1] =>
  ([, text = ''], inside) => ({ kind, inner: inside(text) });

/** The first match wins. Each is tried at one position only, hence the flag `y`. */
const rules: readonly Rule[] = [
  [/\\([!-/:-@[-`{-~])/y, ([, text = '']) => ({ kind: 'text', text })],
  // It begins and ends lines by itself.
  [/```(?:[\w+-]*\n)?([\s\S]+?)\n?```\n?/y, ([, text = '']) => ({ kind: 'block', text })],
  [/(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/y, ([, , text = '']) => ({ kind: 'code', text })],
  [/\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y, mark('bold')],
  [/__((?:\\[\s\S]|[^\\])+?)__(?!_)/y, mark('underline')],
  [/~~((?:\\[\s\S]|[^\\])+?)~~(?!~)/y, mark('strike')],
  [/\*(?![\s*])((?:\\[\s\S]|[^*\\])+?)\*(?!\*)/y, mark('italic')],
  [/_((?:\\[\s\S]|[^_\\])+?)_(?![\w_])/y, mark('italic')],
  // A line of small print.
  [/^-# +(\S.*)/my, mark('small')],
  [/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, ([whole = '', at, style = 'f']) => time(whole, Number(at), style)],
  [/<@!?(\d{17,20})>/y, ([, id = '']) => ({ kind: 'user', id })],
  [/<@&(\d{17,20})>/y, ([, id = '']) => ({ kind: 'role', id })],
  [/<#(\d{17,20})>/y, ([, id = '']) => ({ kind: 'channel', id })],
  [/<\/([^:>\n]{1,100}):\d{17,20}>/y, ([, name = '']) => ({ kind: 'command', name })],
  [
    /\[((?:\\[\s\S]|[^\]\\\n])+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/y,
    ([, label = '', url = ''], inside) => link(url, inside(label)),
  ],
  [/https?:\/\/[^\s<>)]+/y, ([url = '']) => link(url, [{ kind: 'text', text: url }])],
];

/** Plain text if the date does not exist. */
const time = (whole: string, at: number, style: string): Piece =>
  Number.isNaN(new Date(at * 1000).getTime()) ? { kind: 'text', text: whole } : { kind: 'time', at, style };

function link(url: string, label: Piece[]): Piece {
  const [, channel, message] = placeLink.exec(url) ?? [];
  if (channel === undefined) return { kind: 'address', label, url };
  return { kind: 'place', label, channel, message };
}

/** Parses a text. Whatever matches no rule is text, so parsing never fails. */
export function parse(text: string, depth = 0): Piece[] {
  const pieces: Piece[] = [];
  const inside = (inner: string): Piece[] =>
    depth < deepest ? parse(inner, depth + 1) : [{ kind: 'text', text: inner }];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') pieces.push({ kind: 'text', text: plain });
    plain = '';
  };
  for (let at = 0; at < text.length; ) {
    const found = match(text, at);
    if (found === undefined) {
      const end = nextSpecial(text, at + 1);
      plain += text.slice(at, end);
      at = end;
      continue;
    }
    const [groups, rule] = found;
    const piece = rule(groups, inside);
    at += groups[0]?.length ?? 1;
    if (piece.kind === 'text') plain += piece.text;
    else {
      flush();
      pieces.push(piece);
    }
  }
  flush();
  return pieces;
}

function match(text: string, at: number): [string[], Rule[1]] | undefined {
  for (const [form, rule] of rules) {
    form.lastIndex = at;
    const found = form.exec(text);
    if (found !== null) return [[...found], rule];
  }
  return undefined;
}

function nextSpecial(text: string, from: number): number {
  special.lastIndex = from;
  return special.exec(text)?.index ?? text.length;
}

/** The plain text, as read aloud: for screen readers, replies and labels. */
export function plain(
  pieces: readonly Piece[],
  nameOf: (kind: 'user' | 'role' | 'channel', id: string) => string,
): string {
  return pieces.map((piece) => spoken(piece, nameOf)).join('');
}

function spoken(piece: Piece, nameOf: (kind: 'user' | 'role' | 'channel', id: string) => string): string {
  switch (piece.kind) {
    case 'text':
    case 'code':
    case 'block':
      return piece.text;
    case 'time':
      return new Date(piece.at * 1000).toLocaleString();
    case 'user':
    case 'role':
    case 'channel':
      return nameOf(piece.kind, piece.id);
    case 'command':
      return `/${piece.name}`;
    case 'place':
    case 'address':
      return plain(piece.label, nameOf);
    default:
      return plain(piece.inner, nameOf);
  }
}
