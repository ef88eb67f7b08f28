import { md, moment, trusted, typedText } from '../card.ts';
import { cardLink } from '../cards/render/parts.ts';
import { Refused } from '../ledger/ledger.ts';
import { LedgerUnavailable } from '../outcome.ts';
import type { Kind, NewRunEntry } from '../runs/entry.ts';
import { pastOf } from '../runs/history.ts';
import { invocationOf } from '../runs/ids.ts';
import { isUnknown, mayStillRun, type RunState } from '../runs/state.ts';
import { decideServers, preparedOf, type Refusal } from './authorize.ts';
import { maxReasonLength, titleOf } from './form.ts';
import { mayEndEmergency } from './glass.ts';
import { deniedCard, note, typedName, unansweredNote } from './notes.ts';
import type { Click, RunParts } from './parts.ts';
import { runsNow, sayGone, takeClick } from './press.ts';
import { refuse } from './refuse.ts';

const nothing = 'Nothing was recorded.';

type Outcome = NonNullable<RunState['outcome']>;
type Resolution = Extract<NewRunEntry, { kind: 'resolved' }>;

/** What a person says of it. `running`: it happened, and is still under way. */
type Word = 'happened' | 'running' | 'not-happened';

/** What the form asks: Discord takes 45 characters. */
const labels: Readonly<Record<Word, string>> = {
  happened: 'How do you know that it happened?',
  running: 'Its job number in the panel, or how you know',
  'not-happened': 'How do you know that it did not?',
};

/** Resolves a run that ended unknown: the button asks the person how they know, and the submitted modal records it. */
export async function resolve(parts: RunParts, clicked: Click, run: string, said: Word): Promise<void> {
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
    const title = titleOf(typedName(outcome.command), outcome.server === undefined ? [] : [outcome.server]);
    return reply.ask({ id: clicked.button, title, label: labels[said], longest: maxReasonLength });
  }
  if ((await takeClick(parts, clicked)) === undefined) return;
  const why = typedText(typed, maxReasonLength);
  if (why === '')
    return void (await reply.whisper(note('invalid', 'your click', trusted(`Say how you know. ${nothing}`))));
  const running = said === 'running' ? begun(parts, clicked, outcome, why) : undefined;
  if (running !== undefined && 'state' in running) return void (await reply.whisper(running));
  // The button may be on the private answer to a check: that is not the card.
  if (!clicked.isPrivate)
    parts.cards.touched(invocationOf(run), { ...interaction, at: parts.now(), message: place.message });
  const resolution = entryOf(clicked, outcome, {
    ...{ happened: said !== 'not-happened', why },
    ...(said === 'running' ? { running: true } : {}),
    ...(said === 'not-happened' ? {} : undoAndReminder(parts, state)),
  });
  const failure = await record(parts, resolution, running ?? []);
  if (failure !== undefined) await reply.whisper(failure);
}

const entryOf = (
  clicked: Click,
  outcome: Outcome,
  said: Pick<Resolution, 'happened' | 'running' | 'why' | 'undo' | 'remind'>,
): Resolution => {
  const { run, command, options, server } = outcome;
  const { actor, place } = clicked;
  const { guild, channel } = place;
  return {
    ...{ kind: 'resolved', run, command, options, actor, ...said },
    place: { guild, channel, message: messageOf(clicked, outcome) },
    server,
  };
};

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
export function isCardOf(
  { ledger }: RunParts,
  { place, offered, isPrivate }: Click,
  { run, place: { message } }: Pick<Outcome, 'run' | 'place'>,
): boolean {
  // The private answer to a check has the button, too: only the bot can have posted that.
  if (isPrivate) return offered;
  const moved = ledger.runs(invocationOf(run)).flatMap(({ followUp }) => followUp?.card ?? []);
  const known = [...moved, ...(message === undefined ? [] : [message])];
  return known.length === 0 ? offered : known.includes(place.message);
}

/** Refuses people who may not run the command on that server. */
function refusal(parts: RunParts, { actor, place }: Click, { command: id, server, run }: Outcome): Refusal | undefined {
  const command = parts.commands.find((each) => each.id === id);
  if (command === undefined || !parts.rules.answersIn(place)) {
    const words = trusted(`This button is not answered here. ${nothing}`);
    return { kind: 'refused', card: note('not-sent', typedName(id), words) };
  }
  const may = parts.rules.decide(actor.roles, command);
  const target = server === undefined ? [] : [parts.rules.find(String(server.id)) ?? server];
  const decision = may.allowed ? decideServers(parts, actor, command, target) : may;
  if (decision === undefined || mayEndEmergency(parts, actor.roles, command, run)) return undefined;
  return { kind: 'refused', card: deniedCard(command, decision, nothing), denial: { command, decision } };
}

/** The undo and the reminder that a yes would have recorded. */
function undoAndReminder(parts: RunParts, { outcome, intent }: RunState): Pick<Resolution, 'undo' | 'remind'> {
  const prepared = preparedOf(parts, outcome);
  if (outcome?.server === undefined || prepared === undefined || outcome.outcome !== 'unknown') return {};
  const sent = intent ?? outcome;
  const past = pastOf(parts.ledger, { ...sent, kept: intent?.kept });
  const undo = prepared.undo(outcome.server, past);
  const due = Date.parse(sent.time) + (prepared.remind ?? Number.NaN);
  return {
    undo,
    ...(Number.isNaN(due) ? {} : { remind: new Date(due).toISOString() }),
  };
}

/** A job number alone, as the panel shows it. */
const jobNumber = /^#?(\d{1,15})$/;

/**
 * The start of the follow-up of what runs: by its job, if its number was typed and such jobs can be read; else people
 * say how it ends. Returns a card if that job is another run's.
 */
function begun(
  parts: RunParts,
  clicked: Click,
  outcome: Outcome,
  typed: string,
): NewRunEntry[] | ReturnType<typeof note> {
  const { run, command: id, options, actor, server, place } = outcome;
  const follow = parts.commands.find((each) => each.id === id)?.follows;
  const message = messageOf(clicked, outcome);
  if (server === undefined || follow === undefined || message === undefined) return [];
  const number = jobNumber.exec(typed)?.[1];
  const job = number === undefined || !parts.followUps.canLook(follow) ? undefined : Number(number);
  const other = job === undefined ? undefined : runOfJob(parts, { follow, job, server: server.id });
  if (other !== undefined)
    return note(
      'not-sent',
      'your click',
      md`That is the number of ${cardLink(`run ${other.run}`, other)}, another one. ${trusted(nothing)}`,
      trusted('Look it up again; or type how you know, and people say how it ends.'),
    );
  const of = { run, command: id, options, actor, server, place: { ...place, message } };
  const deadline = new Date(parts.followUps.deadline(follow, 'by hand') ?? parts.now()).toISOString();
  return [
    { ...of, kind: 'follow-up', step: 'started', follow, ...(job === undefined ? {} : { job, given: true }), deadline },
  ];
}

/** How many of a server's last outcomes are looked at: the panel's job of an older one is long over. */
const mostLookedAt = 500;

/** The run that is known to have this job. */
const runOfJob = (
  { ledger }: RunParts,
  { follow, job, server }: { follow: 'restore' | 'power'; job: number; server: number },
): RunState | undefined => {
  const all = ledger.outcomes(server);
  for (let at = all.length - 1; at >= Math.max(0, all.length - mostLookedAt); at -= 1) {
    const outcome = all.at(at);
    const state = outcome && ledger.run(outcome.run);
    if (state?.followUp?.started.follow === follow && state.followUp.started.job === job) return state;
  }
  return undefined;
};

/** The message of the card: the one with the clicked button, unless that is a private answer. */
const messageOf = ({ isPrivate, place }: Click, outcome: Outcome): string | undefined =>
  isPrivate ? outcome.place.message : place.message;

const alreadySaid = ({ actor, happened, running, time }: Kind<'resolved'>): ReturnType<typeof note> =>
  note(
    'not-sent',
    'your click',
    md`<@${trusted(actor.id)}> said ${moment(Date.parse(time))} that it ${trusted(spoken({ happened, running }))}. Your click changed nothing.`,
  );

const spoken = ({ happened, running }: { happened: boolean; running: true | undefined }): string => {
  if (running === true) return 'is running';
  return happened ? 'happened' : 'did not happen';
};
