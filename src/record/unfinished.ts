import { count, joined, list, type Markup, md, quote, trusted } from '../card.ts';
import type { RunEntry } from '../runs/entry.ts';
import { invocationOf } from '../runs/ids.ts';
import { isUnseen } from '../runs/state.ts';
import { serverOf } from './details.ts';
import { type Run, runsOf } from './select.ts';
import { typedName } from './typed.ts';

/** Whether an accepted change is still being followed. */
const isRunning = ({ entries, end }: Run): boolean =>
  end === undefined && entries.some((entry) => entry.kind === 'follow-up' && entry.step === 'started');

const mayStillRun = ({ end, resolved }: Run): boolean =>
  end !== undefined && isUnseen(end) && (resolved === undefined || resolved.seq < end.seq);

const isUnknown = ({ outcome, resolved }: Run): boolean => resolved === undefined && outcome?.outcome === 'unknown';

/** One sentence for each kind of unfinished run: running, waiting, unknown. `link`: adds links to the cards. */
export function unfinished(entries: readonly RunEntry[], link?: 'link'): Markup[] {
  const runs = runsOf(entries);
  const named = (fits: (run: Run) => boolean): Markup[] => runs.filter(fits).map((run) => name(run, link));
  const running = named(isRunning);
  const unseen = named(mayStillRun);
  const unknown = named(isUnknown);
  const sent = named(({ furthest }) => furthest.kind === 'intent');
  const confirmed = named(({ furthest }) => furthest.kind === 'confirmed' || furthest.kind === 'approved');
  const asked = runs.filter(({ furthest }) => furthest.kind === 'asked');
  const questions = new Set(asked.map(({ run }) => invocationOf(run))).size;
  return [
    ...(running.length === 0 ? [] : [md`Still running: ${some(running)}.`]),
    ...(unseen.length === 0 ? [] : [md`Not followed any more, and may still run: ${some(unseen)}.`]),
    ...(sent.length === 0 ? [] : [md`Sent and not answered yet: ${some(sent)}.`]),
    ...(confirmed.length === 0 ? [] : [md`Confirmed and not sent yet: ${some(confirmed)}.`]),
    ...(questions === 0 ? [] : [trusted(`Waiting for Confirm: ${count(questions, 'open question')}.`)]),
    ...(unknown.length === 0 ? [] : [md`Unknown, and nobody has said what became of it: ${some(unknown)}.`]),
  ];
}

/** "/backup restore web-1 (101) ([card](…))". In a file, which has no links, the run's id instead. */
function name({ run, first, entries }: Run, link: 'link' | undefined): Markup {
  const typed = link === undefined ? quote(typedName(first.command)) : trusted(typedName(first.command));
  const on = first.server === undefined ? [] : [serverOf(first.server)];
  const at = link === undefined ? [md`(run ${run})`] : cardOf(entries).map((card) => md`(${card})`);
  return joined([typed, ...on, ...at], ' ');
}

/** How many runs to name. */
const maxNamed = 5;

const some = (names: readonly Markup[]): Markup =>
  list(names.length > maxNamed ? [...names.slice(0, maxNamed), trusted(`${names.length - maxNamed} more`)] : names);

/** A link to the current card of a run, if it has one. */
export function cardOf(entries: readonly RunEntry[]): Markup[] {
  const followed = entries.findLast(
    (entry) => entry.kind === 'follow-up' && (entry.step === 'started' || entry.step === 'moved'),
  );
  const shown = followed ?? entries.findLast(({ kind, place }) => kind !== 'reminded' && place.message !== undefined);
  const { guild, channel, message } = shown?.place ?? {};
  return message === undefined ? [] : [trusted(`[card](https://discord.com/channels/${guild}/${channel}/${message})`)];
}
