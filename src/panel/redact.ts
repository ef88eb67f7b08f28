/** So many characters of a token in a row are no chance. */
const usual = 8;
const placeholder = '(token)';

/** One character, in the ways in which debug pages, gateways and JSON write it. Bounded, so that no text takes long. */
const encoded =
  /%([0-9a-f]{2})|\\{1,8}u([0-9a-f]{4})|&#x0{0,8}([0-9a-f]{1,4});|&#0{0,8}(\d{1,5});|&(amp|lt|gt|quot|apos);|\\{1,8}(?=[^\s\\])/gi;
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Something that was decoded: where it is now, and by how much all that is behind it has moved. */
interface Shift {
  at: number;
  to: number;
  by: number;
}

/**
 * Takes a token out of a text that somebody else wrote: in plain, with escapes of JSON, URLs and HTML, in base64 and in hex, and any eight
 * characters of it in a row.
 */
export function redactor(token: string): (text: string) => string {
  const shortest = Math.min(usual, token.length);
  const pieces = piecesOf(token, shortest);
  const alphabet = new Set([...pieces].join(''));
  return (text) => {
    const { decoded, shifts } = decode(text);
    return without(text, shifts, secretsIn(decoded, { shortest, pieces, alphabet }));
  };
}

/** All of its parts that are not to be seen, of one length. */
function piecesOf(token: string, shortest: number): Set<string> {
  const bytes = Buffer.from(token);
  // Where it begins within three bytes decides how it looks in base64; what is before and behind decides the outer characters.
  const shifted = [0, 1, 2].flatMap((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes]);
    return [all.toString('base64'), all.toString('base64url')].map((form) => form.slice(before === 0 ? 0 : 4, -4));
  });
  const hex = bytes.toString('hex');
  const forms = [token, ...shifted, hex, hex.toUpperCase()];
  return new Set(
    forms.flatMap((form) =>
      Array.from({ length: Math.max(0, form.length - shortest + 1) }, (_, at) => form.slice(at, at + shortest)),
    ),
  );
}

/** Where pieces are, as pairs of a beginning and an end that do not touch. */
function secretsIn(
  text: string,
  { shortest, pieces, alphabet }: { shortest: number; pieces: ReadonlySet<string>; alphabet: ReadonlySet<string> },
): [number, number][] {
  const found: [number, number][] = [];
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    // Most of a text is no part of any token: only long enough runs of its characters are looked at.
    run = alphabet.has(text.charAt(at)) ? run + 1 : 0;
    const from = at - shortest + 1;
    if (run < shortest || !pieces.has(text.slice(from, at + 1))) continue;
    const last = found.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = at + 1;
    else found.push([from, at + 1]);
  }
  return found;
}

function without(text: string, shifts: readonly Shift[], secrets: readonly [number, number][]): string {
  // The backslashes right before a character belong to it.
  const [start, end] = [
    follow(shifts, ({ at, to }, pos) => at < pos && to <= pos),
    follow(shifts, ({ at }, pos) => at <= pos),
  ];
  const rest: string[] = [];
  let done = 0;
  for (const [from, to] of secrets) {
    rest.push(text.slice(done, start(from)), placeholder);
    done = end(to - 1) + 1;
  }
  return [...rest, text.slice(done)].join('');
}

/** Where a character was before it was decoded, asked of one after the other. */
function follow(shifts: readonly Shift[], isBefore: (shift: Shift, pos: number) => boolean): (pos: number) => number {
  let [next, by] = [0, 0];
  return (pos) => {
    for (let shift = shifts[next]; shift !== undefined && isBefore(shift, pos); shift = shifts[next]) {
      by = shift.by;
      next += 1;
    }
    return pos + by;
  };
}

function decode(text: string): { decoded: string; shifts: Shift[] } {
  const shifts: Shift[] = [];
  let by = 0;
  const decoded = text.replace(encoded, (whole, percent, unicode, hex, decimal, name, offset: number) => {
    const plain = plainOf(percent ?? unicode ?? hex, decimal, name);
    const at = offset - by;
    by += whole.length - plain.length;
    shifts.push({ at, to: at + plain.length, by });
    return plain;
  });
  return { decoded, shifts };
}

function plainOf(hex: string | undefined, decimal: string | undefined, name: string | undefined): string {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return named[String(name).toLowerCase()] ?? '';
}
