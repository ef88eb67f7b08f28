import { count, type Markup, md, moment, momentBefore, trusted } from '../card.ts';
import { type AlertStep, alertsOf } from '../runs/alert-steps.ts';
import { type Entries, eventsIn } from '../runs/entries.ts';
import { isOfRun, type RunEntry } from '../runs/entry.ts';
import { isOfStop, type StopEntry } from '../runs/freezes.ts';
import type { Incident } from '../runs/incident.ts';
import { spanText } from '../time.ts';
import { countOf, endsOf, runsOf, waitingIn } from './select.ts';
import { type Ending, newsName } from './timeline.ts';

/** Entries of the runs typed in an open incident's thread since it started. */
export const entriesOf = ({ id, opened }: Incident, entries: Entries): RunEntry[] =>
  // Entry n is at index n - 1.
  entries.slice(opened.seq).flatMap((entry) => (isOfRun(entry) && entry.place.channel === id ? [entry] : []));

/** The freezes and holds, and their ends, since it started: they concern it wherever they were typed. */
export const stopsOf = ({ opened }: Incident, entries: Entries): StopEntry[] =>
  entries.slice(opened.seq).filter(isOfStop);

/** What its alerts may have of the 2,000 characters of a message. */
const mostText = 1_000;

/**
 * "`HostDown` on web-1 (101) fired 02:00." and "Acknowledged by @bob 02:03.", as many as fit in a message. `written`: when
 * that is, in ms.
 */
export function alertLines(steps: readonly AlertStep[], written?: number): Markup[] {
  const lines = steps.map((step) => alertLine(step, written));
  let length = 0;
  const fit = lines.findIndex(({ markup }) => {
    length += markup.length;
    return length > mostText;
  });
  const left = fit === -1 ? 0 : lines.length - fit;
  return [
    ...lines.slice(0, lines.length - left),
    ...(left > 0 ? [trusted(`${left} more of its alerts are in the timeline.`)] : []),
  ];
}

/** `written`: left out, as soon as it was heard. Then it is the same each time: a thread is read for it. */
export function alertLine({ time, news, by }: AlertStep, written = Date.parse(time)): Markup {
  const heard = Date.parse(time);
  const at = momentBefore(written, heard);
  if (by !== undefined) return md`Acknowledged by <@${trusted(by.id)}> ${at}.`;
  return news.state === 'resolved'
    ? md`${newsName(news)} resolved ${at}.`
    : md`${newsName(news)} fired ${momentBefore(written, Math.min(Date.parse(news.since), heard))}.`;
}

/** Runs elsewhere since it started, which its timeline lacks. What was denied did nothing. */
const elsewhere = ({ id, opened }: Incident, entries: Entries): number =>
  new Set(
    entries
      .slice(opened.seq)
      .flatMap((entry) => (isOfRun(entry) && entry.kind !== 'denied' && entry.place.channel !== id ? [entry.run] : [])),
  ).size;

/** The incident's duration, who opened and ended it, and what was done. `at` in ms. */
export function summaryOf(incident: Incident, { by, at }: Ending, all: Entries): Markup[] {
  const { opened, notes, looks } = incident;
  const begun = Date.parse(opened.time);
  const others = elsewhere(incident, all);
  const alerts = alertsOf(incident, eventsIn(all)).filter(({ time }) => Date.parse(time) <= at);
  return [
    md`It took **${trusted(spanText(at - begun))}**: opened by <@${trusted(opened.actor.id)}> ${moment(begun, 'f')}, ended by <@${trusted(by.id)}> ${moment(at, 'f')}.`,
    trusted(
      `${summary(entriesOf(incident, all))} ${count(notes.length, 'note')} by people, ${count(looks.length, 'read')}.`,
    ),
    ...alertLines(alerts, at),
    ...(others === 0
      ? []
      : [
          trusted(
            `Not in its timeline: ${count(others, 'run')} typed elsewhere meanwhile. /audit history has ${others === 1 ? 'it' : 'them'}.`,
          ),
        ]),
  ];
}

/** For the channel where the incident was opened. The first line names the thread, so that it identifies the incident. */
export const endedLines = (incident: Incident, ended: Incident['opened'], all: Entries): Markup[] => [
  md`**Incident over** ${incident.title} · ${trusted(`<#${incident.id}>`)}`,
  ...summaryOf(incident, { by: ended.actor, at: Date.parse(ended.time) }, all),
  md`Its timeline is in the thread; ${`/audit export incident:${incident.id} format:md`} has it, too.`,
];

/** "5 runs: 3 done, 1 denied, 1 waiting for Confirm." */
export function summary(entries: readonly RunEntry[]): string {
  const runs = runsOf(entries);
  const all = [...endsOf(runs), ...[...waitingIn(runs)].map(([words, { length }]) => `${length} ${words}`)];
  return all.length === 0 ? 'No runs.' : `${count(countOf(runs), 'run')}: ${all.join(', ')}.`;
}
