import type { RecordedRequest } from '../panel/index.ts';
import type { Behind } from './protocol.ts';

/** What the page says of an entry of the bot's ledger. */
export interface LedgerEntry {
  seq: number;
  /** ISO time. */
  time: string;
  kind: string;
  hash: string;
  actor?: { name: string };
  /** `firewall.flush` */
  command?: string;
  server?: { id: number; name?: string };
  outcome?: string;
  reason?: string;
  step?: string;
  end?: string;
}

/** What the page says of something that the bot follows to its end. */
export interface FollowUp {
  id: string;
  command: string;
  server: { id: number; name?: string };
  notify: { name: string };
  /** `word` is the panel's own. */
  seen?: { word: string; progress?: number };
  /** Since when looking fails. */
  blindSince?: number;
  /** The panel offers no way to look. */
  unreadable?: true;
}

const SHOWN = 100;
const BODY = 500;

/** The newest requests to the panel, as the side panel shows them. */
export const requestRows = (requests: readonly RecordedRequest[]): Behind['requests'] =>
  requests.slice(-SHOWN).map((request) => {
    const { at, ms, method, path, body, status } = request;
    const note = noteOf(request);
    return {
      at: at.getTime(),
      ...(ms === undefined ? {} : { ms: Math.round(ms) }),
      method,
      path,
      ...(body === undefined ? {} : { body: short(typeof body === 'string' ? body : JSON.stringify(body)) }),
      ...(status === undefined ? {} : { status }),
      ...(note === '' ? {} : { note }),
    };
  });

function noteOf({ effect, status, ms }: RecordedRequest): string {
  const silence = status === undefined && ms !== undefined ? 'no answer was sent' : undefined;
  return [effect, silence].filter((part) => part !== undefined).join('; ');
}

const short = (text: string): string => (text.length > BODY ? `${text.slice(0, BODY - 1)}…` : text);

/** The newest entries of the ledger. */
export const entryRows = (entries: readonly LedgerEntry[]): Behind['entries'] =>
  entries.slice(-SHOWN).map(({ seq, time, kind, actor, hash, ...entry }) => ({
    seq,
    time,
    kind,
    who: actor?.name ?? '',
    words: wordsOf(entry),
    hash,
  }));

/** "/firewall flush web-1 (101): unknown (status-5xx)" */
function wordsOf({ command, server, outcome, reason, step, end }: Partial<LedgerEntry>): string {
  const what = [command === undefined ? undefined : typed(command), server && named(server)];
  const how = [outcome, step, end, reason === undefined ? undefined : `(${reason})`];
  return [what, how]
    .map((words) => words.filter((word) => word !== undefined).join(' '))
    .filter((part) => part !== '')
    .join(': ');
}

/** What is followed, in a sentence each. */
export const followUpRows = (followUps: readonly FollowUp[]): Behind['followUps'] =>
  followUps.map((followUp) => ({
    id: followUp.id,
    words: `${typed(followUp.command)} ${named(followUp.server)}: ${stateOf(followUp)}; ${followUp.notify.name} is told of its end`,
  }));

function stateOf({ seen, blindSince, unreadable }: FollowUp): string {
  if (unreadable) return 'the panel offers no way to look at it';
  if (blindSince !== undefined) return 'it cannot be seen now';
  if (seen === undefined) return 'not looked at yet';
  return seen.progress === undefined ? seen.word : `${seen.word}, ${Math.round(seen.progress)} %`;
}

const typed = (command: string): string => `/${command.replace('.', ' ')}`;
const named = ({ id, name }: { id: number; name?: string }): string =>
  name === undefined ? `${id}` : `${name} (${id})`;
