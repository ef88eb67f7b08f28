import { type CardFile, count, md, moment, own } from '../card.ts';
import type { Hindrance, IncidentsFace } from '../command.ts';
import type { IncidentDesk } from '../discord/incident-desk.ts';
import type { Note, RunEntry } from '../ledger/entry.ts';
import type { Incident, Ledger } from '../ledger/ledger.ts';
import { type Actor, LedgerUnavailable, type Log } from '../outcome.ts';
import { entriesOf, summary } from './summary.ts';

export interface IncidentParts {
  ledger: Pick<Ledger, 'append' | 'refresh' | 'incidents' | 'entries'>;
  desk: IncidentDesk;
  /** As Markdown. `entries` are those of its runs; times in ms. */
  timeline(incident: {
    title: string;
    opened: { by: Actor; at: number };
    ended: { by: Actor; at: number };
    notes: readonly Note[];
    entries: readonly RunEntry[];
  }): string;
  now?(): number;
  log: Log;
}

/** The most that a file may have: what Discord takes anywhere, in bytes. */
const largestFile = 8 * 1024 * 1024;

/** Incidents: threads in which people and bot work on one thing together. What they are is in the ledger. */
export function createIncidents({ ledger, desk, timeline, now = Date.now, log }: IncidentParts): IncidentsFace {
  const find = (id: string): Incident | undefined => ledger.incidents().find((each) => each.id === id);

  async function greet(id: string): Promise<void> {
    const incident = find(id);
    if (incident === undefined) return;
    const greeted = await desk.post(id, [
      md`**Incident** ${incident.title}, opened by <@${own(incident.opened.actor.id)}>.`,
      own('Commands that are typed in this thread belong to it. What they read is shown to everybody here.'),
      own(
        'To keep a message in its timeline, from any channel where commands are answered: the menu of the message, Apps, Add to incident timeline.',
      ),
      own('/incident end posts the timeline here, as a file.'),
    ]);
    if (greeted !== 'done') log.warn({ incident: id, ...greeted }, 'the thread of an incident could not be explained');
  }

  return {
    async start(title, actor, { card, ...place }) {
      // Where the ledger is away, nothing is begun.
      await ledger.refresh();
      const opened = await desk.open({ channel: place.channel, message: card }, title);
      if (opened !== 'done') return opened;
      try {
        await ledger.append([{ kind: 'incident', actor, incident: card, step: 'opened', place, title }]);
      } catch (error) {
        if (!(error instanceof LedgerUnavailable)) throw error;
        // A Redis that fell silent may have taken it.
        await ledger.refresh().catch(() => undefined);
        if (find(card) === undefined) return 'unrecorded';
      }
      await greet(card);
      return 'opened';
    },
    greet,
    async note(id, note, actor, place) {
      if (desk.isBot(note.author.id)) return 'own';
      await ledger.refresh();
      const isThere = (): boolean => find(id)?.notes.some((each) => each.note?.message === note.message) === true;
      const isOver = (): boolean => find(id)?.ended !== undefined;
      if (isThere()) return 'there';
      if (isOver()) return 'over';
      try {
        await ledger.append([{ kind: 'incident', actor, incident: id, step: 'noted', place, note }]);
        return 'noted';
      } catch (error) {
        // Somebody else was faster.
        if (isThere()) return 'there';
        if (isOver()) return 'over';
        throw error;
      }
    },
    async end(id, actor, place) {
      await ledger.refresh();
      const incident = find(id);
      if (incident === undefined || incident.ended !== undefined) return 'over';
      const posted = await post(incident, actor);
      if (posted !== 'done' && posted.kind !== 'gone') return posted;
      try {
        await ledger.append([{ kind: 'incident', actor, incident: id, step: 'ended', place }]);
        return posted === 'done' ? 'ended' : 'unposted';
      } catch (error) {
        if (find(id)?.ended === undefined) throw error;
        return 'over';
      }
    },
  };

  /** Before it is recorded that it has ended: who tries again after a crash brings the same message up to date. */
  function post(incident: Incident, by: Actor): Promise<'done' | Hindrance> {
    const at = now();
    const entries = entriesOf(incident, ledger.entries());
    const { title, opened } = incident;
    const notes = incident.notes.flatMap(({ note }) => note ?? []);
    const text = timeline({
      title,
      opened: { by: opened.actor, at: Date.parse(opened.time) },
      ended: { by, at },
      notes,
      entries,
    });
    const bytes = new TextEncoder().encode(text);
    const file: CardFile = { name: `incident-${incident.id}.md`, type: 'text/markdown', bytes };
    const fits = bytes.byteLength <= largestFile;
    const lines = [
      md`**Timeline** of ${title}`,
      md`Opened by <@${own(opened.actor.id)}> ${moment(Date.parse(opened.time), 'f')}, ended by <@${own(by.id)}> ${moment(at, 'f')}.`,
      md`${own(summary(entries))} ${own(count(notes.length, 'note'))} by people.`,
      fits
        ? own('The file has all of it in the order of time, for the post-mortem. Times in it are UTC.')
        : own("It is larger than 8 MiB: `npm run audit -- export` writes it to a file on the bot's machine."),
    ];
    return desk.post(incident.id, lines, fits ? file : undefined);
  }
}
