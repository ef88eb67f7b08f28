import { type Card, list, md, moment, own, serverName, subjectOf } from '../card.ts';
import type { PreparedChange } from '../command.ts';
import type { Records, RunState } from '../ledger/ledger.ts';
import type { RawOptions } from '../outcome.ts';
import { type Ended, endCard, typedName } from './cards.ts';
import { type Offers, offersOf, preparedOf, toUndo } from './offers.ts';
import type { Parts } from './parts.ts';
import { endedOf, stemOfRun } from './settle.ts';
import { applied, find, isDone, mayBeDone, replaced, takenBack } from './since.ts';

type CardParts = Pick<Parts, 'ledger' | 'commands' | 'now' | 'followUps'> & { rules: Pick<Parts['rules'], 'find'> };
export type RetireParts = CardParts & Pick<Parts, 'desk' | 'log'>;

const preparedFor = (parts: Omit<CardParts, 'followUps'>, [first]: readonly RunState[]): PreparedChange | undefined =>
  preparedOf(parts, first?.outcome ?? first?.intent);

/** What a card offers now. */
export const offersNow = (parts: Omit<CardParts, 'followUps'>, states: readonly RunState[]): Offers =>
  offersOf(parts.ledger, states, preparedFor(parts, states));

/** The card of runs as the ledger has them now. */
export async function cardNow(parts: CardParts, stem: string): Promise<Card | undefined> {
  const followed = await parts.followUps.card(stem);
  if (followed !== undefined) return followed;
  const states = parts.ledger.runs(stem);
  const ended = states.map((state): Ended => endedOf(state, state.outcome?.server));
  const first = states[0]?.outcome;
  if (first === undefined) return undefined;
  const { command, options } = first;
  const about = {
    command,
    actor: (states[0]?.asked ?? first).actor,
    servers: states.flatMap(({ outcome }) => outcome?.server ?? []),
    stem,
    ...(typeof options.reason === 'string' ? { reason: options.reason } : {}),
  };
  return endCard(about, ended, offersNow(parts, states));
}

/**
 * Shows the card of runs as the ledger has them when it goes on its way. To make it takes time, in which what is followed may end
 * and say its last word: then it is made anew, so that it does not come over that.
 */
export async function showNow(parts: CardParts, stem: string, show: (card: Card) => Promise<void>): Promise<void> {
  for (;;) {
    const before = parts.ledger.runs(stem);
    const card = await cardNow(parts, stem);
    const now = parts.ledger.runs(stem);
    if (now.length !== before.length || now.some((state, at) => state !== before[at])) continue;
    return card === undefined ? undefined : show(card);
  }
}

/** Whether a time of day is enough to name a moment. */
const isToday = (since: number, now: number): boolean => now - since < 20 * 3_600_000;

/** The message that pings the actor about what is still loose. `run` tells it from the card. */
export function reminderCard(parts: Omit<CardParts, 'followUps'>, stem: string): Card | undefined {
  const states = parts.ledger.runs(stem).filter(({ remind }) => remind !== undefined);
  const first = states[0]?.outcome;
  if (first === undefined) return undefined;
  const servers = states.flatMap(({ outcome }) => outcome?.server ?? []);
  const left = states.filter((state) => mayBeDone(state) && takenBack(parts.ledger, state) === undefined);
  const names = left.flatMap(({ outcome }) => (outcome?.server === undefined ? [] : [serverName(outcome.server)]));
  const { body, buttons } = toUndo(parts.ledger, states, preparedFor(parts, states));
  const since = Date.parse(first.time);
  const subject = subjectOf(servers) ?? own('');
  return {
    state: 'reminder',
    command: typedName(first.command),
    // It is all that a phone's notification shows.
    subject:
      left.length === 0
        ? subject
        : md`${subject}: not undone since ${moment(since, isToday(since, parts.now()) ? 't' : 'f')}`,
    body: [
      ...(names.length === 0
        ? []
        : [md`You wanted to be reminded: ${list(names)}, done ${moment(since)}, not undone since.`]),
      ...body,
    ],
    run: `${stem} · reminder`,
    ...(buttons.length === 0 ? {} : { buttons }),
  };
}

/** Earlier cards on the same servers that one of these runs took back, or applied: they must not offer that again. Never rejects. */
export async function retire(parts: RetireParts, stem: string): Promise<void> {
  try {
    const stems = new Set(parts.ledger.runs(stem).flatMap((state) => [...before(parts.ledger, state)]));
    stems.delete(stem);
    for (const each of stems) await showAgain(parts, each);
  } catch (error) {
    parts.log.warn(
      { run: stem, problem: String(error) },
      'the cards before this one could not be shown as they are now',
    );
  }
}

/** Whether this was taken for done, and came to nothing, or nobody knows. */
const isRevoked = (by: RunState): boolean => by.followUp?.ended !== undefined && !isDone(by);

/** The cards with a run that this one took back, applied or set anew; or that nothing took back, now that this one did not. */
function before(records: Records, by: RunState): Set<string> {
  const { outcome, intent } = by;
  if (outcome?.server === undefined || !(isDone(by) || isRevoked(by))) return new Set();
  const stems = new Set<string>();
  for (const entry of records.outcomes(outcome.server.id)) {
    if (entry.seq >= outcome.seq) break;
    const state = find(records, entry.run);
    if (state === undefined) continue;
    const opened = state.intent?.opens?.some((what) => intent?.closes?.includes(what)) ?? false;
    const isSame = entry.command === outcome.command && by.undo?.command === outcome.command;
    if (!opened && !isSame && state.undo?.command !== outcome.command) continue;
    const since = [takenBack, applied, replaced].flatMap((each) => each(records, state) ?? []);
    const isMine = isDone(by) ? since.some(({ run }) => run === by.run) : since.length === 0 && mayBeDone(state);
    if (isMine) stems.add(stemOfRun(entry.run));
  }
  return stems;
}

/** Shows a card, and the reminder of it, as they are now. Never rejects: the ledger makes a click on what is left of them harmless. */
export async function showAgain(parts: RetireParts, stem: string): Promise<void> {
  try {
    await show(parts, stem);
  } catch (error) {
    parts.log.warn({ run: stem, problem: String(error) }, 'a card could not be shown as it is now');
  }
}

/** What of a card's runs changes the card. */
export function face(parts: Omit<CardParts, 'followUps'>, stem: string): string {
  const states = parts.ledger.runs(stem);
  const seqs = states.map(({ outcome, followUp, resolved }) => [outcome?.seq, followUp?.ended?.seq, resolved?.seq]);
  return JSON.stringify([seqs, offersNow(parts, states)]);
}

/**
 * After an edit that Discord may have held up: what another process recorded and showed meanwhile is shown again. `before`: the
 * face that was shown. Never rejects.
 */
export async function lastWord(
  parts: RetireParts & { doubted: Set<string> },
  stem: string,
  before: string,
): Promise<void> {
  try {
    await parts.ledger.refresh();
    if (face(parts, stem) !== before) await showAgain(parts, stem);
  } catch {
    // The sweep does it when the ledger can be read.
    parts.doubted.add(stem);
  }
}

/** A command that is still at work shows its card itself, when it is done. */
const isOver = (states: readonly RunState[], { server }: RawOptions): boolean =>
  states.length >= String(server ?? '').split(',').length && states.every(({ outcome }) => outcome !== undefined);

async function show(parts: RetireParts, stem: string): Promise<void> {
  const states = parts.ledger.runs(stem);
  const first = states[0]?.outcome;
  if (first === undefined || !isOver(states, first.options)) return;
  const { place } = first;
  const message = states.find(({ followUp }) => followUp !== undefined)?.followUp?.card ?? place.message;
  const reminded = states.flatMap((state) => state.reminded?.place.message ?? [])[0];
  const put = (at: string | undefined, card: Card | undefined): Promise<void> =>
    at === undefined || card === undefined
      ? Promise.resolve()
      : parts.desk.edit({ channel: place.channel, message: at }, card);
  await showNow(parts, stem, (card) => put(message, card));
  await put(reminded, reminderCard(parts, stem));
}
