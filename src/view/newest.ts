import { aboutServer, isOn, newsIn } from '../runs/alert-steps.ts';
import { bySeq, type Entries, eventsIn, view } from '../runs/entries.ts';
import { type Entry, type EventEntry, isOfRun, type Kind } from '../runs/entry.ts';
import { isOfStop, type StopEntry } from '../runs/freezes.ts';
import { invocationOf } from '../runs/ids.ts';
import { inOrder, type Seqs } from '../runs/numbers.ts';
import { fits, onServer, type Run, runsOf, type Selection, serverIn } from './select.ts';
import { sight, type Viewer } from './visible.ts';

/** How many entries to read at once. */
const few = 64;

type Wanted = Omit<Selection, 'until' | 'incident'>;

/** The selected runs that this person may see, newest first; nothing now and then, so that others get their turn. */
export async function* newestRuns(context: Viewer, wanted: Wanted): AsyncGenerator<Run | undefined, void> {
  const { records } = context;
  const { isShown, shown } = sight(context);
  const all = records.entries();
  const server = onServer(wanted.server);
  const isWanted = (run: Run): boolean =>
    fits(run, wanted) &&
    (server.isOn(run) || server.isNamed(run)) &&
    Date.parse(run.newest.time) >= (wanted.since ?? 0);
  for (const entry of namesOf(context, wanted)) {
    server.learn(entry);
    yield;
  }
  /** Entries of invocations that were read whole. */
  const known = new Set<number>();
  /** Runs with a newer entry than those before, the newest last. */
  let waiting: Run[] = [];
  for await (const near of blocksBack(context, wanted)) {
    // Where nothing of many was wanted, others get their turn, too.
    yield;
    for (const [seq, entry] of near) {
      while ((waiting.at(-1)?.newest.seq ?? 0) >= seq) yield waiting.pop();
      yield;
      if (known.delete(seq) || !isOfRun(entry)) continue;
      const steps = records.past.ofInvocation(invocationOf(entry.run), (each) => near.get(each) ?? bySeq(all, each));
      for (const step of steps) if (step.seq < seq) known.add(step.seq);
      const found = runsOf(steps.filter(isShown).map(shown)).filter(isWanted);
      waiting = [...waiting, ...found].sort((a, b) => a.newest.seq - b.newest.seq);
    }
  }
  yield* waiting.reverse();
}

/** Entries with all names that the server ever had: a denial may name it by any of them, and by nothing else. */
function* namesOf({ records }: Viewer, { server }: Wanted): Generator<Entry, void> {
  const { past } = records;
  if (server !== undefined && past.ofServer(undefined).length > 0)
    yield* view(records.entries(), past.ofServer(server.id));
}

/** What is no run: freezes, holds, the steps of incidents; and of alerts, what was heard, and who saw to them. */
export type Deed = StopEntry | Kind<'incident'> | Exclude<Kind<'alert'>, { step: 'shown' | 'silent' }>;
const isDeed = (entry: EventEntry): entry is Deed =>
  isOfStop(entry) ||
  entry.kind === 'incident' ||
  (entry.kind === 'alert' && (entry.step === 'received' || entry.step === 'acknowledged'));

/**
 * Those that this person may see, the newest first. Of a command are only the reads in an incident's thread, and of alerts
 * what was heard stands in the history of its server alone: a flood would hide what people did.
 */
export function newestDeeds(context: Viewer, { server, person, command, outcome, since = 0 }: Wanted): Deed[] {
  if (outcome !== undefined) return [];
  const { isShown, shown } = sight(context);
  const events = eventsIn(context.records.entries());
  const alerts = server && aboutServer(server.id, events);
  const isWanted = (entry: Deed): boolean =>
    isShown(entry) &&
    Date.parse(entry.time) >= since &&
    (person === undefined || entry.actor.id === person) &&
    (command === undefined || (entry.kind === 'incident' && entry.look?.command === command)) &&
    (server === undefined || serverIn(entry)?.id === server.id || alerts?.has(entry.seq) === true);
  return events
    .filter(isDeed)
    .filter(isWanted)
    .flatMap((entry): Deed[] => {
      if (entry.kind !== 'alert' || entry.step !== 'received') return [entry];
      const news = newsIn(shown(entry)).filter((each) => server !== undefined && isOn(each, server.id));
      return news.length === 0 ? [] : [{ ...entry, news }];
    })
    .reverse();
}

/** What the lines of wanted runs have, among them the one by which a run is listed; undefined: nothing that others have not. */
function textsOf({ person, command, outcome }: Wanted): readonly string[] | undefined {
  const [id, of, how] = [person, command, outcome].map((text) => JSON.stringify(text));
  const one =
    outcome !== undefined
      ? [`"outcome":${how}`, `"end":${how}`]
      : person !== undefined
        ? [`"id":${id}`]
        : command !== undefined
          ? [`"command":${of}`]
          : undefined;
  return one && [...one, '"kind":"resolved"', '"step":"ended"'];
}

/** Where each wanted run has an entry, oldest first. */
function placesOf(
  { records: { past, ...records } }: Viewer,
  { server, since = 0 }: Wanted,
): Pick<Seqs, 'length' | 'at'> {
  const all = records.entries();
  const [from] = all.span?.(since, Number.POSITIVE_INFINITY) ?? [0];
  if (server === undefined) return { length: all.length - from, at: (index) => from + index + 1 };
  const seqs = inOrder([past.ofServer(server.id), past.ofServer(undefined)]);
  const before = seqs.upTo(from);
  return { length: seqs.length - before, at: (index) => seqs.at(before + index) };
}

/** By `seq`, the newest first, a few at a time. */
async function* blocksBack(viewer: Viewer, wanted: Wanted): AsyncGenerator<ReadonlyMap<number, Entry>, void> {
  const all = viewer.records.entries();
  for await (const seqs of partsBack(viewer, wanted, all)) {
    const block = view(all, seqs).slice();
    yield new Map(block.toReversed().map((entry) => [entry.seq, entry]));
  }
}

async function* partsBack(
  viewer: Viewer,
  wanted: Wanted,
  all: Entries,
): AsyncGenerator<Pick<Seqs, 'length' | 'at'>, void> {
  const texts = wanted.server === undefined ? textsOf(wanted) : undefined;
  const seqs = placesOf(viewer, wanted);
  if (texts !== undefined && all.having !== undefined) {
    for await (const found of all.having(texts, all.length - seqs.length, all.length)) {
      // Where there are none, others get their turn all the same.
      for (let at = 0; at === 0 || at < found.length; at += few) {
        const some = found.slice(at, at + few);
        yield { length: some.length, at: (index) => (some.at(-1 - index) ?? -1) + 1 };
      }
    }
    return;
  }
  for (let end = seqs.length; end > 0; end -= few) {
    const begin = Math.max(0, end - few);
    yield { length: end - begin, at: (index) => seqs.at(begin + index) };
  }
}
