import { md, moment, trusted, typedText } from '../card.ts';
import { cardLink } from '../cards/render/parts.ts';
import type { Kind, NewRunEntry } from '../runs/entry.ts';
import { pastOf } from '../runs/history.ts';
import { isUnknown, mayStillRun, type RunState } from '../runs/state.ts';
import { denialOn, preparedOf } from './authorize.ts';
import { type Answer, answer, type Decide, type Decision, type Press, type Snapshot } from './decision.ts';
import { mayEndEmergency } from './emergency.ts';
import { maxReasonLength, titleOf } from './form.ts';
import { deniedCard, isCardOf, note, notHere, nothingLeft, typedName } from './notes.ts';

const nothing = 'Nothing was recorded.';

type Outcome = NonNullable<RunState['outcome']>;

/** What a person says of it. `running`: it happened, and is still under way. */
type Word = 'happened' | 'running' | 'not-happened';

/** What the form asks: Discord takes 45 characters. */
const labels: Readonly<Record<Word, string>> = {
  happened: 'How do you know that it happened?',
  running: 'Its job number in the panel, or how you know',
  'not-happened': 'How do you know that it did not?',
};

/** It happened, It is under way, It did not: of a run that ended unknown. The form asks how the person knows. */
export const resolve =
  (said: Word): Decide =>
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
    const { typed } = press;
    if (typed === undefined) {
      const title = titleOf(typedName(outcome.command), outcome.server === undefined ? [] : [outcome.server]);
      return { kind: 'form', form: { title, label: labels[said], longest: maxReasonLength } };
    }
    const why = typedText(typed, maxReasonLength);
    if (why === '') return answer(note('invalid', 'your click', trusted(`Say how you know. ${nothing}`)));
    return recorded(snapshot, press, state, outcome, said, why);
  };

function recorded(
  snapshot: Snapshot,
  press: Press,
  state: RunState,
  outcome: Outcome,
  said: Word,
  why: string,
): Decision {
  const running = said === 'running' ? begun(snapshot, press, outcome, why) : [];
  if ('kind' in running) return running;
  const { run, command, options, server } = outcome;
  const { guild, channel } = press.place;
  const resolution: NewRunEntry = {
    ...{ kind: 'resolved', run, command, options, actor: press.actor, server, why },
    happened: said !== 'not-happened',
    running: said === 'running' ? true : undefined,
    ...(said === 'not-happened' ? {} : undoAndReminder(snapshot, state)),
    place: { guild, channel, message: messageOf(press, outcome) },
  };
  return { kind: 'append', entries: [resolution, ...running] };
}

/** An old card without the buttons for a job that may still run. */
const stillRuns = ({ command }: Outcome): Answer => {
  const words = trusted('What was started may still run. Press Finished or Failed on its card, once that is so.');
  return answer(note('not-sent', typedName(command), words, trusted(nothing)), { isOutdated: true });
};

/** Refuses people who may not run the command on that server. */
function refusal(snapshot: Snapshot, { actor, place }: Press, outcome: Outcome): Answer | undefined {
  const { command: id, server, run, options } = outcome;
  const { commands, rules } = snapshot;
  const command = commands.find((each) => each.id === id);
  if (command === undefined || !rules.answersIn(place)) return notHere(id, nothing);
  const target = server === undefined ? [] : [rules.find(String(server.id)) ?? server];
  const decision = denialOn(snapshot, actor, command, target);
  if (decision === undefined || mayEndEmergency(snapshot, actor.roles, command, run)) return undefined;
  return answer(deniedCard(command, decision, nothing), { options, denial: { command, decision } });
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

/** A job number alone, as the panel shows it. */
const jobNumber = /^#?(\d{1,15})$/;

/**
 * The start of the follow-up of what runs: by its job, if its number was typed and such jobs can be read; else people
 * say how it ends. Refused if that job is another run's.
 */
function begun(snapshot: Snapshot, press: Press, outcome: Outcome, typed: string): NewRunEntry[] | Answer {
  const { run, command, options, actor, server, place } = outcome;
  const follow = snapshot.commands.find((each) => each.id === command)?.follows;
  const message = messageOf(press, outcome);
  if (server === undefined || follow === undefined || message === undefined) return [];
  const { followUps } = snapshot;
  const number = jobNumber.exec(typed)?.[1];
  const job = number === undefined || !followUps.canLook(follow) ? undefined : Number(number);
  const other = job === undefined ? undefined : runOfJob(snapshot, { follow, job, server: server.id });
  if (other !== undefined)
    return answer(
      note(
        'not-sent',
        'your click',
        md`That is the number of ${cardLink(`run ${other.run}`, other)}, another one. ${trusted(nothing)}`,
        trusted('Look it up again; or type how you know, and people say how it ends.'),
      ),
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

/** The message of the card: the one with the button, unless that is a private answer. */
const messageOf = ({ isPrivate, place }: Press, outcome: Outcome): string | undefined =>
  isPrivate ? outcome.place.message : place.message;

const alreadySaid = ({ actor, happened, running, time }: Kind<'resolved'>): Answer => {
  const spoken = running === true ? 'is running' : happened ? 'happened' : 'did not happen';
  const words = md`<@${trusted(actor.id)}> said ${moment(Date.parse(time))} that it ${trusted(spoken)}. Your click changed nothing.`;
  return answer(note('not-sent', 'your click', words));
};
