import { md, moment, trusted } from '../card.ts';
import { defined } from '../defined.ts';
import { Refused } from '../ledger/ledger.ts';
import { LedgerUnavailable } from '../outcome.ts';
import type { Kind, NewRunEntry } from '../runs/entry.ts';
import { doneBefore } from '../runs/history.ts';
import { invocationOf } from '../runs/ids.ts';
import { isUnknown, mayStillRun, type RunState } from '../runs/state.ts';
import { decideServers, preparedOf, type Refusal } from './authorize.ts';
import { startedEntries } from './change.ts';
import { deniedCard, note, typedName, unansweredNote } from './notes.ts';
import type { Click, RunParts } from './parts.ts';
import { runsNow, sayGone, takeClick } from './press.ts';
import { refuse } from './refuse.ts';

const maxReasonLength = 200;
const nothing = 'Nothing was recorded.';

type Outcome = NonNullable<RunState['outcome']>;
type Resolution = Extract<NewRunEntry, { kind: 'resolved' }>;

/** Resolves a run that ended unknown: the button asks the person how they know, and the submitted modal records it. */
export async function resolve(parts: RunParts, clicked: Click, run: string, happened: boolean): Promise<void> {
  await runsNow(parts, invocationOf(run));
  const state = parts.ledger.run(run);
  const outcome = state?.outcome;
  if (state === undefined || outcome === undefined) return sayGone(clicked);
  const refused = refusal(parts, clicked, outcome);
  if (refused !== undefined) return void (await refuse(parts, { ...clicked, options: outcome.options }, refused));
  if (!isCardOf(parts, clicked, outcome)) return sayGone(clicked);
  if (mayStillRun(state)) return mayRun(parts, clicked, outcome);
  if (state.resolved !== undefined) return void (await clicked.reply.refuse(alreadySaid(state.resolved)));
  if (!isUnknown(state)) return sayGone(clicked);

  const { reply, typed, interaction, place } = clicked;
  if (typed === undefined) {
    const label = happened ? 'How do you know that it happened?' : 'How do you know that it did not?';
    return reply.ask({ id: clicked.button, title: typedName(outcome.command), label, longest: maxReasonLength });
  }
  if ((await takeClick(parts, clicked)) === undefined) return;
  const why = typed.trim().slice(0, maxReasonLength);
  if (why === '') return reply.whisper(note('invalid', 'your click', trusted(`Say how you know. ${nothing}`)));
  parts.cards.touched(invocationOf(run), { ...interaction, at: parts.now(), message: place.message });
  const resolution = entryOf(clicked, outcome, { happened, why, ...(happened ? undoAndReminder(parts, state) : {}) });
  const failure = await record(parts, resolution, happened ? begun(parts, clicked, outcome) : []);
  if (failure !== undefined) await reply.whisper(failure);
}

const entryOf = (
  { actor, place: { guild, channel, message } }: Click,
  { run, command, options, server }: Outcome,
  said: Pick<Resolution, 'happened' | 'why' | 'undo' | 'remind'>,
): Resolution => ({
  ...{ kind: 'resolved', run, command, options, actor, place: { guild, channel, message }, ...said },
  ...defined({ server }),
});

/** Returns a card if it was not recorded, or may not have been. */
async function record(
  { ledger }: RunParts,
  entry: Resolution,
  more: readonly NewRunEntry[],
): Promise<ReturnType<typeof note> | undefined> {
  try {
    await ledger.append([entry, ...more]);
    return undefined;
  } catch (error) {
    // It may still have been recorded: then the card shows it.
    if (error instanceof LedgerUnavailable) return unansweredNote('your click');
    const faster = ledger.run(entry.run)?.resolved;
    if (!(error instanceof Refused) || faster === undefined) throw error;
    return alreadySaid(faster);
  }
}

/** An old card without the buttons for a job that may still run. Redraws it with them. */
async function mayRun(parts: RunParts, { reply }: Click, { run, command }: Outcome): Promise<void> {
  const words = trusted('What was started may still run. Press Finished or Failed on its card, once that is so.');
  await reply.refuse(note('not-sent', typedName(command), words, trusted(nothing)));
  parts.cards.mark(invocationOf(run));
}

/** A modified client may press a button on any message. That message must not become this card. */
function isCardOf({ ledger }: RunParts, { place, offered }: Click, { run, place: { message } }: Outcome): boolean {
  const moved = ledger.runs(invocationOf(run)).flatMap(({ followUp }) => followUp?.card ?? []);
  const known = [...moved, ...(message === undefined ? [] : [message])];
  return known.length === 0 ? offered : known.includes(place.message);
}

/** Refuses people who may not run the command on that server. */
function refusal(parts: RunParts, { actor, place }: Click, { command: id, server }: Outcome): Refusal | undefined {
  const command = parts.commands.find((each) => each.id === id);
  if (command === undefined || !parts.rules.answersIn(place)) {
    const words = trusted(`This button is not answered here. ${nothing}`);
    return { kind: 'refused', card: note('not-sent', typedName(id), words) };
  }
  const may = parts.rules.decide(actor.roles, command);
  const target = server === undefined ? [] : [parts.rules.find(String(server.id)) ?? server];
  const decision = may.allowed ? decideServers(parts, actor, command, target) : may;
  if (decision === undefined) return undefined;
  return { kind: 'refused', card: deniedCard(command, decision, nothing), denial: { command, decision } };
}

/** The undo and the reminder that a yes would have recorded. */
function undoAndReminder(parts: RunParts, { outcome, intent }: RunState): Pick<Resolution, 'undo' | 'remind'> {
  const prepared = preparedOf(parts, outcome);
  if (outcome?.server === undefined || prepared === undefined || outcome.outcome !== 'unknown') return {};
  const followUpStart = intent ?? outcome;
  const undo = prepared.undo(outcome.server, doneBefore(parts.ledger, followUpStart)?.options);
  const due = Date.parse(followUpStart.time) + (prepared.remind ?? Number.NaN);
  return {
    ...defined({ undo }),
    ...(Number.isNaN(due) ? {} : { remind: new Date(due).toISOString() }),
  };
}

/** The start of the follow-up that a yes would have recorded. People close it if its job is unknown. */
function begun(parts: RunParts, { place: { message } }: Click, outcome: Outcome): NewRunEntry[] {
  const { run, command, options, actor, server, place } = outcome;
  if (server === undefined) return [];
  const of = { run, command, options, actor, server, place: { ...place, message } };
  return startedEntries(parts, of, preparedOf(parts, outcome)?.yes(server).job);
}

const alreadySaid = ({ actor, happened, time }: Kind<'resolved'>): ReturnType<typeof note> =>
  note(
    'not-sent',
    'your click',
    md`<@${trusted(actor.id)}> said ${moment(Date.parse(time))} that it ${trusted(happened ? 'happened' : 'did not happen')}. Your click changed nothing.`,
  );
