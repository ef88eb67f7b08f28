import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { type CardText, type Gallery, publicMessages, type Shown, textsOf } from './cards.ts';
import { isOpenQuestion } from './check-ledger.ts';
import { matched, sentTo, turnedAway } from './check-panel.ts';
import { checkPings } from './check-pings.ts';
import { type Entry, type Run, timeOf } from './entries.ts';
import type { Stage } from './stage.ts';
import type { Finding } from './story.ts';
import { gravest, hearsay, notNow, proud, unsent, wires } from './words.ts';

interface Card extends CardText {
  message: SeenMessage;
}

/** All cards of changes that everybody sees, and the messages that belong to them. */
function cardsOf({ discord }: Stage): Card[] {
  const cards = publicMessages(discord)
    .map((message) => ({ message, ...textsOf(message) }))
    .filter(({ word, command }) => word !== undefined && command !== undefined && wires[command] !== undefined);
  const closed = new Set(discord.threads().flatMap(({ id, archived }) => (archived ? [id] : [])));
  /** A card in a thread that was closed again takes no edit: what was said below it is its word. */
  const told = ({ message, invocation, word }: Card): string | undefined =>
    cards.findLast(
      (each) =>
        each.invocation === invocation && each.message.channelId === message.channelId && / · entry \d/.test(each.text),
    )?.word ?? word;
  return cards.map((card) =>
    closed.has(card.message.channelId) && !isAnnouncement(card) ? { ...card, word: told(card) } : card,
  );
}

const isAnnouncement = ({ message, text, word }: Card): boolean =>
  message.pinged.length > 0 || word === 'reminder' || /· (?:outcome$|(?:reminder|entry) \d)/.test(text);

/** The word that the ledger has for a run: the end of what was followed, what somebody said of it, or the outcome. */
function wordOf(run: Run): string | undefined {
  const { started, ended, outcomes, resolved } = run;
  const isSeen = ended?.end === 'finished' || ended?.end === 'failed';
  // To say that it happened may begin to follow it: then its end counts.
  if (resolved !== undefined && !isSeen && resolved.seq > (started?.seq ?? 0)) return hearsayOf(resolved);
  // To stop following does not stop what is followed.
  if (ended?.end !== undefined) return ended.end === 'stopped' ? 'accepted' : ended.end;
  if (started !== undefined) return 'accepted';
  return outcomes[0]?.outcome ?? (isOpenQuestion(run) ? 'question' : undefined);
}

const hearsayOf = ({ happened }: Entry): string => (happened === true ? 'happened' : 'did not happen');

const invocationsOf = (runs: readonly Run[]): Map<string, Run[]> => {
  const found = new Map<string, Run[]>();
  for (const run of runs) found.set(run.invocation, [...(found.get(run.invocation) ?? []), run]);
  return found;
};

/** The cards as they are now against the ledger. */
export function checkCards(stage: Stage, entries: readonly Entry[], runs: readonly Run[]): Finding[] {
  const cards = cardsOf(stage);
  const known = invocationsOf(runs);
  const strays = cards.flatMap((card) => checkStray(card, known));
  const each = [...known].flatMap(([invocation, own]) => {
    const mine = cards.filter((card) => card.invocation === invocation);
    return [...checkOne(invocation, own, mine, { entries, runs }), ...checkPings(invocation, own, mine)];
  });
  return [...strays, ...each];
}

/** A card that is not over, or that the ledger does not know. */
function checkStray(card: Card, known: ReadonlyMap<string, Run[]>): Finding[] {
  const { word = '', invocation = '', message } = card;
  const about = { ...(invocation === '' ? {} : { invocation }) };
  if (word === 'working')
    return [{ invariant: 'no-working-card', what: `message ${message.id} says WORKING`, ...about }];
  if (!known.has(invocation) && !unsent.includes(word)) {
    const what = `message ${message.id} says ${word.toUpperCase()}, and the ledger has nothing of it`;
    return [{ invariant: 'no-card-without-entry', what, ...about }];
  }
  const hasConfirm = word === 'question' && message.buttons.some(({ disabled }) => !disabled);
  if (hasConfirm && !(known.get(invocation) ?? []).some((run) => isOpenQuestion(run))) {
    return [{ invariant: 'no-question-after-the-end', what: `message ${message.id} still asks`, ...about }];
  }
  return [];
}

/** Discord did not take its first answer: then there is no card, nothing is asked and nothing is sent. */
const isNothing = ({ asked, intent, outcomes }: Run): boolean =>
  asked === undefined && intent === undefined && outcomes.every(({ outcome = '' }) => unsent.includes(outcome));

/** Nothing was done, because it was not sent or the panel said not now. */
const isUndone = (run: Run): boolean =>
  unsent.includes(wordOf(run) ?? '') || run.outcomes.some(({ reason = '' }) => notNow.includes(reason));

/** Nothing was done, and a later run did it. */
const isDoneSince = (run: Run, all: readonly Run[]): boolean =>
  isUndone(run) &&
  all.some(
    (later) =>
      later.command === run.command &&
      later.server === run.server &&
      proud.includes(wordOf(later) ?? '') &&
      (later.outcomes[0]?.seq ?? 0) > (run.outcomes[0]?.seq ?? 0),
  );

/** One card, and its first word is the worst of the ledger. */
function checkOne(
  invocation: string,
  runs: readonly Run[],
  mine: readonly Card[],
  all: { entries: readonly Entry[]; runs: readonly Run[] },
): Finding[] {
  const cards = mine.filter((card) => !isAnnouncement(card));
  const moved = all.entries.filter(
    ({ run, step }) => step === 'moved' && run?.split('.', 1).join() === invocation,
  ).length;
  const [server] = runs.flatMap((run) => run.server ?? []);
  const about = { invocation, server };
  if (cards.length === 0 && runs.every(isNothing)) return [];
  if (cards.length === 0) return [{ invariant: 'one-card', what: `${invocation} has no card`, ...about }];
  if (cards.length > 1 + moved) {
    const ids = cards.map(({ message }) => message.id).join(', ');
    return [{ invariant: 'one-card', what: `${invocation} has ${cards.length} cards: ${ids}`, ...about }];
  }
  const words = runs.map(wordOf);
  if (words.includes(undefined)) return [];
  const left = runs.filter((run) => !isDoneSince(run, all.runs)).map(wordOf);
  const wanted = words.includes('question') ? 'question' : gravest.find((each) => words.includes(each));
  const shown = cards.at(-1)?.word;
  // What was not sent and done since is not in the headline of several.
  if (shown === wanted || (left.length > 0 && shown === gravest.find((each) => left.includes(each)))) return [];
  const what = `${invocation} is ${wanted} in the ledger, and its card says ${shown?.toUpperCase()}`;
  return [{ invariant: 'card-as-ledger', what, ...about }];
}

/** What was ever shown against what was known then. */
export function checkHistory(stage: Stage, gallery: Gallery, runs: readonly Run[]): Finding[] {
  const known = invocationsOf(runs);
  const pairs = [...matched(sentTo(stage), runs)];
  const reachedBy = (run: Run, at: number): boolean =>
    pairs.some(([{ request }, of]) => of === run && !turnedAway.includes(request.status) && request.at.getTime() <= at);
  const affected = (run: Run, at: number): boolean =>
    pairs.some(([{ request }, of]) => of === run && request.effect !== undefined && request.at.getTime() <= at);
  const wrong = (face: Shown): string | undefined => {
    const own = known.get(face.invocation ?? '') ?? [];
    const [only] = own;
    const word = face.word ?? '';
    if (only === undefined || wires[face.command ?? ''] === undefined) return undefined;
    if (hearsay.includes(word) && !own.some((run) => isKnown(run, word, face.at)))
      return `said ${word.toUpperCase()} before anybody had said so`;
    // The ledger may have been silent then: what the panel did is as true.
    if (proud.includes(word) && !own.some((run) => isKnown(run, word, face.at) || affected(run, face.at)))
      return `said ${word.toUpperCase()} before anybody could know`;
    const speaksForAll = own.length === 1 && unsent.includes(word) && !face.text.includes('From here');
    return speaksForAll && reachedBy(only, face.at)
      ? `said ${word.toUpperCase()} after the request was sent`
      : undefined;
  };
  return [...gallery.all()].flatMap(([message, faces]) =>
    faces.flatMap((face) => {
      const what = wrong(face);
      const invocation = face.invocation ?? '';
      return what === undefined
        ? []
        : [{ invariant: 'no-card-before-the-ledger', what: `message ${message} ${what}`, invocation }];
    }),
  );
}

/** Whether the ledger had it by then. */
const isKnown = ({ outcomes, started, ends, resolved }: Run, word: string, at: number): boolean =>
  [
    ...outcomes.map((entry) => ({ entry, says: entry.outcome })),
    // Somebody may have said so of what was unknown.
    ...(started ? [{ entry: started, says: 'accepted' }] : []),
    ...ends.map((entry) => ({ entry, says: entry.end })),
    ...(resolved ? [{ entry: resolved, says: hearsayOf(resolved) }] : []),
  ].some(({ entry, says }) => timeOf(entry) <= at && (says === word || (word === 'accepted' && says === 'stopped')));
