import { plain } from '../person.ts';
import type { World } from '../world.ts';

/** Without what is different each time: ids, hashes, times and numbers of entries. */
export const steady = (text: string): string =>
  plain(text)
    .replaceAll(/\bno\. \d+ `[0-9a-f]{12}`/g, 'no. N `HASH`')
    .replaceAll(/\bno\. \d+/g, 'no. N')
    .replaceAll(/\bFinding \d+/g, 'Finding N')
    .replaceAll(/\b\d+ entries/g, 'N entries')
    .replaceAll(/`(?:[0-9a-f]{16}|[0-9a-f]{64})`/g, '`HEX`')
    .replaceAll(/`(?!9kq3v1x7m2a)[0-9a-z]{10,13}(\.\d+)?`/g, '`RUN$1`')
    .replaceAll(/\b\d{1,2} [A-Z][a-z]+ \d{4} \d\d:\d\d UTC/g, 'TIME')
    .replaceAll(/\bin \d+ (?:second|minute|hour)s?\b/g, 'T ago')
    .replaceAll(/panelops-\d{4}-\d\d-\d\d-\d+-\d+/g, 'panelops-DATE-N-N')
    .replaceAll(/\(\d+ bytes\)/g, '(N bytes)');

/** The runs that a list shows, as "DENIED /power boot". */
export const listed = (card: string): string[] =>
  [...card.matchAll(/│ \S \*\*([A-Z -]+)\*\*.*? (\/[a-z-]+ [a-z-]+)/g)].map(([, how, what]) => `${how} ${what}`);

/** The file of the newest message that this person sees in #ops. */
export function fileOf({ discord }: Pick<World, 'discord'>, who: 'alice' | 'carol') {
  const found = discord.messages(who, 'ops').at(-1)?.files[0];
  if (found === undefined) throw new Error(`${who} sees no file`);
  return { ...found, text: new TextDecoder().decode(found.bytes) };
}

/** The cells of a CSV by RFC 4180, row by row; fails where it is none. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [whole, cell = ''] = /^(?:"((?:[^"]|"")*)"|[^",\r\n]*)(?=,|\r\n)/s.exec(text.slice(at)) ?? [];
    if (whole === undefined) throw new Error(`no cell at ${at}: ${text.slice(at, at + 40)}`);
    row.push(whole.startsWith('"') ? cell.replaceAll('""', '"') : whole);
    at += whole.length;
    if (text[at] === ',') {
      at += 1;
      continue;
    }
    rows.push(row);
    row = [];
    at += 2;
  }
  return rows;
}
