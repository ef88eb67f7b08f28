/** The rows of `servers` that were read here, and the rest of the text, with `stand-in` as the value of `servers`. */
interface Plain {
  rows: readonly Row[];
  /** The text without these rows. */
  rest: string;
  /** The place of the key `servers` in `rest`, which is that in the text. */
  keyAt: number;
  standIn: string;
}

type Row = Record<string, string | number | string[]>;

/**
 * Reads the rows of `servers` where they are written plainly, as in policy.example.yaml or with a line for each key. A list of
 * 100,000 takes the YAML library five seconds and a gigabyte, for what a policy has no use of: places, comments, anchors.
 * Undefined for whatever could mean anything else in YAML; the library then reads it all, and tells what is wrong.
 */
export function plainRows(text: string): Plain | undefined {
  const key = /^servers:[ ]*(?:[ ]#.*)?\r?\n/m.exec(text);
  // Directives and further documents change what follows them.
  if (key === null || /^(?:%|---|\.\.\.)/m.test(text)) return undefined;
  const from = key.index + key[0].length;
  const end = endOf(text, from);
  const rows = rowsIn(text.slice(from, end));
  if (rows === undefined) return undefined;
  let standIn = 'plain-rows';
  while (text.includes(standIn)) standIn += '-';
  return {
    rows,
    rest: `${text.slice(0, key.index)}servers: ${standIn}\n${text.slice(end)}`,
    keyAt: key.index,
    standIn,
  };
}

/** Where the next key of the file begins. */
function endOf(text: string, from: number): number {
  const next = /^[^\s#-]/gm;
  next.lastIndex = from;
  return next.exec(text)?.index ?? text.length;
}

const blank = /^ *(?:#.*)?$/;
const inBraces = /^( *)- \{ *(.*?) *\} *(?: #.*)?$/;
const firstKey = /^( *)- ([a-z].*)$/;
const nextKey = /^( +)([a-z].*)$/;

function lineOf(text: string): { before: string; members: string; isFirst: boolean; isWhole: boolean } {
  const whole = inBraces.exec(text);
  const first = whole ?? firstKey.exec(text);
  const [, before = '', members = ''] = first ?? nextKey.exec(text) ?? [];
  return { before, members, isFirst: first !== null, isWhole: whole !== null };
}

/** Undefined if a line is anything but a row, a key of one, a comment, or blank. */
function rowsIn(text: string): Row[] | undefined {
  const rows: Row[] = [];
  let indent: string | undefined;
  /** What stands before the next key of the last row; one in braces has no more. */
  let inside: string | undefined;
  for (const each of text.split(/\r?\n/)) {
    if (blank.test(each)) continue;
    const { before, members, isFirst, isWhole } = lineOf(each);
    indent ??= before;
    if (before !== (isFirst ? indent : inside)) return undefined;
    if (isFirst) {
      rows.push({});
      inside = isWhole ? undefined : `${indent}  `;
    }
    const row = rows.at(-1) ?? {};
    if (!(isWhole ? takeAll(row, members) : takeOne(row, members))) return undefined;
  }
  return rows.length === 0 ? undefined : rows;
}

/** A key and its value up to the next comma, or the end. */
const member =
  /(id|group|name|tier|ips): +(?:([1-9]\d{0,14})|([A-Za-z][A-Za-z0-9.-]*)|"([A-Za-z0-9][A-Za-z0-9 ._-]*)"|\[ *([^\]]*?) *\])(?:, +|$)/y;
/** Words that YAML takes for something else. */
const noText = /^(?:null|true|false)$/i;

/** Adds the next member to the row. False if there is none that is plain, or the row has it. */
function take(row: Row, members: string): boolean {
  const [, key, digits, word, quoted, list] = member.exec(members) ?? [];
  if (key === undefined || Object.hasOwn(row, key)) return false;
  const value = digits === undefined ? (word ?? quoted ?? addressesIn(list ?? '')) : Number(digits);
  if (value === undefined || (word !== undefined && noText.test(word))) return false;
  row[key] = value;
  return true;
}

function takeAll(row: Row, members: string): boolean {
  member.lastIndex = 0;
  while (take(row, members)) if (member.lastIndex === members.length) return true;
  return false;
}

/** A line with one member; a comma would belong to its value. */
function takeOne(row: Row, line: string): boolean {
  const text = line.replace(/ +(?:#.*)?$/, '');
  member.lastIndex = 0;
  return take(row, text) && member.lastIndex === text.length;
}

const plainAddress = /^(?:"([0-9A-Fa-f:.]+)"|(\d{1,3}(?:\.\d{1,3}){3}))$/;

function addressesIn(list: string): string[] | undefined {
  const all = list.split(/, */).map((each) => plainAddress.exec(each));
  const read = all.flatMap((each) => each?.[1] ?? each?.[2] ?? []);
  return read.length === all.length ? read : undefined;
}
