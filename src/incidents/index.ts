import { type CardFile, md, moment, trusted } from '../card.ts';
import type { Hindrance, IncidentTools } from '../command.ts';
import type { IncidentThreads } from '../discord/incident-threads.ts';
import { type Ledger, Refused } from '../ledger/ledger.ts';
import { type Actor, LedgerUnavailable, type Log } from '../outcome.ts';
import { alertsOf } from '../runs/alert-steps.ts';
import { eventsIn } from '../runs/entries.ts';
import type { Kind } from '../runs/entry.ts';
import { isOfStop } from '../runs/freezes.ts';
import type { Incident } from '../runs/incident.ts';
import { alertLines, endedLines, entriesOf, stopsOf, summaryOf } from '../view/incident.ts';
import { timeline } from '../view/timeline.ts';

export interface IncidentParts {
  ledger: Pick<Ledger, 'append' | 'settle' | 'incidents' | 'entries'>;
  threads: IncidentThreads;
  log: Log;
}

/** The largest file that Discord accepts anywhere, in bytes. */
const largestFile = 8 * 1024 * 1024;

type Doing<K extends keyof IncidentTools> = (
  parts: IncidentParts,
  ...args: Parameters<IncidentTools[K]>
) => ReturnType<IncidentTools[K]>;

/** Incidents: threads in which people and bot work on one problem. Their state is in the ledger. */
export function createIncidents(parts: IncidentParts): IncidentTools {
  /** Reads are answered before they are recorded: a timeline waits for those. */
  let recorded: Promise<unknown> = Promise.resolve();
  return {
    start: (...args) => start(parts, ...args),
    greet: (...args) => greet(parts, ...args),
    announceEnd: (...args) => sayEnded(parts, ...args),
    note: (...args) => addNote(parts, ...args),
    recordRead(...args) {
      const read = looked(parts, ...args);
      recorded = recorded.then(() => read);
      return read;
    },
    end: (...args) => recorded.then(() => end(parts, ...args)),
  };
}

const find = ({ ledger }: IncidentParts, id: string): Incident | undefined =>
  ledger.incidents().find((each) => each.id === id);

const start: Doing<'start'> = async (parts, title, actor, { card, ...place }, alert) => {
  const { ledger, threads } = parts;
  // Do not start anything if the ledger cannot be read.
  await ledger.settle();
  const opened = await threads.open({ channel: place.channel, message: card }, title);
  if (opened !== 'done') return opened;
  try {
    await ledger.append([
      {
        kind: 'incident',
        actor,
        incident: card,
        step: 'opened',
        place,
        title,
        ...(alert === undefined ? {} : { alert }),
      },
    ]);
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    // Redis may have stored it before it timed out.
    await ledger.settle().catch(() => undefined);
    if (find(parts, card) === undefined) return 'unrecorded';
  }
  await greet(parts, card);
  return 'opened';
};

const greet: Doing<'greet'> = async (parts, id) => {
  const incident = find(parts, id);
  if (incident === undefined) return;
  const { actor, time } = incident.opened;
  const since = Date.parse(time);
  const [news] = alertsOf(incident, eventsIn(parts.ledger.entries()));
  const greeted = await parts.threads.post(id, [
    md`**Incident** ${incident.title}, since ${moment(since, 'f')} (${moment(since)}). <@${trusted(actor.id)}> leads it until you agree on somebody else.`,
    ...(news === undefined ? [] : alertLines([news], since)),
    trusted(
      'Commands typed here are in its timeline, and everybody here sees what they read. To add a message: its menu, Apps, Add to incident timeline. /incident end posts the timeline.',
    ),
  ]);
  if (greeted !== 'done') parts.log.warn({ incident: id, ...greeted }, 'cannot post the instructions of an incident');
};

const addNote: Doing<'note'> = async ({ ledger, threads }, id, note, actor, place) => {
  if (threads.isBot(note.author.id)) return 'own';
  try {
    await ledger.append([{ kind: 'incident', actor, incident: id, step: 'noted', place, note }]);
    return 'noted';
  } catch (error) {
    const conflict = conflictingStep(error);
    if (conflict === undefined) throw error;
    return conflict === 'noted' ? 'there' : 'over';
  }
};

const looked: Doing<'recordRead'> = async ({ ledger, log }, id, look, actor, place) => {
  try {
    await ledger.append([{ kind: 'incident', actor, incident: id, step: 'looked', place, look }]);
  } catch (error) {
    // The read itself needs no ledger. The incident may also have ended meanwhile.
    log.warn({ incident: id, command: look.command, problem: String(error) }, 'cannot add a read to a timeline');
  }
};

const end: Doing<'end'> = async (parts, id, actor, place) => {
  await parts.ledger.settle();
  const incident = find(parts, id);
  if (incident === undefined || incident.ended !== undefined) return 'over';
  const posted = await post(parts, incident, actor);
  if (posted !== 'done' && posted.kind !== 'gone') return posted;
  try {
    await parts.ledger.append([{ kind: 'incident', actor, incident: id, step: 'ended', place }]);
    await sayEnded(parts, id);
    return posted === 'done' ? 'ended' : 'unposted';
  } catch (error) {
    if (conflictingStep(error) === undefined) throw error;
    return 'over';
  }
};

/** Skips the channel where the end was typed: the command's card says it there. */
const sayEnded: Doing<'announceEnd'> = async (parts, id) => {
  const incident = find(parts, id);
  const channel = incident?.opened.place.channel;
  if (incident?.ended === undefined || channel === undefined || incident.ended.place.channel === channel) return;
  const entries = parts.ledger.entries().slice(0, incident.ended.seq);
  const posted = await parts.threads.postInChannel(channel, endedLines(incident, incident.ended, entries));
  if (posted !== 'done') parts.log.warn({ incident: id, ...posted }, 'cannot announce the end of an incident');
};

/** The conflicting step of the incident, if the ledger refused ours. */
const conflictingStep = (error: unknown): Kind<'incident'>['step'] | undefined =>
  error instanceof Refused && error.by?.kind === 'incident' ? error.by.step : undefined;

/** Posted before the end is recorded: a retry after a crash updates the same message. */
function post({ ledger, threads }: IncidentParts, incident: Incident, by: Actor): Promise<'done' | Hindrance> {
  const ending = { by, at: Date.now() };
  const { title, opened } = incident;
  const entries = ledger.entries();
  const events = eventsIn(entries);
  // A freeze may be older than the incident, and block its runs.
  const stoppers = events.filter(isOfStop).map((each) => each.actor);
  const beside = [stopsOf(incident, entries), alertsOf(incident, events), stoppers] as const;
  const text = timeline(incident, ending, entriesOf(incident, entries), ...beside);
  const bytes = new TextEncoder().encode(text);
  const file: CardFile = { name: fileName(title, opened.time), type: 'text/markdown', bytes };
  const fits = bytes.byteLength <= largestFile;
  const lines = [
    md`**Timeline** of ${title}`,
    ...summaryOf(incident, ending, ledger.entries()),
    fits
      ? trusted('The file has all of it in order of time, for the post-mortem.')
      : trusted("It is larger than 8 MiB: `npm run audit -- export` writes it to a file on the bot's machine."),
  ];
  return threads.post(incident.id, lines, fits ? file : undefined);
}

/** "incident-2026-11-20-db-1-is-down.md": the day, and those characters of the title that every file system accepts. */
export function fileName(title: string, opened: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return `incident-${[opened.slice(0, 10), words].filter((part) => part !== '').join('-')}.md`;
}
