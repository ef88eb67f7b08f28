import type { Entry } from '../runs/entry.ts';
import { type Denials, denialsLine, deniedOf, type Form, trailLine } from './line.ts';

/** Discord's limit of a message's content. It counts code points; UTF-16 units are never fewer. */
const longest = 2_000;
/** How many characters of lines go into a file: some three thousand entries. */
const longestFile = 400_000;

type Fold = Denials & { deeds: Set<string> };

/** What a message of the trail stands for: the entries from `from` to `to`, and the beginning of the last one's hash. */
export interface Range {
  from: number;
  to: number;
  head: string;
}

export interface Packed extends Range {
  text: string;
  /** The lines, where they are too many for messages. */
  file?: { name: string; text: string };
}

/** How many digits of the hash a message ends with: four bits each. */
const digits: Record<Form, number> = { 1: 12, 2: 32 };

/** The form of a message that was posted. */
export const formOf = ({ head }: Range): Form => (head.length === digits[1] ? 1 : 2);

const foot = ({ from, to, head }: Range): string => `#${from}${from === to ? '' : `–#${to}`} · ${head}`;
const footForm = /(?:^|\n)#(\d{1,15})(?:–#(\d{1,15}))? · ([0-9a-f]{12}|[0-9a-f]{32})$/;

/** The range in a message's last line; undefined for a text that is none of the trail's. */
export function rangeIn(text: string): Range | undefined {
  const [, from, to = from, head] = footForm.exec(text) ?? [];
  return head === undefined ? undefined : { from: Number(from), to: Number(to), head };
}

/**
 * Lines as they are added. Denials of one person share a line, at the place of the first: thousands of them fit into a
 * message, and hold up nobody else's.
 */
function sheet(form: Form = 2) {
  const lines: string[] = [];
  const folds = new Map<string, { at: number; denials: Fold }>();
  let length = 0;
  let range: Range | undefined;

  function place(entry: Entry): { at: number; text: string; denials?: Fold } {
    if (entry.kind !== 'denied' || entry.folded !== undefined)
      return { at: lines.length, text: trailLine(entry, form) };
    const { actor, time, seq } = entry;
    const before = folds.get(actor.id);
    if (before === undefined) {
      const denials = { actor, time, count: 1, from: seq, to: seq, deeds: new Set([deniedOf(entry)]) };
      return { at: lines.length, text: trailLine(entry, form), denials };
    }
    // Thousands are never copied: what does not fit any more was the last, whatever the set holds then.
    before.denials.deeds.add(deniedOf(entry));
    const denials = { ...before.denials, count: before.denials.count + 1, to: seq };
    return { at: before.at, text: denialsLine(denials), denials };
  }

  return {
    /** False, and nothing is added, when the whole would be longer than `most`. */
    add(entry: Entry, most: number): boolean {
      const { at, text, denials } = place(entry);
      const next = { from: range?.from ?? entry.seq, to: entry.seq, head: entry.hash.slice(0, digits[form]) };
      const old = lines[at];
      const grown = length + text.length - (old === undefined ? -1 : old.length);
      if (grown + foot(next).length > most) return false;
      lines[at] = text;
      length = grown;
      range = next;
      if (denials !== undefined) folds.set(denials.actor.id, { at, denials });
      return true;
    },
    /** The lines, and what they stand for; undefined when there are none. */
    whole: () => range && { lines: lines.join('\n'), range },
  };
}

function filled(entries: Iterable<Entry>, most: number): ReturnType<ReturnType<typeof sheet>['whole']> {
  const page = sheet();
  for (const entry of entries) if (!page.add(entry, most)) break;
  return page.whole();
}

/** The next message: as many of the entries as fit, in their order. Undefined when there are none. */
export function pack(entries: Iterable<Entry>): Packed | undefined {
  const page = filled(entries, longest);
  return page && { ...page.range, text: `${page.lines}\n${foot(page.range)}` };
}

/** The next message of a backlog: its lines are in a file. */
export function packBacklog(entries: Iterable<Entry>): Packed | undefined {
  const page = filled(entries, longestFile);
  if (page === undefined) return undefined;
  const { from, to } = page.range;
  return {
    ...page.range,
    text: `A backlog of ${to - from + 1} entries: the file has their lines.\n${foot(page.range)}`,
    file: { name: `trail-${from}-${to}.txt`, text: page.lines },
  };
}

/**
 * What the message of exactly these entries says, of a backlog with its file's lines in their place. What was posted is compared
 * with it years later: whoever changes a form keeps the old one for the messages before, or all of them count as changed.
 */
export function textOf(entries: Iterable<Entry>, form: Form = 2): string | undefined {
  const page = sheet(form);
  for (const entry of entries) page.add(entry, Number.POSITIVE_INFINITY);
  const whole = page.whole();
  return whole && `${whole.lines}\n${foot(whole.range)}`;
}

/** The entries from one `seq` on, up to another where it is given. */
export function* entriesFrom(
  entries: readonly Entry[],
  from: number,
  to = Number.POSITIVE_INFINITY,
): Generator<Entry, void> {
  for (let seq = from; seq <= to; seq += 1) {
    // `seq` counts from 1.
    const entry = entries[seq - 1];
    if (entry === undefined) return;
    yield entry;
  }
}
