import { md, moment, trusted, typedText } from '../card.ts';
import { cardLink } from '../cards/render/parts.ts';
import type { Command } from '../command.ts';
import type { Kind, NewRunEntry } from '../runs/entry.ts';
import { pastOf } from '../runs/history.ts';
import { pingsOf } from '../runs/pings.ts';
import { isUnknown, mayStillRun, messageOf, type RunState } from '../runs/state.ts';
import { preparedOf, refusedOn } from './authorize.ts';
import { type Answer, answer, type Decide, type Decision, type Press, type Snapshot } from './decision.ts';
import { mayEndEmergency } from './denial.ts';
import { isCardOf, maxReasonLength, note, notHere, nothingLeft, notSent, titleOf, typedName } from './notes.ts';

const nothing = 'Nothing was recorded.';

type Outcome = NonNullable<RunState['outcome']>;

/** What a person says of it. `running`: it happened, and is still under way. */
type Word = 'happened' | 'running' | 'not-happened';

/** How the person knows, who has said already what happened. */
const labels: Readonly<Record<Word, string>> = {
  happened: 'How do you know that it happened?',
  running: 'Its job number in the panel, or how you know',
  'not-happened': 'How do you know that it did not?',
};

/** What the form asks of a command, that of Say what happened. */
function asked(follows: Command['follows']) {
  const options: { value: Word; label: string }[] = [
    { value: 'happened', label: 'It happened' },
    // Its yes would only have said that it began.
    ...(follows === undefined ? [] : [{ value: 'running' as const, label: 'It is under way' }]),
    { value: 'not-happened', label: 'It did not happen' },
  ];
  const label = follows === undefined ? 'How do you know?' : 'How do you know? Or its job number';
  return { choice: { label: 'What happened?', options }, label };
}

/**
 * What happened, of a run that ended unknown. The form asks that, and how the person knows. `pressed`: the button has said
 * it, that of an earlier version or one that fits what Check now found.
 */
export const resolve =
  (pressed?: Word): Decide =>
  (snapshot, press) => {
    const state = snapshot.ledger.run(press.payload);
    const outcome = state?.outcome;
    if (state === undefined || outcome === undefined) return nothingLeft();
    const refused = refusal(snapshot, press, outcome);
    if (refused !== undefined) return refused;
    if (!isCardOf(snapshot, press, outcome)) return nothingLeft();
    if (mayStillRun(state)) return stillRuns(outcome);
    if (state.resolved !== undefined) return alreadySaid(state.resolved);
    if (!isUnknown(state)) return nothingLeft();
    return said(snapshot, press, state, outcome, pressed);
  };

/** The form; or, once it is submitted, what is recorded. */
function said(snapshot: Snapshot, press: Press, state: RunState, outcome: Outcome, pressed?: Word): Decision {
  const form = asked(snapshot.commands.find(({ id }) => id === outcome.command)?.follows);
  const { typed, chosen } = press;
  if (typed === undefined) {
    const title = titleOf(typedName(outcome.command), outcome.server === undefined ? [] : [outcome.server]);
    const asks = pressed === undefined ? form : { label: labels[pressed] };
    return { kind: 'form', form: { title, ...asks, longest: maxReasonLength } };
  }
  const word = pressed ?? form.choice.options.find(({ value }) => value === chosen)?.value;
  const why = typedText(typed, maxReasonLength);
  const lacks = word === undefined ? 'Choose what happened.' : 'Say how you know.';
  if (word === undefined || why === '') return answer(note('invalid', 'your click', trusted(`${lacks} ${nothing}`)));
  return recorded(snapshot, press, state, outcome, word, why);
}

function recorded(
  snapshot: Snapshot,
  press: Press,
  state: RunState,
  outcome: Outcome,
  said: Word,
  why: string,
): Decision {
  const card = cardOf(press, state);
  const running = said === 'running' ? begun(snapshot, card.message, outcome, why) : [];
  if ('kind' in running) return running;
  const { run, command, options, server } = outcome;
  const resolution: NewRunEntry = {
    ...{ kind: 'resolved', run, command, options, actor: press.actor, server, why },
    happened: said !== 'not-happened',
    running: said === 'running' ? true : undefined,
    ...(said === 'not-happened' ? {} : undoAndReminder(snapshot, state)),
    place: card,
  };
  return { kind: 'append', entries: [resolution, ...running] };
}

/** An old card without the buttons for a job that may still run. */
const stillRuns = ({ command }: Outcome): Answer => {
  const words = trusted('What was started may still run. Press Finished or Failed on its card once it has ended.');
  return answer(note('not-sent', typedName(command), words, trusted(nothing)), { isOutdated: true });
};

/** Refuses people who may not run the command on that server. */
export function refusal(
  snapshot: Snapshot,
  { actor, place }: Press,
  { command: id, server, run, options }: Pick<Outcome, 'command' | 'server' | 'run' | 'options'>,
): Answer | undefined {
  const { commands, rules } = snapshot;
  const command = commands.find((each) => each.id === id);
  if (command === undefined || !rules.answersIn(place)) return notHere(id, nothing);
  if (mayEndEmergency(snapshot, actor.roles, command, run)) return undefined;
  return refusedOn(snapshot, actor, command, [server ?? []].flat(), options, nothing);
}

/** The undo and the reminder that a yes would have recorded. */
function undoAndReminder(snapshot: Snapshot, { outcome, intent }: RunState): Pick<Kind<'resolved'>, 'undo' | 'remind'> {
  const prepared = preparedOf(snapshot, outcome);
  if (outcome?.server === undefined || prepared === undefined || outcome.outcome !== 'unknown') return {};
  const sent = intent ?? outcome;
  const past = pastOf(snapshot.ledger, { ...sent, kept: intent?.kept });
  const due = Date.parse(sent.time) + (prepared.remind ?? Number.NaN);
  return {
    undo: prepared.undo(outcome.server, past),
    remind: Number.isNaN(due) ? undefined : new Date(due).toISOString(),
  };
}

/** A job number alone, as the panel shows it or as cards name it: "9003", "job #9003", "queue item 5003". */
const jobNumber = /^(?:(?:job|(?:queue )?item) )?#?(\d{1,15})$/i;

/** The start of the follow-up of what runs: by its job, if its number was typed. Refused if that is another run's. */
function begun(
  snapshot: Snapshot,
  message: string | undefined,
  outcome: Outcome,
  typed: string,
): NewRunEntry[] | Answer {
  const { run, command, options, actor, server, place } = outcome;
  const follow = snapshot.commands.find((each) => each.id === command)?.follows;
  if (server === undefined || follow === undefined || message === undefined) return [];
  const { followUps } = snapshot;
  const number = jobNumber.exec(typed)?.[1];
  const job = number === undefined || !followUps.canLook(follow) ? undefined : Number(number);
  const other = job === undefined ? undefined : runOfJob(snapshot, { follow, job, server: server.id });
  if (other !== undefined)
    return notSent(
      'your click',
      md`That is the number of ${cardLink(`run ${other.run}`, other)}, another one. ${trusted(nothing)}`,
      trusted('Look it up again; or type how you know, and people say how it ends.'),
    );
  const deadline = new Date(followUps.deadline(follow, 'by hand') ?? snapshot.now()).toISOString();
  const given = job === undefined ? {} : { job, given: true as const };
  const of = { run, command, options, actor, server, place: { ...place, message } };
  return [{ ...of, kind: 'follow-up', step: 'started', follow, ...given, deadline }];
}

/** How many of a server's last outcomes are looked at: the panel's job of an older one is long over. */
const mostLookedAt = 500;

/** The run that is known to have this job. */
function runOfJob(
  { ledger }: Snapshot,
  { follow, job, server }: { follow: 'restore' | 'power'; job: number; server: number },
): RunState | undefined {
  const all = ledger.outcomes(server);
  for (let at = all.length - 1; at >= Math.max(0, all.length - mostLookedAt); at -= 1) {
    const outcome = all.at(at);
    const state = outcome && ledger.run(outcome.run);
    if (state?.followUp?.started.follow === follow && state.followUp.started.job === job) return state;
  }
  return undefined;
}

/** Where the card is. Where Discord never said: what was pressed, unless that is a private answer or a ping. */
function cardOf({ isPrivate, place }: Press, state: RunState): { guild: string; channel: string; message?: string } {
  const { guild, channel, message } = messageOf(state) ?? place;
  const isBeside = isPrivate || pingsOf([state]).some((ping) => ping.place.message === message);
  return { guild, channel, message: messageOf(state) === undefined && isBeside ? undefined : message };
}

const alreadySaid = ({ actor, happened, running, time }: Kind<'resolved'>): Answer => {
  const spoken = running === true ? 'is running' : happened ? 'happened' : 'did not happen';
  const words = md`<@${trusted(actor.id)}> said ${moment(Date.parse(time))} that it ${trusted(spoken)}. Your click changed nothing.`;
  return notSent('your click', words);
};
