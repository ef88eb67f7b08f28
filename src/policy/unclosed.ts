import type { Problem } from './shape.ts';

const closes = { '{': '}', '[': ']' } as const;
type Sign = keyof typeof closes;

const isSign = (sign: string): sign is Sign => Object.hasOwn(closes, sign);

interface Open {
  sign: Sign;
  line: number;
  /** Of the line in which it stands. */
  indent: number;
}

/**
 * Where a bracket, brace or quotation mark of a broken file is missing: the parser only notices it further down. A line that
 * begins a row or a key, no deeper than the one with the bracket, is outside of it.
 */
export function unclosed(text: string): Problem | undefined {
  const open: Open[] = [];
  let last = 0;
  for (const [at, line] of text.split('\n').entries()) {
    const bare = line.replace(/(^|\s)#.*$/, '');
    if (bare.trim() === '') continue;
    const indent = bare.search(/\S/);
    const [outermost] = open;
    if (outermost !== undefined && indent <= outermost.indent && /^\s*(?:-\s|[\w"'-]+:)/.test(bare)) break;
    last = at + 1;
    if ((bare.match(/"/g)?.length ?? 0) % 2 === 1)
      return { place: `line ${last}`, rule: 'A quotation mark (") is missing in this line.' };
    const wrong = follow(open, bare, { line: last, indent });
    if (wrong !== undefined) return wrong;
  }
  return open.length === 0 ? undefined : missing(open.at(-1), last);
}

/** Opens and closes what the line does; returns what is wrong. */
function follow(open: Open[], line: string, place: Omit<Open, 'sign'>): Problem | undefined {
  for (const sign of line.replace(/"[^"]*"/g, '')) {
    const innermost = open.at(-1);
    if (isSign(sign)) open.push({ sign, ...place });
    else if (sign !== '}' && sign !== ']') continue;
    else if (innermost !== undefined && closes[innermost.sign] === sign) open.pop();
    else return missing(innermost, place.line, ` before \`${sign}\``);
  }
  return undefined;
}

function missing(innermost: Open | undefined, line: number, where = ' at its end'): Problem | undefined {
  if (innermost === undefined) return undefined;
  const { sign, line: from } = innermost;
  const of = from === line ? 'of this line' : `of line ${from}`;
  return {
    place: `line ${line}`,
    rule: `\`${closes[sign]}\` is missing in this line${where}: the \`${sign}\` ${of} is not closed.`,
  };
}
