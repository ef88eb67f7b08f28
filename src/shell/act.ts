import { setTimeout as delay } from 'node:timers/promises';
import { type Card, trusted } from '../card.ts';
import type { TakeBack } from '../cards/asides.ts';
import { isButtonKind } from '../cards/buttons.ts';
import { decideCommand } from '../decide/command.ts';
import type { Answer, Decision, Press, Snapshot } from '../decide/decision.ts';
import { nameOf, note, notHeldNote, pressAgain, typedName, unrecordedClick } from '../decide/notes.ts';
import { changesState, touchable } from '../decide/reach.ts';
import { type Verb, verbs } from '../decide/verbs.ts';
import type { Work } from '../decide/work.ts';
import { DiscordUnavailable, LedgerUnavailable } from '../outcome.ts';
import { invocationIdOf } from '../runs/ids.ts';
import { pingsOf } from '../runs/pings.ts';
import { approvalsLeft, isOpenQuestion, orderOf, type RunState } from '../runs/state.ts';
import { answerRead, showPage, showRead } from './answer-read.ts';
import { carryOut, snapshotOf } from './carry-out.ts';
import { execute } from './change.ts';
import { dryRun } from './dry-run.ts';
import { brokenOff, faultOf, logFault, troubleCard } from './fault.ts';
import type { Click, Invocation, RunParts, Told } from './parts.ts';
import { withProgress } from './recovery.ts';
import { start } from './start.ts';

/**
 * Everything that people do comes here. It is decided before the first answer, from memory: a form is that answer, and so
 * is a refusal. Otherwise the first answer comes first, then it is decided again, and done.
 */

/** A typed command. Never rejects. */
export async function type(parts: RunParts, invocation: Invocation): Promise<void> {
  if (isFirst(parts, invocation.interaction.id)) await run(parts, invocation);
}

/** A pressed button or a submitted form, decided with the roles of now. Never rejects. */
export async function press(parts: RunParts, pressed: Click): Promise<void> {
  if (!isFirst(parts, `click ${pressed.interaction.id}`)) return;
  const undelivered: Undelivered = {};
  const { refuse, whisper } = pressed.reply;
  const kept = { refuse: remembering(undelivered, refuse), whisper: remembering(undelivered, whisper) };
  const kind = kindOf(pressed);
  try {
    if (!isButtonKind(kind)) await refuse(unknownButton);
    else await act(parts, { ...pressed, reply: { ...pressed.reply, ...kept } }, verbs[kind]);
  } catch (error) {
    logFault(parts.log, { interaction: pressed.interaction.id, button: kind }, 'a click failed', error);
    const card = undelivered.card ?? troubleCard(error);
    // In this order: a refusal after the first answer shows nothing.
    await whisper(card).catch(() => refuse(card).catch(() => undefined));
  }
}

/** The note that Discord did not take, if any: what is said instead must not be something else. */
interface Undelivered {
  card?: Card;
}

/** Sends a note, and remembers it where Discord does not take it. */
const remembering =
  <T>(undelivered: Undelivered, send: (card: Card) => Promise<T>) =>
  async (card: Card): Promise<T> => {
    try {
      return await send(card);
    } catch (error) {
      if (error instanceof DiscordUnavailable) undelivered.card = card;
      throw error;
    }
  };

/** What the custom id of a button or form begins with. */
const kindOf = ({ button }: Pick<Click, 'button'>): string => button.slice(0, Math.max(0, button.indexOf(':')));

const unknownButton = note('invalid', 'this button', trusted('The bot no longer knows this button.'));

/** Whether it is the first of its kind here. */
function isFirst({ recent }: Pick<RunParts, 'recent'>, key: string): boolean {
  if (recent.has(key)) return false;
  recent.set(key, true);
  return true;
}

/** Goes the way of one command, and reports how it ended. */
async function run(parts: RunParts, invocation: Invocation): Promise<void> {
  const { observe } = parts;
  const { interaction, command } = invocation;
  const invocationId = invocationIdOf(interaction.id);
  const begun = performance.now();
  const told = await observe.within(invocationId, () => invoke(parts, invocation));
  if (told === undefined) return;
  // What is recorded is reported where it is, denials among it.
  if (told !== 'recorded' && told !== 'denied') observe.ended(command, told);
  const outcome = told === 'recorded' ? recordedOf(parts, invocationId) : told;
  observe.finished({ invocationId, command, outcome, by: 'typed' }, performance.now() - begun);
}

async function invoke(parts: RunParts, asked: Invocation): Promise<Told> {
  const { interaction, actor, command: id, reply } = asked;
  const undelivered: Undelivered = {};
  const invocation = { ...asked, reply: { ...reply, refuse: remembering(undelivered, reply.refuse) } };
  const known = parts.commands.find((each) => each.id === id);
  const isRead = known !== undefined && !changesState(known);
  try {
    const mayReturn = isRead || (await asked.mayReturn());
    const decision = decideCommand(snapshotOf(parts), { ...invocation, mayReturn });
    if ('meant' in decision && decision.meant !== undefined) parts.recent.set(interaction.id, decision.meant);
    if (decision.kind === 'answer') {
      const told = await tell(parts, invocation, decision, invocation.reply.refuse);
      return decision.meant === undefined ? told : undefined;
    }
    if (decision.kind === 'form') return void (await openForm(invocation, decision));
    const told =
      decision.kind === 'read'
        ? await answerRead(parts, invocation, decision)
        : parts.ledger.isHeld()
          ? await start(parts, invocation, decision)
          : await notHeld(invocation, nameOf(decision.command));
    if (told !== undefined)
      parts.log.info({ command: id, actor: actor.id, run: invocationIdOf(interaction.id) }, 'answered');
    return told;
  } catch (error) {
    logFault(parts.log, { interaction: interaction.id, command: id }, 'a command failed', error);
    const said = undelivered.card ?? brokenOff(typedName(id), faultOf(error), known);
    const telling = isRead ? showRead(parts, invocationIdOf(interaction.id), reply, said) : reply.refuse(said);
    await telling.catch(() => undefined);
    return said.state;
  }
}

const openForm = ({ reply, button = '' }: Invocation | Click, { form }: Extract<Decision, { kind: 'form' }>) =>
  reply.ask({ id: button, ...form });

/** How long a process that may no longer lead lets the one that does answer first, in ms: Discord takes one first answer. */
const successorFirst = 1_000;

/** Another process may act instead, and what it records is not known here. */
async function notHeld({ reply }: Invocation | Click, what: string): Promise<Card['state']> {
  await delay(successorFirst);
  const card = notHeldNote(what);
  await reply.refuse(card);
  return card.state;
}

/** Answers privately, in the first answer or after it. Records a denial even if the answer fails. `about`: the card. */
async function tell<T>(
  parts: RunParts,
  asked: Pick<Invocation, 'interaction' | 'actor' | 'place' | 'button'>,
  { card, denial, options = {}, isOutdated, isAside }: Answer,
  say: (card: Card) => Promise<T>,
  about?: { id: string; takeBack(said: T): TakeBack },
): Promise<Card['state']> {
  const saying = say(card);
  // Whoever waits for the answer gets its error.
  saying.catch(() => undefined);
  if (about !== undefined && isOutdated) parts.cards.mark(about.id);
  if (denial !== undefined)
    await parts.limits.denials.record({ ...asked, options }, denial, (card.buttons ?? []).length > 0);
  const said = await saying;
  if (about !== undefined && isAside) parts.cards.aside(about.id, about.takeBack(said));
  return card.state;
}

/** What is decided about a press, before its first answer and after it. */
export async function act(parts: RunParts, clicked: Click, verb: Verb): Promise<void> {
  const payload = clicked.button.slice(kindOf(clicked).length + 1);
  const [invocationId = ''] = payload.split(/[.:]/, 1);
  const mayReturn = verb.isRead || (await clicked.mayReturn());
  if (verb.isOfDenial) await recorded(parts, invocationId);
  const press: Press = { ...clicked, payload, mayReturn, found: {} };
  const decide = (snapshot: Snapshot, found: Press['found']): Decision => verb.decide(snapshot, { ...press, found });
  const first = decide(snapshotOf(parts), {});
  if (first.kind === 'command') return asIfTyped(parts, clicked, first);
  if (first.kind === 'read') return showPage(parts, clicked, first);
  if (first.kind === 'share') return share(parts, clicked);
  if (first.kind === 'trial') return showTrial(parts, { ...clicked, ...first.command, typed: undefined });
  if (!verb.isRead && !parts.ledger.isHeld() && !('denial' in first))
    return void (await notHeld(clicked, 'your click'));
  if (first.kind === 'form') return openForm(clicked, first);
  if (first.kind === 'answer') {
    const { refuse, takeBack } = clicked.reply;
    return void (await tell(parts, clicked, first, refuse, { id: invocationId, takeBack: () => takeBack }));
  }
  await carryOutPress(parts, clicked, decide, invocationId);
}

/** Says what a typed command would do, and does not do it. */
export async function tryOut(parts: RunParts, asked: Invocation): Promise<void> {
  await tell(parts, asked, await dryRun(parts, asked), asked.reply.refuse);
}

/** The same behind a button. The panel is read first, which may take longer than Discord waits for a first answer. */
async function showTrial(parts: RunParts, asked: Invocation): Promise<void> {
  const { think, show } = asked.reply;
  if (!(await think('private'))) return;
  await tryOut(parts, { ...asked, reply: { ...asked.reply, refuse: async (card) => void (await show(card)) } });
}

/** `unseen`: it is about servers on which this person may do nothing, and they are told what they are told of none. */
export type Offered = 'offered' | 'answered' | 'unseen';

/** Whether something can come of a press; else that is answered now. A denial is recorded. */
export async function offers(parts: RunParts, clicked: Click): Promise<Offered> {
  const kind = kindOf(clicked);
  if (!isButtonKind(kind)) return 'unseen';
  const payload = clicked.button.slice(kind.length + 1);
  const decision = verbs[kind].decide(snapshotOf(parts), { ...clicked, payload, mayReturn: true, found: {} });
  if (decision.kind !== 'answer') return 'offered';
  const theirs = touchable(parts, clicked.actor);
  const states = parts.ledger.runs(payload.split('.', 1).join());
  const isSeen = states.some((state) => theirs.has(orderOf(state)?.server ?? { id: 0 }));
  await tell(parts, clicked, decision, isSeen ? clicked.reply.refuse : () => Promise.resolve());
  return isSeen ? 'answered' : 'unseen';
}

async function carryOutPress(
  parts: RunParts,
  clicked: Click,
  decide: (snapshot: Snapshot, found: Press['found']) => Decision,
  invocationId: string,
): Promise<void> {
  const { interaction, isPrivate, place, actor, reply } = clicked;
  if (!(await reply.defer())) return;
  const touch = (): void => {
    // What only this person sees is not the card, and nor is what pinged.
    const isPing = pingsOf(parts.ledger.runs(invocationId)).some((ping) => ping.place.message === place.message);
    if (!isPrivate && !isPing)
      parts.cards.touched(invocationId, { ...interaction, at: parts.now(), message: place.message });
  };
  const carried = await carryOut(parts, actor.id, decide, { rolesNow: clicked.rolesNow, touch });
  if (carried.kind === 'again') return void (await reply.whisper(pressAgain()));
  if (carried.kind === 'answer')
    return void (await tell(parts, clicked, carried, reply.whisper, { id: invocationId, takeBack: (said) => said }));
  if (carried.kind === 'failed') {
    if (!(carried.error instanceof LedgerUnavailable)) throw carried.error;
    return void (await reply.whisper(unrecordedClick()));
  }
  if (carried.says !== undefined) await reply.whisper(carried.says);
  const isBegun = parts.ledger.runs(invocationId).every((state) => isReady(state, actor.id));
  if (carried.work !== undefined && isBegun) await executeNow(parts, carried.work);
}

/** How long to wait for the record of a denial, which is shown before it is recorded, and how often to look; in ms. */
const recordTimeout = 1_000;
const pause = 20;

async function recorded({ ledger }: RunParts, invocationId: string): Promise<void> {
  const since = performance.now();
  while (ledger.runs(invocationId).length === 0 && performance.now() - since < recordTimeout) await delay(pause);
}

/** Goes on as if the person had typed it. The card of that command is the first answer. */
async function asIfTyped(
  parts: RunParts,
  { interaction, actor, place, button, typed, mayReturn, reply }: Click,
  { command, once, of }: Extract<Decision, { kind: 'command' }>,
): Promise<void> {
  if (once !== undefined && !isFirst(parts, once.key)) return reply.refuse(once.otherwise);
  const by = of === undefined ? { interaction, button } : { interaction: { ...interaction, id: of } };
  let card: string | undefined;
  const acknowledge: typeof reply.acknowledge = async (...first) => {
    card = await reply.acknowledge(...first);
    return card;
  };
  await run(parts, { ...command, ...by, actor, place, typed, mayReturn, reply: { ...reply, acknowledge } });
  // What Discord has no card of, and nobody has to close, may be pressed again.
  const isDone = card !== undefined || parts.unended.has(invocationIdOf(by.interaction.id));
  if (once !== undefined && !(once.isFinal && isDone)) parts.recent.delete(once.key);
}

/** Posts the card for everybody. An earlier process may have shared it: that shows in the channel. */
async function share(parts: RunParts, { reply, actor, place }: Click): Promise<void> {
  if (isFirst(parts, `share ${place.message}`) && !(await reply.isShared())) return reply.share(actor);
  const words =
    'This card was shared already, and a card is shared once. If you do not see it here, type the command again.';
  await reply.refuse(note('not-sent', 'this button', trusted(words)));
}

/** Nothing is waited for any more, and this person took the last step: of two at once, one carries it out. */
const isReady = (state: RunState, person: string): boolean =>
  approvalsLeft(state) === 0 && (state.approved?.at(-1) ?? state.confirmed)?.actor.id === person;

/** Carries out what was confirmed, and approved where that is asked for. */
async function executeNow(parts: RunParts, work: Work): Promise<void> {
  const { invocationId, command } = work;
  const begun = performance.now();
  await parts.observe.within(invocationId, () => withProgress(parts, invocationId, () => execute(parts, work)));
  const ended = { invocationId, command, outcome: recordedOf(parts, invocationId) };
  parts.observe.finished({ ...ended, by: 'confirmed' }, performance.now() - begun);
}

/** The outcomes of all runs of an invocation, each once. */
function recordedOf({ ledger }: Pick<RunParts, 'ledger'>, invocationId: string): string {
  const states = ledger.runs(invocationId);
  if (states.some(isOpenQuestion)) return 'question';
  const waiting = ledger.unrecorded(invocationId).filter((entry) => entry.kind === 'outcome');
  const outcomes = [...states.flatMap(({ outcome }) => outcome ?? []), ...waiting].map(({ outcome }) => outcome);
  return [...new Set(outcomes)].sort().join(' ') || 'unavailable';
}
