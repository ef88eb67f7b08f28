import type { Entries } from '../runs/entries.ts';
import type { Range } from '../view/trail.ts';
import { backlogIn, backlogLines, isSameText, sha256Of } from './backlog.ts';
import type { AttachedFile, AuditChannel, Message } from './channel.ts';
import { type Discrepancy, isIntact, trailRange } from './compare.ts';

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
