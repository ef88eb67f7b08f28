import { bySeq, type Entries } from '../runs/entries.ts';
import type { Entry, Finding, Kind } from '../runs/entry.ts';
import { contradicts } from '../runs/findings.ts';
import { entriesFrom, formOf, type Range, rangeIn, textOf } from '../view/trail.ts';
import { backlogIn, backlogLines, hasFile, isSameText, sha256Of } from './backlog.ts';
import type { AttachedFile, AuditChannel, Message } from './channel.ts';

/** A difference between the channel and the ledger. `from` and `to` are `seq` of entries. */
export interface Discrepancy {
  finding: Finding;
  /** The message concerned, or the one after a gap. */
  message: string;
  from?: number;
  to?: number;
}

/** The entries that a message of the trail covers. */
export const trailRange = ({ own, content }: Message): Range | undefined => (own ? rangeIn(content) : undefined);

export const isIn = (entries: Entries, { from, to, head }: Range): boolean => {
  const last = bySeq(entries, to);
  return from >= 1 && from <= to && last?.hash.startsWith(head) === true;
};

/** Whether an entry reports a message whose entries this ledger never held. The trail continues after such a report. */
export const isForeign = (entry: Entry | undefined): entry is Kind<'tampered'> =>
  entry?.kind === 'tampered' && contradicts(entry);

/** Checks one message without its neighbours and without its file, which `compareFiles` checks. */
function findingOf(message: Message, range: Range, entries: Entries): Finding | undefined {
  if (range.to > entries.length) return 'ahead';
  if (!isIn(entries, range)) return 'strange';
  if (message.edited) return 'changed';
  if (backlogIn(message.content, range) !== undefined) return hasFile(message, range) ? undefined : 'changed';
  const text = textOf(entriesFrom(entries, range.from, range.to), formOf(range));
  return text === undefined || !isSameText(message.content, text) ? 'changed' : undefined;
}

interface Gap {
  from: number;
  to: number;
  /** The message after the gap. Undefined if the messages before it were not read: then nothing proves a gap. */
  message?: string;
}

/** Whether a message is unchanged. Does not check its file. */
const isIntact = (message: Message, range: Range, entries: Entries): boolean =>
  findingOf(message, range, entries) === undefined;

/**
 * Compares messages, oldest first, with the ledger. With `begin`, the `seq` at which the trail begins, `messages` is
 * the whole trail. Without it, nothing before the first message counts as missing. Duplicate lines are not a finding:
 * the bot posts lines again after somebody deletes them.
 */
export function compare(messages: readonly Message[], entries: Entries, begin?: number): Discrepancy[] {
  const judged = messages.flatMap((message) => {
    const range = trailRange(message);
    return range === undefined ? [] : [{ message: message.id, ...range, finding: findingOf(message, range, entries) }];
  });
  const wrong = judged.flatMap(({ finding, message, from, to }) => (finding ? [{ finding, message, from, to }] : []));
  const known = judged.filter(({ finding }) => finding !== 'ahead' && finding !== 'strange');
  return [...wrong, ...misplaced(known, entries, begin)];
}

/** Finds messages that are out of order, and gaps between them. */
function misplaced(
  messages: readonly (Range & { message: string })[],
  entries: Entries,
  begin: number | undefined,
): Discrepancy[] {
  const late: Discrepancy[] = [];
  let gaps: Gap[] = [];
  /** The last entry that a message or a gap covers. */
  let reach = (begin ?? 1) - 1;
  for (const [at, range] of messages.entries()) {
    const { message, from, to } = range;
    const fills = gaps.some((gap) => from <= gap.to && to >= gap.from);
    if (fills) {
      late.push({ finding: 'reordered', message, from, to });
      gaps = gaps.flatMap((gap) => subtract(gap, range));
    }
    const isLost = at > 0 || begin !== undefined;
    if (from > reach + 1) gaps.push({ from: reach + 1, to: from - 1, ...(isLost ? { message } : {}) });
    reach = Math.max(reach, to);
  }
  return [...late, ...missing(gaps, entries)];
}

/** The parts of a gap that a message does not fill. */
const subtract = (gap: Gap, { from, to }: Range): Gap[] =>
  [
    { ...gap, to: Math.min(gap.to, from - 1) },
    { ...gap, from: Math.max(gap.from, to + 1) },
  ].filter((left) => left.from <= left.to);

function missing(gaps: readonly Gap[], entries: Entries): Discrepancy[] {
  return gaps.flatMap(({ from, to, message }) => {
    const next = bySeq(entries, to + 1);
    // After such a report the trail continues at that entry and skips what came before.
    const skipped = isForeign(next);
    return message === undefined || skipped ? [] : [{ finding: 'missing' as const, message, from, to }];
  });
}

/** A backlog message, its file, and the hash that it states. */
interface Backlog extends Range {
  message: string;
  file: AttachedFile;
  sha256?: string;
}

/** `unread`: files that Discord did not return, which proves nothing. */
export interface ComparedFiles {
  found: Discrepancy[];
  unread: Required<Omit<Discrepancy, 'finding'>>[];
}

type Verdict = 'intact' | 'changed' | 'unread';

/**
 * Compares the files of backlogs with the ledger, after `compare` has checked the messages. `all` downloads every file,
 * to see that it still exists and is whole. `doubtful` trusts a hash in the message that matches the ledger's lines, and
 * downloads only the other files: older messages have no hash, and another version of Unicode may give other lines,
 * which `isSameText` tolerates.
 */
export async function compareFiles(
  { file }: Pick<AuditChannel, 'file'>,
  messages: readonly Message[],
  entries: Entries,
  how: 'all' | 'doubtful',
): Promise<ComparedFiles> {
  const compared: ComparedFiles = { found: [], unread: [] };
  for (const backlog of backlogsIn(messages, entries)) {
    const verdict = await judge(backlog, entries, how, file);
    const { message, from, to } = backlog;
    if (verdict === 'changed') compared.found.push({ finding: 'changed', message, from, to });
    if (verdict === 'unread') compared.unread.push({ message, from, to });
  }
  return compared;
}

async function judge(
  backlog: Backlog,
  entries: Entries,
  how: 'all' | 'doubtful',
  read: AuditChannel['file'],
): Promise<Verdict> {
  const { file, sha256 } = backlog;
  const lines = await backlogLines(entries, backlog);
  const isExpected = lines?.sha256 === sha256;
  if (isExpected && how === 'doubtful') return 'intact';
  const bytes = await read(file).catch(() => undefined);
  if (bytes === undefined) return 'unread';
  if (sha256 !== undefined && sha256Of(bytes) !== sha256) return 'changed';
  const isSame = isExpected || (lines !== undefined && isSameText(Buffer.from(bytes).toString(), lines.text));
  return isSame ? 'intact' : 'changed';
}

export const backlogsIn = (messages: readonly Message[], entries: Entries): Backlog[] =>
  messages.flatMap((message) => {
    const range = trailRange(message);
    const description = range && backlogIn(message.content, range);
    const { id, file } = message;
    if (range === undefined || description === undefined || file === undefined || !isIntact(message, range, entries))
      return [];
    return [{ message: id, file, ...description, ...range }];
  });
