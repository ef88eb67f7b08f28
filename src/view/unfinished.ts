import { joined, list, type Markup, md, quote, trusted } from '../card.ts';
import type { RunEntry } from '../runs/entry.ts';
import { isUnseen } from '../runs/state.ts';
import { type Run, runsOf, waitingIn } from './select.ts';
import { serverOf, typedName } from './words.ts';

/** Whether an accepted change is still being followed. */
const isRunning = ({ entries, end }: Run): boolean =>
  end === undefined && entries.some((entry) => entry.kind === 'follow-up' && entry.step === 'started');

const mayStillRun = ({ end, resolved }: Run): boolean =>
  end !== undefined && isUnseen(end) && (resolved === undefined || resolved.seq < end.seq);

const isUnknown = ({ outcome, resolved }: Run): boolean => resolved === undefined && outcome?.outcome === 'unknown';

/** One sentence for each kind of unfinished run: running, waiting, unknown. `file`: commands as code, as the rest of it. */
export function unfinished(entries: readonly RunEntry[], file?: 'file'): Markup[] {
  const runs = runsOf(entries);
  const groups: (readonly [string, readonly Run[]])[] = [
    ['still running', runs.filter(isRunning)],
    ['no longer followed, and may still run', runs.filter(mayStillRun)],
    ...waitingIn(runs),
    ['unknown, and nobody has said what became of it', runs.filter(isUnknown)],
  ];
  return groups.flatMap(([words, some]) =>
    some.length === 0
      ? []
      : [
          told(
            words,
            some.map((run) => name(run, file)),
          ),
        ],
  );
}

/** "/backup restore web-1 (101) ([card](…))" */
function name({ first, entries }: Run, file: 'file' | undefined): Markup {
  const typed = file === undefined ? trusted(typedName(first.command)) : quote(typedName(first.command));
  const on = first.server === undefined ? [] : [serverOf(first.server)];
  const at = cardOf(entries).map((card) => md`(${card})`);
  const isGlass = entries.some((entry) => entry.kind === 'asked' && entry.glass !== undefined);
  return joined([typed, ...on, ...(isGlass ? [trusted('with break-glass')] : []), ...at], ' ');
}

/** How many runs to name. */
const maxNamed = 5;

/** "Still running: /backup restore web-1 (101) and 2 more." */
function told(words: string, names: readonly Markup[]): Markup {
  const more = names.length - maxNamed;
  const shown = more > 0 ? [...names.slice(0, maxNamed), trusted(`${more} more`)] : names;
  return md`${trusted(`${words.slice(0, 1).toUpperCase()}${words.slice(1)}`)}: ${list(shown)}.`;
}

/** A link to the current card of a run, if it has one. */
export function cardOf(entries: readonly RunEntry[]): Markup[] {
  const followed = entries.findLast(
    (entry) => entry.kind === 'follow-up' && (entry.step === 'started' || entry.step === 'moved'),
  );
  const shown = followed ?? entries.findLast(({ kind, place }) => kind !== 'reminded' && place.message !== undefined);
  const { guild, channel, message } = shown?.place ?? {};
  return message === undefined ? [] : [trusted(`[card](https://discord.com/channels/${guild}/${channel}/${message})`)];
}
