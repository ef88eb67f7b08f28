import { type Markup, md, trusted } from '../card.ts';
import type { Records } from '../runs/book.ts';
import type { Kind, RunEntry, Step } from '../runs/entry.ts';
import { applied, isStored, isUndoable } from '../runs/history.ts';
import { messageOf, type RunState, wordOnEnd } from '../runs/state.ts';
import { byline, type LeftItem } from './handover.ts';
import { saidOf, saysOf, typedName } from './words.ts';

/** A change of a server, and what is known of it since. */
interface Changed {
  entry: Kind<'outcome'>;
  last: Step<'ended'> | Kind<'resolved'> | undefined;
  /** It was done with break-glass. */
  isGlass: boolean;
  place: RunEntry['place'];
}

/** Outcomes after which the server may have changed. */
const changing: readonly string[] = ['succeeded', 'accepted', 'unknown'];

/** The last changes of a server, including unknown ones, newest first. */
export function lastChanges(records: Pick<Records, 'outcomes' | 'run'>, server: number, most: number): Changed[] {
  const outcomes = records.outcomes(server);
  const found: Changed[] = [];
  for (let at = outcomes.length - 1; at >= 0 && found.length < most; at -= 1) {
    const entry = outcomes.at(at);
    if (entry === undefined || !changing.includes(entry.outcome)) continue;
    const state = records.run(entry.run) ?? { run: entry.run, outcome: entry };
    const isGlass = state.asked?.glass !== undefined;
    found.push({ entry, last: lastOf(state), isGlass, place: messageOf(state) ?? entry.place });
  }
  return found;
}

/** What is known of it since its outcome. A job that is said to be under way is followed from then on. */
const lastOf = (state: RunState): Changed['last'] => wordOnEnd(state) ?? state.followUp?.ended ?? state.resolved;

const stateOf = ({ last, entry }: Changed): string =>
  last?.kind === 'resolved' ? saidOf(last) : (last?.end ?? entry.outcome).toUpperCase();

/** "**SUCCEEDED** /firewall disable: 5 minutes ago by @bob · card"; "**IS RUNNING**, says @carol: /power restart: …" */
export const changeLine = (changed: Changed): Markup => {
  const { entry, last, isGlass, place } = changed;
  return md`**${trusted(stateOf(changed))}**${saysOf(last)} ${trusted(typedName(entry.command))}: ${byline(Date.parse(entry.time), entry, place, isGlass)}`;
};

/** What closes an open item: the undo of its run, or applying what it stored. `command`: what that runs. */
export interface Closing {
  does: 'undo' | 'apply';
  run: string;
  command?: string;
}

const undoable: readonly LeftItem['group'][] = ['firewall-off', 'no-rules', 'down', 'throttle', 'whitelist'];

/** Undefined if only a person can close it. */
export function closingOf(
  records: Pick<Records, 'outcomes' | 'run' | 'closed'>,
  { group, entry }: LeftItem,
): Closing | undefined {
  const state = records.run(entry.run);
  if (state === undefined) return undefined;
  const { run, undo } = state;
  if (group === 'unapplied')
    return isStored(records, state) && applied(records, state) === undefined ? { does: 'apply', run } : undefined;
  return undoable.includes(group) && undo !== undefined && isUndoable(records, state)
    ? { does: 'undo', run, command: undo.command }
    : undefined;
}
