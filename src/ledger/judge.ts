import { isUtf8 } from 'node:buffer';
import { hash as digest } from 'node:crypto';
import type { Entry } from '../runs/entry.ts';
import { createOutline, outline } from './outline.ts';

/** A line of which is known that it is an entry, byte for byte as it was written. Good until the next line is judged. */
export interface Line {
  kind: Entry['kind'];
  seq: number;
  time: string;
  prev: string;
  hash: string;
  /** Its bytes, with the line feed. */
  size: number;
  bytes(): Buffer;
  /** Parses it. */
  entry(): Entry;
}

/** What lines with the same outline have in common, and which of their values is which. */
interface Shape {
  kind: Entry['kind'];
  seq: number;
  time: number;
  prev: number;
  hash: number;
}

/** A person who types their own options gets a shape of their own; nobody types so many. */
const mostShapes = 2_048;

/**
 * Judges lines one after the other. Undefined: it is not a line that the bot wrote. `unseal` judges the slow way: it
 * parses the line, holds it against the schema and spells it again. That is done for the first line of each shape; of
 * the others it is enough that strings and numbers are spelled as they should be, and that the hash is right.
 */
export function createJudge(unseal: (text: string) => Entry | undefined) {
  const shapes = new Map<string, Shape>();
  const current = createOutline();
  const hashOf = createHash();

  function slowly(bytes: Buffer, from: number, end: number, isOutlined: boolean): Line | undefined {
    const line = bytes.subarray(from, end);
    const entry = isUtf8(line) ? unseal(line.toString()) : undefined;
    if (entry === undefined) return undefined;
    if (isOutlined && shapes.size < mostShapes) {
      shapes.set(current.text.toString('latin1', 0, current.size), shapeOf(entry));
    }
    const { kind, seq, time, prev, hash } = entry;
    return {
      ...{ kind, seq, time, prev, hash, size: end - from + 1 },
      bytes: () => bytes.subarray(from, end + 1),
      entry: () => entry,
    };
  }

  return (bytes: Buffer, from: number, end: number): Line | undefined => {
    const isOutlined = outline(bytes, from, end, current);
    const shape = isOutlined ? shapes.get(current.text.toString('latin1', 0, current.size)) : undefined;
    if (shape === undefined) return slowly(bytes, from, end, isOutlined);
    if (current.isWide && !isUtf8(bytes.subarray(from, end))) return undefined;
    const { values } = current;
    const start = values[shape.hash] ?? 0;
    const hash = bytes.toString('latin1', start, values[shape.hash + 1]);
    if (hash.length !== 64 || hash !== hashOf(bytes, from, end, start)) return undefined;
    const { isWide } = current;
    return {
      kind: shape.kind,
      time: bytes.toString('latin1', values[shape.time], values[shape.time + 1]),
      seq: Number(bytes.toString('latin1', values[shape.seq], values[shape.seq + 1])),
      prev: bytes.toString('latin1', values[shape.prev], values[shape.prev + 1]),
      hash,
      size: end - from + 1,
      bytes: () => bytes.subarray(from, end + 1),
      // It has the shape of lines that the schema accepted.
      entry: () =>
        JSON.parse(isWide ? bytes.toString('utf8', from, end) : bytes.toString('latin1', from, end)) as Entry,
    };
  };
}

const beforeHash = '"hash":"';

/** SHA-256 of a line without its hash, which stands at `start`: `"hash":"…",`. */
function createHash() {
  let body = Buffer.alloc(16_384);
  return (bytes: Buffer, from: number, end: number, start: number): string => {
    if (body.length < end - from) body = Buffer.alloc(2 * (end - from));
    const before = bytes.copy(body, 0, from, start - beforeHash.length);
    const after = bytes.copy(body, before, start + '",'.length + 64, end);
    return digest('sha256', body.subarray(0, before + after), 'hex');
  };
}

/**
 * Reads lines again that were judged before: it is enough that the hash is right, and the one that it was. Undefined:
 * it is not, or an earlier member has a hash of its own.
 */
export function createReader() {
  const hashOf = createHash();
  return (bytes: Buffer, from: number, end: number): Pick<Line, 'hash' | 'entry'> | undefined => {
    const start = bytes.indexOf(beforeHash, from, 'latin1') + beforeHash.length;
    const hash = bytes.toString('latin1', start, start + 64);
    if (start < from + beforeHash.length || start > end || hash !== hashOf(bytes, from, end, start)) return undefined;
    return { hash, entry: () => JSON.parse(bytes.toString('utf8', from, end)) as Entry };
  };
}

/** Where the values of the link stand among the strings and numbers of a line, in the order in which it has them. */
function shapeOf(entry: Entry): Shape {
  const shape: Shape = { kind: entry.kind, seq: 0, time: 0, prev: 0, hash: 0 };
  let marks = 0;
  const count = (value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number') marks += 2;
    else if (Array.isArray(value)) value.forEach(count);
    else if (typeof value === 'object' && value !== null) for (const name of sorted(value)) count(name[1]);
  };
  for (const [name, value] of sorted(entry)) {
    if (name === 'seq' || name === 'time' || name === 'prev' || name === 'hash') shape[name] = marks;
    count(value);
  }
  return shape;
}

const sorted = (value: object): [string, unknown][] => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
