import type { Entries } from '../runs/entries.ts';
import { isAlike } from './alike.ts';
import { backlogIn, backlogLines, sha256Of } from './backlog.ts';
import type { AttachedFile, AuditChannel, Message } from './channel.ts';
import { type Discrepancy, isSound, trailRange } from './compare.ts';
import type { Range } from './pack.ts';

/** A message with a backlog, and what it says of its file. */
interface Backlog extends Range {
  message: string;
  file: AttachedFile;
  sha256?: string;
}

/** `unread`: files that Discord did not give, which proves nothing. */
export interface ComparedFiles {
  found: Discrepancy[];
  unread: Required<Omit<Discrepancy, 'finding'>>[];
}

type Verdict = 'sound' | 'changed' | 'unread';

/**
 * Compares the files of backlogs with the ledger; the messages must have been compared. The hash in a message vouches for
 * its file, and the ledger gives the lines, so that a file need not be read to know what it says. `all`: reads each all
 * the same, to see that it is still there and whole. Otherwise only where the lines have another hash: an older message
 * has none, and another version of Unicode may give other lines, which `isAlike` forgives.
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
  if (isExpected && how === 'doubtful') return 'sound';
  const bytes = await read(file).catch(() => undefined);
  if (bytes === undefined) return 'unread';
  if (sha256 !== undefined && sha256Of(bytes) !== sha256) return 'changed';
  const isSame = isExpected || (lines !== undefined && isAlike(Buffer.from(bytes).toString(), lines.text));
  return isSame ? 'sound' : 'changed';
}

export const backlogsIn = (messages: readonly Message[], entries: Entries): Backlog[] =>
  messages.flatMap((message) => {
    const range = trailRange(message);
    const said = range && backlogIn(message.content, range);
    const { id, file } = message;
    if (range === undefined || said === undefined || file === undefined || !isSound(message, range, entries)) return [];
    return [{ message: id, file, ...said, ...range }];
  });
