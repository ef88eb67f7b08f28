import type { Ledger } from '../ledger/ledger.ts';
import { entriesFrom, pack } from '../view/trail.ts';
import { isBacklog, maxFileLength, packBacklog } from './backlog.ts';
import type { AuditChannel, Message } from './channel.ts';

/** After Discord refuses a file: how long to post without files, in ms, and by what factor to shrink the next one. */
const withoutFiles = 60_000;
const shrink = 4;
const leastFileLength = 20_000;

/**
 * Posts entries as lines, or a backlog as a file. If Discord refuses the file (permission, size, or any other reason),
 * posts lines with the same nonce: should Discord have accepted the file after all, it returns that message.
 */
export function createPosting(
  ledger: Pick<Ledger, 'entries'>,
  channel: Pick<AuditChannel, 'post'>,
  now: () => number = () => performance.now(),
) {
  let most = maxFileLength;
  let refusedUntil = Number.NEGATIVE_INFINITY;

  /** Undefined if Discord refused the file, or there are no entries. */
  async function postFile(from: number, to: number, nonce: string): Promise<Message | undefined> {
    const packed = await packBacklog(entriesFrom(ledger.entries(), from, to), most);
    const message = packed && (await channel.post(packed.text, nonce, packed.file).catch(() => undefined));
    if (message !== undefined) most = maxFileLength;
    return message;
  }

  function postLines(from: number, to: number, nonce: string): Promise<Message> | undefined {
    const packed = pack(entriesFrom(ledger.entries(), from, to));
    return packed && channel.post(packed.text, nonce);
  }

  /** One message with entries from `from` on. Undefined if there are none. */
  return async (from: number, to: number, nonce: string): Promise<Message | undefined> => {
    if (now() < refusedUntil || !isBacklog(ledger.entries(), from, to)) return postLines(from, to, nonce);
    const filed = await postFile(from, to, nonce);
    if (filed !== undefined) return filed;
    const message = await postLines(from, to, nonce);
    // The message was accepted, so the file was the problem.
    refusedUntil = now() + withoutFiles;
    most = Math.max(leastFileLength, Math.floor(most / shrink));
    return message;
  };
}
