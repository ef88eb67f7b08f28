import { bySeq, type Entries } from '../runs/entries.ts';
import type { Entry, RunEntry } from '../runs/entry.ts';
import { continues, type Denials, denialsLine, deniedOf, type Form, forms, runLine, trailLine } from './trail-line.ts';
import { seqRange } from './words.ts';

/** Discord's limit of a message's content. It counts code points; UTF-16 units are never fewer. */
const maxLength = 2_000;

type Fold = Denials & { actions: Set<string> };

/** The entries that a message covers, and the beginning of the last one's hash. */
export interface Range {
  from: number;
  to: number;
  head: string;
}

export interface Packed extends Range {
  text: string;
}

const newest = forms[3];

/** The form of a posted message. */
export const formOf = ({ head }: Range): Form =>
  Object.values(forms).find(({ digits }) => digits === head.length) ?? newest;

export const foot = ({ from, to, head }: Range): string => `${seqRange(from, to)} · ${head}`;
const footPattern = /(?:^|\n)#(\d{1,15})(?:–#(\d{1,15}))? · ([0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{36})$/;

/** The range in a message's last line. Undefined if the message is not part of the trail. */
export function rangeIn(text: string): Range | undefined {
  const [, from, to = from, head] = footPattern.exec(text) ?? [];
  return head === undefined ? undefined : { from: Number(from), to: Number(to), head };
}

/** Steps of one run that share the last line. */
type Steps = readonly [RunEntry, ...RunEntry[]];

interface Placed {
  at: number;
  text: string;
  denials?: Fold;
  steps?: Steps;
}

/** The lines of one message. Adjacent steps of a run share a line; so do all denials of one person. */
export function createSheet(form: Form = newest) {
  const lines: string[] = [];
  const folds = new Map<string, { at: number; denials: Fold }>();
  let length = 0;
  let range: Range | undefined;
  let steps: Steps | undefined;

  function place(entry: Entry): Placed {
    if (steps !== undefined && continues(steps, entry)) {
      const all: Steps = [...steps, entry];
      return { at: lines.length - 1, text: runLine(all, form), steps: all };
    }
    if (entry.kind !== 'denied' || entry.folded !== undefined) {
      const begun = form.joinsSteps && 'run' in entry ? { steps: [entry] as const } : {};
      return { at: lines.length, text: trailLine(entry, form), ...begun };
    }
    const { actor, time, seq } = entry;
    const before = folds.get(actor.id);
    if (before === undefined) {
      const denials = {
        actor,
        time,
        count: 1,
        from: seq,
        to: seq,
        actions: new Set([deniedOf(entry, entry.pressed?.button)]),
      };
      return { at: lines.length, text: trailLine(entry, form), denials };
    }
    // Adds in place, to avoid copying thousands. If the line no longer fits, this sheet takes no more entries, so the
    // set no longer matters.
    before.denials.actions.add(deniedOf(entry, entry.pressed?.button));
    const denials = { ...before.denials, count: before.denials.count + 1, to: seq };
    return { at: before.at, text: denialsLine(denials), denials };
  }

  return {
    /** Returns false and adds nothing if the result would be longer than `most`. */
    add(entry: Entry, most: number): boolean {
      const { at, text, denials, ...placed } = place(entry);
      const next = { from: range?.from ?? entry.seq, to: entry.seq, head: entry.hash.slice(0, form.digits) };
      const old = lines[at];
      const grown = length + text.length - (old === undefined ? -1 : old.length);
      if (grown + foot(next).length > most) return false;
      lines[at] = text;
      length = grown;
      range = next;
      steps = placed.steps;
      if (denials !== undefined) folds.set(denials.actor.id, { at, denials });
      return true;
    },
    /** The lines and their range. Undefined if there are none. */
    whole: () => range && { lines: lines.join('\n'), range },
  };
}

/** The next message: as many entries as fit, in order. Undefined if there are none. */
export function pack(entries: Iterable<Entry>, most = maxLength, form: Form = newest): Packed | undefined {
  const sheet = createSheet(form);
  for (const entry of entries) if (!sheet.add(entry, most)) break;
  const whole = sheet.whole();
  return whole && { ...whole.range, text: `${whole.lines}\n${foot(whole.range)}` };
}

/** The exact text of a message. If you change a form, keep the old one, or all older messages count as changed. */
export const textOf = (entries: Iterable<Entry>, form?: Form): string | undefined =>
  pack(entries, Number.POSITIVE_INFINITY, form)?.text;

/** The entries from `from` up to and including `to`. */
export function* entriesFrom(entries: Entries, from: number, to = Number.POSITIVE_INFINITY): Generator<Entry, void> {
  for (let seq = from; seq <= to; seq += 1) {
    // `seq` counts from 1.
    const entry = bySeq(entries, seq);
    if (entry === undefined) return;
    yield entry;
  }
}
