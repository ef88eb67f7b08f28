import { numbers } from '../runs/numbers.ts';
import type { Row } from '../runs/row.ts';

/** The longest numbers first, so that each column begins where its numbers may begin. */
const columns = [
  ['mark', Float64Array],
  ['time', Float64Array],
  ['server', Float64Array],
  ['thread', Int32Array],
  ['size', Int32Array],
  ['flags', Uint8Array],
] as const;

/** Which row has which effects: few have any. */
export type RowEffects = readonly (readonly [index: number, effects: NonNullable<Row['effects']>])[];

/** Rows in little memory: 33 bytes each. */
export function openRows() {
  const all = columns.map(([name, Kind]) => ({ name, Kind, values: numbers(Kind) }));
  const effects: RowEffects[number][] = [];
  let length = 0;
  return {
    effects: effects as RowEffects,
    push(row: Row): void {
      for (const { name, values } of all) values.push(row[name]);
      if (row.effects !== undefined) effects.push([length, row.effects]);
      length += 1;
    },
    /** One column after the other, in this machine's byte order. */
    bytes: (): Buffer[] =>
      all.map(({ Kind, values }) => {
        const column = new Kind(length);
        for (let at = 0; at < length; at += 1) column[at] = values.at(at);
        return Buffer.from(column.buffer, column.byteOffset, column.byteLength);
      }),
  };
}

/** The rows that `bytes` wrote, each good until the next. Throws a RangeError where there are not as many. */
export function* readRows(bytes: Buffer, length: number, effects: RowEffects): Generator<Row, void> {
  const of = new Map(effects);
  let at = bytes.byteOffset;
  const take = <T>(Kind: { new (from: ArrayBufferLike): T; BYTES_PER_ELEMENT: number }): T => {
    const from = at;
    at += length * Kind.BYTES_PER_ELEMENT;
    return new Kind(bytes.buffer.slice(from, at));
  };
  const [mark, time, server] = [take(Float64Array), take(Float64Array), take(Float64Array)];
  const [thread, size, flags] = [take(Int32Array), take(Int32Array), take(Uint8Array)];
  if (at !== bytes.byteOffset + bytes.length) throw new RangeError('there are more or fewer rows than it says');
  // One for all of them: a million objects take longer than what is done with them.
  const row: Row = { mark: 0, time: 0, server: 0, thread: 0, size: 0, flags: 0 };
  for (let index = 0; index < length; index += 1) {
    row.mark = mark[index] ?? 0;
    row.time = time[index] ?? 0;
    row.server = server[index] ?? 0;
    row.thread = thread[index] ?? 0;
    row.size = size[index] ?? 0;
    row.flags = flags[index] ?? 0;
    const found = of.get(index);
    yield found === undefined ? row : { ...row, effects: found };
  }
}
