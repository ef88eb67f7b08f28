import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Entries } from '../runs/entries.ts';
import type { Entry } from '../runs/entry.ts';
import { createSheet, entriesFrom, foot, pack, type Range } from '../view/trail.ts';
import type { Message } from './channel.ts';

/** A message for a backlog. Its file holds the lines. */
export interface BacklogMessage extends Range {
  text: string;
  file: { name: string; text: string };
}

interface Lines {
  range: Range;
  text: string;
  sha256: string;
}

/** In UTF-16 units: some fifteen thousand entries. A unit takes three bytes at most, and Discord takes 10 MiB. */
export const maxFileLength = 2_000_000;
/** Rendering this many lines takes some milliseconds; then the event loop gets a turn. */
const entriesPerTurn = 200;

export const sha256Of = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const nameOf = ({ from, to }: Range): string => `trail-${from}-${to}.txt`;

/** Names the entries, the hash of the file, and the hash of the last entry. */
const textOf = (range: Range, sha256: string): string =>
  `A backlog of ${range.to - range.from + 1} entries: the file has their lines.\nSHA-256 of the file: \`${sha256}\`\n${foot(range)}`;

/** The text of older messages, which lack the hash of the file. */
const oldTextOf = (range: Range): string =>
  `A backlog of ${range.to - range.from + 1} entries: the file has their lines.\n${foot(range)}`;

/** Whether the entries need more than two messages, or the first is too long for one. */
export function isBacklog(entries: Entries, from: number, to: number): boolean {
  const first = pack(entriesFrom(entries, from, to));
  if (first === undefined) return from <= to;
  if (first.to === to) return false;
  const second = pack(entriesFrom(entries, first.to + 1, to));
  return second !== undefined && second.to < to;
}

/** As many lines as fit. Undefined if there are none. */
async function linesOf(entries: Iterable<Entry>, most: number): Promise<Lines | undefined> {
  const page = createSheet();
  let added = 0;
  for (const entry of entries) {
    if (!page.add(entry, most)) break;
    added += 1;
    if (added % entriesPerTurn === 0) await nextTurn();
  }
  const whole = page.whole();
  return whole && { range: whole.range, text: whole.lines, sha256: sha256Of(whole.lines) };
}

/** The next message of a backlog, with as many entries as fit into a file. */
export async function packBacklog(
  entries: Iterable<Entry>,
  most: number = maxFileLength,
): Promise<BacklogMessage | undefined> {
  const lines = await linesOf(entries, most);
  if (lines === undefined) return undefined;
  const { range, text, sha256 } = lines;
  return { ...range, text: textOf(range, sha256), file: { name: nameOf(range), text } };
}

/** The expected lines of the file with these entries. */
export const backlogLines = (entries: Entries, { from, to }: Range): Promise<Lines | undefined> =>
  linesOf(entriesFrom(entries, from, to), Number.POSITIVE_INFINITY);

/** The hash that a backlog message states; older messages have none. Undefined for any other message. */
export function backlogIn(content: string, range: Range): { sha256?: string } | undefined {
  const [, sha256] = /\b([0-9a-f]{64})\b/.exec(content) ?? [];
  if (sha256 === undefined) return isSameText(content, oldTextOf(range)) ? {} : undefined;
  return isSameText(content, textOf(range, sha256)) ? { sha256 } : undefined;
}

/** Whether the file that the message names is attached. */
export const hasFile = ({ file }: Message, range: Range): boolean => file?.name === nameOf(range);

/** What Discord may change or drop: spaces, marks, controls; and planes to which each Unicode release adds emoji. */
const unstable = /[\s\ufffd\p{M}\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u{10000}-\u{10ffff}]+/gu;

const withoutUnstable = (text: string): string => text.normalize('NFD').replace(unstable, '');

/** Whether a message still has the text that was posted, but for what Discord, or a new Unicode, may change. */
export const isSameText = (content: string, text: string): boolean =>
  content === text || withoutUnstable(content) === withoutUnstable(text);
