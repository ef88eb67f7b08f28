import { md, moment, own } from '../card.ts';
import type { RunEntry } from '../ledger/entry.ts';
import type { RunState } from '../ledger/ledger.ts';
import { LedgerUnavailable } from '../outcome.ts';
import { type Admission, decideServers } from './admit.ts';
import { deniedCard, note, typedName } from './cards.ts';
import { claim, refuse } from './corridor.ts';
import type { Click, RunParts } from './parts.ts';
import { gone, runsNow } from './press.ts';
import { cardNow, retire, showAgain } from './retire.ts';
import { stemOfRun } from './settle.ts';
import { find, isDoubtful } from './since.ts';

const longestReason = 200;

/** Somebody knows what became of a run that ended unknown: the button asks how, the submitted modal records it. */
export async function resolve(parts: RunParts, clicked: Click, run: string, happened: boolean): Promise<void> {
  await runsNow(parts, stemOfRun(run));
  const state = find(parts.ledger, run);
  if (state?.outcome === undefined) return gone(clicked);
  const no = refusal(parts, clicked, state.outcome);
  if (no !== undefined) return refuse(parts, { ...clicked, options: state.outcome.options }, no);
  if (state.resolved !== undefined) return void (await clicked.reply.refuse(alreadySaid(state.resolved)));
  if (!isDoubtful(state)) return gone(clicked);

  const { reply, typed } = clicked;
  if (typed === undefined) {
    const label = happened ? 'How do you know that it happened?' : 'How do you know that it did not?';
    return reply.ask({ id: clicked.button, title: typedName(state.outcome.command), label, longest: longestReason });
  }
  if ((await reply.defer()).kind === 'gone' || (await claim(parts, clicked.interaction.id)) === 'lost') return;
  const why = typed.trim().slice(0, longestReason);
  if (why === '') return reply.whisper(note('invalid', 'your click', own('Say how you know. Nothing was recorded.')));
  const faster = await record(parts, clicked, state.outcome, { happened, why });
  if (faster !== undefined) return reply.whisper(alreadySaid(faster));
  await show(parts, clicked, stemOfRun(run));
}

/** Whoever may run the command on that server. */
function refusal(
  parts: RunParts,
  { actor, place }: Click,
  { command: id, server }: RunEntry,
): Extract<Admission, { kind: 'out' }> | undefined {
  const command = parts.commands.find((each) => each.id === id);
  if (command === undefined || !parts.rules.answersIn(place)) {
    const words = own('This button is not answered here. Nothing was recorded.');
    return { kind: 'out', card: note('denied', typedName(id), words) };
  }
  const may = parts.rules.decide(actor.roles, command);
  const target = server === undefined ? [] : [parts.rules.find(String(server.id)) ?? server];
  const decision = may.allowed ? decideServers(parts, actor, command, target) : may;
  if (decision === undefined) return undefined;
  return { kind: 'out', card: deniedCard(command, decision), denial: { command, decision } };
}

/** The entry of whoever was faster, if there is one. */
async function record(
  { ledger }: RunParts,
  { actor, place }: Click,
  { run, command, options, server }: RunEntry,
  said: { happened: boolean; why: string },
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
  const card = await cardNow(parts, stem);
  if (card !== undefined) await reply.show(card);
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
