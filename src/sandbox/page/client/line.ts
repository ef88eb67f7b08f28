/** A value for a typed line: quoted if necessary. */
export const written = (value: string): string =>
  /^[^\s"\\]+$/.test(value) ? value : `"${value.replace(/(["\\])/g, '\\$1')}"`;

const part = /^([\p{L}\p{N}_'-]+):(?:"((?:[^"\\]|\\[\s\S])*)"|(\S*))(?:\s+|$)/u;

/** Parses `server:web-1 reason:"two words"` up to the first other text, which is `rest`. */
export function readValues(text: string): { values: { name: string; text: string }[]; rest: string } {
  const values: { name: string; text: string }[] = [];
  let rest = text.trimStart();
  for (let found = part.exec(rest); found !== null; found = part.exec(rest)) {
    const [all, name = '', quoted, bare = ''] = found;
    values.push({ name, text: quoted?.replace(/\\(["\\])/g, '$1') ?? bare });
    rest = rest.slice(all.length);
  }
  return { values, rest };
}
