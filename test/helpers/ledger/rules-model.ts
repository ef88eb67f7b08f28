import type { NewEntry, NewRunEntry } from '../../../src/runs/entry.ts';

/**
 * What may be appended, by a small model that knows nothing of how the ledger judges. Each rule is one line, and all of them are
 * asked: where an entry breaks several, the ledger may name any.
 */

/** An entry as far as the model is concerned. */
interface Noted {
  seq: number;
  entry: NewEntry;
  hash: string;
}

/** The entries of one story, which is independent of all others. */
export type Recorded = readonly Noted[];

/** `by`: the entry that blocks it; undefined if something is missing. */
export interface Broken {
  rule: 'second' | 'out-of-order' | 'expired' | 'server-busy' | 'stale';
  by: number | undefined;
}

const nothingSent: readonly string[] = ['cancelled', 'expired', 'unavailable'];

/** The rules that an entry breaks at this moment, in ms. */
export function broken(entry: NewEntry, recorded: Recorded, now: number): Broken[] {
  if (entry.kind === 'incident') return ofIncident(entry, recorded);
  return 'run' in entry ? ofRun(entry, recorded, now) : [];
}

function ofIncident(entry: NewEntry & { kind: 'incident' }, recorded: Recorded): Broken[] {
  const mine = recorded.filter((each) => each.entry.kind === 'incident' && each.entry.incident === entry.incident);
  const at = (step: string): Noted[] => mine.filter((each) => 'step' in each.entry && each.entry.step === step);
  if (entry.step === 'opened') return seconds(at('opened'));
  const same = at('noted').filter(
    (each) => each.entry.kind === 'incident' && each.entry.note?.message === entry.note?.message,
  );
  return [
    ...(at('opened').length === 0 ? [outOfOrder()] : []),
    ...seconds(at('ended')),
    ...(entry.step === 'noted' ? seconds(same) : []),
  ];
}

function ofRun(entry: NewRunEntry, recorded: Recorded, now: number): Broken[] {
  const mine = recorded.filter((each) => 'run' in each.entry && each.entry.run === entry.run);
  const of = (kind: string): Noted[] => mine.filter((each) => each.entry.kind === kind);
  const step = (name: string): Noted[] => mine.filter((each) => 'step' in each.entry && each.entry.step === name);
  const [question] = of('asked');
  switch (entry.kind) {
    case 'asked':
      return seconds([...of('asked'), ...of('intent'), ...of('outcome')]);
    case 'confirmed':
      return ofConfirmed(question, entry.question, [...of('confirmed'), ...of('intent'), ...of('outcome')], now);
    case 'intent':
      return [
        ...seconds([...of('intent'), ...of('outcome')]),
        ...(question !== undefined && of('confirmed').length === 0 ? [outOfOrder(question)] : []),
        ...busy(entry, recorded),
        ...stale(entry, recorded),
      ];
    case 'outcome':
      return [
        ...seconds(of('outcome')),
        ...(nothingSent.includes(entry.outcome) ? seconds(of('intent')) : []),
        // A question waits for people: it is confirmed or closed before anything else can end it.
        ...(entry.outcome === 'unavailable' && isUnanswered(question, of) ? [outOfOrder(question)] : []),
        ...(entry.outcome === 'cancelled' || entry.outcome === 'expired' ? seconds(of('confirmed')) : []),
      ];
    case 'resolved':
      return [...seconds(of('resolved')), ...(of('outcome').some(isUnknown) ? [] : [outOfOrder()])];
    case 'follow-up':
      return ofFollowUp(entry, step, of('outcome').some(isAccepted) || of('resolved').length > 0);
    default:
      return [];
  }
}

type FollowUp = NewRunEntry & { kind: 'follow-up' };

function ofFollowUp(entry: FollowUp, step: (name: string) => Noted[], isFollowed: boolean): Broken[] {
  const { step: name } = entry;
  const begun = step('started').length > 0;
  if (name === 'started') return [...seconds(step('started')), ...(isFollowed ? [] : [outOfOrder()])];
  const isEarly = !begun || (name === 'announced' && step('ended').length === 0);
  // A follow-up whose end nobody saw may end once more, with a known end.
  const isNews = isSeen(entry) && !step(name).some((each) => isSeen(each.entry));
  return [...(isEarly ? [outOfOrder()] : []), ...(isNews ? [] : seconds(step(name)))];
}

const isSeen = (entry: NewEntry): boolean => 'end' in entry && (entry.end === 'finished' || entry.end === 'failed');

function ofConfirmed(question: Noted | undefined, hash: string, before: readonly Noted[], now: number): Broken[] {
  const expires = question?.entry.kind === 'asked' ? Date.parse(question.entry.expires) : undefined;
  return [
    ...seconds(before),
    ...(question?.hash === hash ? [] : [outOfOrder(question)]),
    ...(expires !== undefined && now > expires ? [{ rule: 'expired', by: question?.seq } as const] : []),
  ];
}

const seconds = (before: Recorded): Broken[] => before.map(({ seq }) => ({ rule: 'second', by: seq }));
const outOfOrder = (by?: Noted): Broken => ({ rule: 'out-of-order', by: by?.seq });

const isAccepted = ({ entry }: Noted): boolean => entry.kind === 'outcome' && entry.outcome === 'accepted';
const isUnknown = ({ entry }: Noted): boolean => entry.kind === 'outcome' && entry.outcome === 'unknown';

const isOn = ({ entry }: Noted, server: number | undefined): boolean =>
  'run' in entry && server !== undefined && entry.server?.id === server;
const isOfKind = ({ entry }: Noted, kind: string, run: string): boolean =>
  entry.kind === kind && 'run' in entry && entry.run === run;

const isUnanswered = (question: Noted | undefined, of: (kind: string) => Noted[]): boolean =>
  question !== undefined && [...of('confirmed'), ...of('intent'), ...of('outcome')].length === 0;

/** Another run's intent on that server that has no outcome. */
const busy = ({ run, server }: NewRunEntry, recorded: Recorded): Broken[] =>
  recorded
    .filter((each) => each.entry.kind === 'intent' && each.entry.run !== run && isOn(each, server?.id))
    .filter(({ entry }) => !recorded.some((each) => 'run' in entry && isOfKind(each, 'outcome', entry.run)))
    .map(({ seq }) => ({ rule: 'server-busy', by: seq }));

/** The last entry that said how a change on that server ended, where it is newer than what was seen. */
function stale({ server, seen }: NewRunEntry & { kind: 'intent' }, recorded: Recorded): Broken[] {
  const last = recorded.findLast(
    (each) =>
      isOn(each, server?.id) &&
      (each.entry.kind === 'resolved' ||
        (each.entry.kind === 'follow-up' && each.entry.step === 'ended') ||
        (each.entry.kind === 'outcome' &&
          recorded.some((one) => isOfKind(one, 'intent', 'run' in each.entry ? each.entry.run : '')))),
  );
  return last !== undefined && seen !== undefined && last.seq > seen ? [{ rule: 'stale', by: last.seq }] : [];
}
