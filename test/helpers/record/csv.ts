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
