import type { Entry } from '../runs/entry.ts';
import { type Denials, denialsLine, deniedOf, line } from './line.ts';

/** Discord's limit of a message's content. It counts code points; UTF-16 units are never fewer. */
const longest = 2_000;
const hashDigits = 12;

type Fold = Denials & { deeds: Set<string> };

/** What a message of the trail stands for: the entries from `from` to `to`, and the beginning of the last one's hash. */
export interface Range {
  from: number;
  to: number;
  head: string;
}

export interface Packed extends Range {
  text: string;
}

export const headOf = ({ hash }: { hash: string }): string => hash.slice(0, hashDigits);

const foot = ({ from, to, head }: Range): string => `#${from}${from === to ? '' : `–#${to}`} · ${head}`;
const footForm = /(?:^|\n)#(\d{1,15})(?:–#(\d{1,15}))? · ([0-9a-f]{12})$/;

/** The range in a message's last line; undefined for a text that is none of the trail's. */
export function rangeIn(text: string): Range | undefined {
  const [, from, to = from, head] = footForm.exec(text) ?? [];
  return head === undefined ? undefined : { from: Number(from), to: Number(to), head };
}

/**
 * Lines as they are added. Denials of one person share a line, at the place of the first: thousands of them fit into a
 * message, and hold up nobody else's.
 */
function sheet() {
  const lines: string[] = [];
  const folds = new Map<string, { at: number; denials: Fold }>();
  let length = 0;
  let range: Range | undefined;

  function place(entry: Entry): { at: number; text: string; denials?: Fold } {
    if (entry.kind !== 'denied') return { at: lines.length, text: line(entry) };
    const { actor, time, seq } = entry;
    const before = folds.get(actor.id);
    if (before === undefined) {
      const denials = { actor, time, count: 1, from: seq, to: seq, deeds: new Set([deniedOf(entry)]) };
      return { at: lines.length, text: line(entry), denials };
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
      const next = { from: range?.from ?? entry.seq, to: entry.seq, head: headOf(entry) };
      const old = lines[at];
      const grown = length + text.length - (old === undefined ? -1 : old.length);
      if (grown + foot(next).length > most) return false;
      lines[at] = text;
      length = grown;
      range = next;
      if (denials !== undefined) folds.set(denials.actor.id, { at, denials });
      return true;
    },
    whole: (): Packed | undefined => range && { ...range, text: [...lines, foot(range)].join('\n') },
  };
}

/** The next message: as many of the entries as fit, in their order. Undefined when there are none. */
export function pack(entries: Iterable<Entry>): Packed | undefined {
  const page = sheet();
  for (const entry of entries) if (!page.add(entry, longest)) break;
  return page.whole();
}

/**
 * What the message of exactly these entries says. What was posted is compared with it years later: whoever changes a form
 * keeps the old one for the entries before, or all old messages count as changed.
 */
export function textOf(entries: Iterable<Entry>): string | undefined {
  const page = sheet();
  for (const entry of entries) page.add(entry, Number.POSITIVE_INFINITY);
  return page.whole()?.text;
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
