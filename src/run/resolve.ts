import { md, moment, own } from '../card.ts';
import type { RunEntry } from '../ledger/entry.ts';
import type { RunState } from '../ledger/ledger.ts';
import { LedgerUnavailable } from '../outcome.ts';
import { type Admission, decideServers } from './admit.ts';
import { deniedCard, note, typedName } from './cards.ts';
import { claim, refuse, settling } from './corridor.ts';
import { preparedOf } from './offers.ts';
import type { Click, RunParts } from './parts.ts';
import { gone, runsNow } from './press.ts';
import { retire, showAgain, showNow } from './retire.ts';
import { openCard, stemOfRun } from './settle.ts';
import { doneBefore, find, isDoubtful } from './since.ts';
import { unansweredNote } from './unsure.ts';

const longestReason = 200;
const nothing = 'Nothing was recorded.';

/** Somebody knows what became of a run that ended unknown: the button asks how, the submitted modal records it. */
export async function resolve(parts: RunParts, clicked: Click, run: string, happened: boolean): Promise<void> {
  await runsNow(parts, stemOfRun(run));
  const state = find(parts.ledger, run);
  if (state?.outcome === undefined) return gone(clicked);
  const refused = refusal(parts, clicked, state.outcome);
  if (refused !== undefined) return refuse(parts, { ...clicked, options: state.outcome.options }, refused);
  if (!isItsCard(parts, clicked, state.outcome)) return gone(clicked);
  if (state.resolved !== undefined) return void (await clicked.reply.refuse(alreadySaid(state.resolved)));
  if (!isDoubtful(state)) return gone(clicked);

  const { reply, typed } = clicked;
  if (typed === undefined) {
    const label = happened ? 'How do you know that it happened?' : 'How do you know that it did not?';
    return reply.ask({ id: clicked.button, title: typedName(state.outcome.command), label, longest: longestReason });
  }
  if ((await reply.defer()).kind === 'gone' || (await claim(parts, clicked.interaction.id)) === 'lost') return;
  const why = typed.trim().slice(0, longestReason);
  if (why === '') return reply.whisper(note('invalid', 'your click', own(`Say how you know. ${nothing}`)));
  const { outcome } = state;
  const said = { happened, why, ...(happened ? ways(parts, state) : {}) };
  // Before it is recorded: from then on the card has to say so, whatever Discord does, and whoever is killed.
  const no = await settling(parts, recordOf(parts, clicked, outcome), async () => {
    const faster = await record(parts, clicked, outcome, said).catch((error: unknown) => {
      if (!(error instanceof LedgerUnavailable)) throw error;
      // It may have been recorded all the same: the sweep shows the card as it is then.
      parts.doubted.add(stemOfRun(run));
      return 'unanswered' as const;
    });
    if (faster === 'unanswered') return unansweredNote('your click');
    if (faster !== undefined) return alreadySaid(faster);
    await show(parts, clicked, stemOfRun(run));
    return undefined;
  });
  if (no !== undefined) await reply.whisper(no);
}

/** The card of all runs of an invocation, on its way because of a click. */
function recordOf(
  parts: RunParts,
  { interaction, place }: Click,
  { run, actor, command, options }: RunEntry,
): ReturnType<typeof openCard> {
  const stem = stemOfRun(run);
  const runs = parts.ledger
    .runs(stem)
    .flatMap((state) =>
      state.outcome?.server === undefined ? [] : [{ run: state.run, server: state.outcome.server }],
    );
  const about = { command, actor, servers: runs.map(({ server }) => server), stem };
  const { guild, channel, message } = place;
  return openCard(parts, {
    ...{ interaction, about, runs, options, audience: 'public' },
    place: { guild, channel, message },
  });
}

/** An app may press a button on a message that never had it; that one must not become this card. */
function isItsCard({ ledger }: RunParts, { place, offered }: Click, { run, place: { message } }: RunEntry): boolean {
  const moved = ledger.runs(stemOfRun(run)).flatMap(({ followUp }) => followUp?.card ?? []);
  const known = [...moved, ...(message === undefined ? [] : [message])];
  return known.length === 0 ? offered : known.includes(place.message);
}

/** Whoever may run the command on that server. */
function refusal(
  parts: RunParts,
  { actor, place }: Click,
  { command: id, server }: RunEntry,
): Extract<Admission, { kind: 'out' }> | undefined {
  const command = parts.commands.find((each) => each.id === id);
  if (command === undefined || !parts.rules.answersIn(place)) {
    const words = own(`This button is not answered here. ${nothing}`);
    return { kind: 'out', card: note('denied', typedName(id), words) };
  }
  const may = parts.rules.decide(actor.roles, command);
  const target = server === undefined ? [] : [parts.rules.find(String(server.id)) ?? server];
  const decision = may.allowed ? decideServers(parts, actor, command, target) : may;
  if (decision === undefined) return undefined;
  return { kind: 'out', card: deniedCard(command, decision, nothing), denial: { command, decision } };
}

/** What a yes would have recorded: how to take it back, and when to remind of it. */
function ways(parts: RunParts, state: RunState): Pick<RunEntry, 'undo' | 'remind'> {
  const { outcome, intent } = state;
  const prepared = preparedOf(parts, outcome);
  if (outcome?.server === undefined || prepared === undefined || outcome.outcome !== 'unknown') return {};
  const undo = prepared.undo(outcome.server, doneBefore(parts.ledger, intent ?? outcome)?.options);
  const due = Date.parse((intent ?? outcome).time) + (prepared.remind ?? Number.NaN);
  return {
    ...(undo === undefined ? {} : { undo }),
    ...(Number.isNaN(due) ? {} : { remind: new Date(due).toISOString() }),
  };
}

/** The entry of whoever was faster, if there is one. */
async function record(
  { ledger }: RunParts,
  { actor, place }: Click,
  { run, command, options, server }: RunEntry,
  said: Pick<RunEntry, 'happened' | 'why' | 'undo' | 'remind'>,
): Promise<RunEntry | undefined> {
  const { guild, channel, message } = place;
  try {
    const of = { run, command, options, ...(server === undefined ? {} : { server }) };
    await ledger.append([{ ...of, kind: 'resolved', actor, place: { guild, channel, message }, ...said }]);
    return undefined;
  } catch (error) {
    const faster = find(ledger, run)?.resolved;
    if (error instanceof LedgerUnavailable || faster === undefined) throw error;
    return faster;
  }
}

/** The card without the buttons; and what this put in order, if it did happen. */
async function show(parts: RunParts, { reply, place }: Click, stem: string): Promise<void> {
  await showNow(parts, stem, reply.show);
  const states: readonly RunState[] = parts.ledger.runs(stem);
  const at = states.find(({ followUp }) => followUp !== undefined)?.followUp?.card;
  if (at !== undefined && at !== place.message) await showAgain(parts, stem);
  await retire(parts, stem);
}

const alreadySaid = ({ actor, happened, time }: RunEntry): ReturnType<typeof note> =>
  note(
    'not-sent',
    'your click',
    md`<@${own(actor.id)}> said ${moment(Date.parse(time))} that it ${own(happened ? 'happened' : 'did not happen')}. Your click changed nothing.`,
  );
