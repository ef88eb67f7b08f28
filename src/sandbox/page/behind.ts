import type { RecordedRequest } from '../panel/index.ts';
import type { Behind } from './protocol.ts';

/** The members of a ledger entry that the page shows. */
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
  folded?: { count: number };
  /** Of a follow-up or of an incident. */
  step?: string;
  end?: string;
  /** Who is pinged at the end from now on; or the last of the entries concerned, if `from` is the first. */
  to?: { name: string } | number;
  from?: number;
  /** Whether an unknown change did happen, and how they know. */
  happened?: boolean;
  why?: string;
  /** The process that started or stopped, and its configuration. */
  owner?: string;
  facts?: Readonly<Record<string, string | number | boolean>>;
  changed?: readonly string[];
  problems?: readonly string[];
  /** What was done to the trail in its channel, possibly by an unknown person. */
  finding?: string;
  unsaid?: true;
  /** The findings that were acknowledged, or the last one that people were pinged about. */
  findings?: readonly number[];
  upTo?: number;
  schedule?: string;
  /** An incident's title, a read and a note in its timeline. */
  title?: string;
  look?: { command: string; server?: { id: number; name?: string } };
  note?: { author: { name: string }; text: string };
  /** What others say of their alerts. */
  news?: readonly { source: string; title: string; state: string }[];
}

export interface FollowUp {
  id: string;
  command: string;
  server: { id: number; name?: string };
  notify: { name: string };
  /** `word` is the panel's own. */
  seen?: { word: string; progress?: number };
  blindSince?: number;
  /** The panel has no status endpoint. */
  unreadable?: true;
}

const SHOWN = 100;
const BODY = 500;

/** The newest requests to the panel, for the side panel. */
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
      status,
      ...(note === '' ? {} : { note }),
    };
  });

function noteOf({ effect, status, ms }: RecordedRequest): string {
  const silence = status === undefined && ms !== undefined ? 'no answer was sent' : undefined;
  return [effect, silence].filter((part) => part !== undefined).join('; ');
}

const short = (text: string): string => (text.length > BODY ? `${text.slice(0, BODY - 1)}…` : text);

export const entryRows = (entries: readonly LedgerEntry[]): Behind['entries'] =>
  entries.slice(-SHOWN).map(({ seq, time, actor, hash, ...entry }) => ({
    seq,
    time,
    kind: entry.kind,
    who: actor?.name ?? '',
    words: wordsOf(entry),
    hash,
  }));

type Details = Omit<LedgerEntry, 'seq' | 'time' | 'hash' | 'actor'>;

const wordsOf = (entry: Details): string =>
  entry.command === undefined ? ofEvent(entry) : ofRun(entry.command, entry);

/** "/firewall flush web-1 (101): unknown (status-5xx)" */
function ofRun(command: string, entry: Details): string {
  const { server, outcome, reason, folded, step, end, to, happened, why } = entry;
  // A denial has its outcome as its only reason.
  const because = why ?? (reason === outcome ? undefined : reason);
  const what = [typed(command), server && named(server)];
  const how = [
    outcome,
    folded && `×${folded.count}, counted together`,
    step,
    end,
    typeof to === 'object' ? `to ${to.name}` : undefined,
    happened === undefined ? undefined : happened ? 'it happened' : 'it did not happen',
    because && `(${because})`,
  ];
  return [spaced(what), spaced(how)].filter((part) => part !== '').join(': ');
}

const spaced = (words: readonly (string | undefined)[]): string => words.filter((word) => word !== undefined).join(' ');

function configured({ changed = [], owner, problems }: Details): string {
  if (problems !== undefined) return `refused; the previous one stays in force: ${problems.join('; ')}`;
  return `${owner === undefined ? 'changed since the last start' : 'read again'}: ${changed.join(', ')}`;
}

function ofEvent(entry: Details): string {
  const { kind, owner, facts, finding, unsaid, from, to, step, title, look, note, findings, upTo, why, schedule } =
    entry;
  switch (kind) {
    case 'started':
      return [facts?.['version'] && `version ${facts['version']}`, `process ${owner}`].filter(Boolean).join(', ');
    case 'stopped':
      return `process ${owner}`;
    case 'configured':
      return configured(entry);
    case 'tampered':
      return `the trail in #audit: ${spaced([finding, range(from, to)])}${unsaid ? '; Discord does not say by whom' : ''}`;
    case 'acknowledged':
      return `findings ${findings?.map((seq) => `#${seq}`).join(', ')} (${why})`;
    case 'alerted':
      return `people were pinged about findings up to #${upTo}`;
    case 'incident':
      if (look !== undefined) return `${step}: ${spaced([typed(look.command), look.server && named(look.server)])}`;
      return [step, title ?? (note && `${note.author.name} wrote "${short(note.text)}"`)].filter(Boolean).join(': ');
    case 'alert':
      return [step, entry.news?.map(({ title, state }) => `${title} ${state}`).join(', ')].filter(Boolean).join(': ');
    case 'shift':
      return `the shift of ${schedule} changed`;
    default:
      return '';
  }
}

/** "#3 to #5" */
const range = (from: number | undefined, to: Details['to']): string | undefined =>
  from === undefined ? undefined : typeof to !== 'number' || to === from ? `#${from}` : `#${from} to #${to}`;

/** One sentence per follow-up. */
export const followUpRows = (followUps: readonly FollowUp[]): Behind['followUps'] =>
  followUps.map((followUp) => ({
    id: followUp.id,
    words: `${typed(followUp.command)} ${named(followUp.server)}: ${stateOf(followUp)}; ${followUp.notify.name} is pinged when it ends`,
  }));

function stateOf({ seen, blindSince, unreadable }: FollowUp): string {
  if (unreadable) return 'the panel offers no way to read it';
  if (blindSince !== undefined) return 'it cannot be read now';
  if (seen === undefined) return 'not read yet';
  return seen.progress === undefined ? seen.word : `${seen.word}, ${Math.round(seen.progress)} %`;
}

const typed = (command: string): string => `/${command.replace('.', ' ')}`;
const named = ({ id, name }: { id: number; name?: string }): string =>
  name === undefined ? `${id}` : `${name} (${id})`;
