/** A value as it stands in a typed line: in quotes where it would fall apart without. */
export const written = (value: string): string =>
  /^[^\s"\\]+$/.test(value) ? value : `"${value.replace(/(["\\])/g, '\\$1')}"`;

const part = /^([\p{L}\p{N}_'-]+):(?:"((?:[^"\\]|\\[\s\S])*)"|(\S*))(?:\s+|$)/u;

/** Reads `server:web-1 reason:"two words"` until something else comes; `rest` is what is left. */
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
