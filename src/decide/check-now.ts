import { type Card, type Markup, md, moment, quote, serverName, trusted } from '../card.ts';
import { button } from '../cards/buttons.ts';
import { endButtons } from '../cards/render/offers.ts';
import { cardLink } from '../cards/render/parts.ts';
import { ReadFailed, type Verdict } from '../command.ts';
import type { JobStatus } from '../follow-ups/seen.ts';
import { outcomeOf } from '../outcome.ts';
import { reasons } from '../reasons.ts';
import type { Outcomes } from '../runs/entries.ts';
import type { Kind } from '../runs/entry.ts';
import { isUnknown, mayBeDone, mayStillRun, type RunState } from '../runs/state.ts';
import { preparedOf, refusedOn } from './authorize.ts';
import { serverNow } from './blockers.ts';
import { type Answer, answer, type Decision, type Press, type Snapshot } from './decision.ts';
import { mayEndEmergency } from './denial.ts';
import { isCardOf, notHere, nothingLeft, readFailedText, typedName } from './notes.ts';

type Outcome = Kind<'outcome'>;
type Said = Required<Pick<Card, 'state' | 'fact' | 'body' | 'next'>> & Pick<Card, 'buttons'>;

/** Check now: looks how a run ended that nobody knows, and answers privately. A person draws the conclusion. */
export function checkNow(snapshot: Snapshot, press: Press): Decision {
  const state = snapshot.ledger.run(press.payload);
  const outcome = state?.outcome;
  if (state === undefined || outcome?.kind !== 'outcome') return nothingLeft();
  const refused = refusal(snapshot, press, outcome);
  if (refused !== undefined) return refused;
  const isOpen = isUnknown(state) || mayStillRun(state);
  if (!isOpen || !press.offered || !isCardOf(snapshot, press, outcome)) return { ...nothingLeft(), isOutdated: true };
  const said = isUnknown(state) ? ofUnknown(snapshot, press, state, outcome) : ofJob(snapshot, press, state, outcome);
  // Once somebody has said how it ended, its buttons do nothing.
  return 'kind' in said ? said : answer(cardOf(outcome, said), said.buttons && { isAside: true });
}

function cardOf({ command: id, server, run }: Outcome, said: Said): Card {
  const command = typedName(id);
  const title = md`Checked: ${trusted(command)}${server === undefined ? trusted('') : md` · ${serverName(server)}`}`;
  return {
    ...{ command, run, subject: server === undefined ? undefined : serverName(server) },
    ...said,
    title: said.state === 'succeeded' ? title : undefined,
  };
}

/** Refuses people who may not read there what the run changes. */
function refusal(snapshot: Snapshot, { actor, place }: Press, outcome: Outcome): Answer | undefined {
  const { commands, rules } = snapshot;
  const { command: id, server, options } = outcome;
  const checkedBy = commands.find((each) => each.id === id)?.checkedBy;
  const by = commands.find((each) => each.id === checkedBy);
  if (by === undefined || !rules.answersIn(place)) return notHere(id);
  return refusedOn(snapshot, actor, by, [server ?? []].flat(), options, 'Nothing was read.');
}

/** What is read of what the run was to change, beside what was there before. */
function ofUnknown(snapshot: Snapshot, { actor, found }: Press, state: RunState, outcome: Outcome): Said | Decision {
  const prepared = preparedOf(snapshot, outcome);
  const { server, run } = outcome;
  if (prepared?.checkNow === undefined || server === undefined) return unreadable;
  const { facts, before } = state.asked ?? {};
  const earlier = facts === undefined && before === undefined ? seenEarlier(snapshot, state, outcome) : undefined;
  const known = earlier?.facts ?? (facts === undefined && before === undefined ? undefined : { ...facts, ...before });
  const { verdict } = found;
  if (verdict === undefined)
    return {
      kind: 'lookup',
      lookup: { kind: 'verdict', prepared, server, before: known, kept: state.intent?.kept },
    };
  if (verdict instanceof ReadFailed) {
    const { fact, body, next = [] } = readFailedText(verdict);
    const words = fact ?? trusted(reasons[verdict.result.reason].why);
    return { state: outcomeOf[verdict.result.kind], fact: words, body: [...body, stillUnknown], next, ...again(run) };
  }
  const { happened, fact, says } = asOfNow(snapshot, verdict, outcome);
  const body = [...says, ...(earlier === undefined ? [] : [earlier.says])];
  if (!mayConclude(snapshot, actor.roles, outcome))
    return { state: 'succeeded', fact, body, next: [others(state, outcome)] };
  const buttons = [
    ...(happened === true ? [button('It happened', 'happened', run)] : []),
    ...(happened === false ? [button('It did not', 'not-happened', run)] : []),
  ];
  const next =
    happened === undefined
      ? md`Check the panel, then press what you saw on ${cardLink('its card', state)}.`
      : trusted('If you agree, press the button below and say how you know.');
  return { state: 'succeeded', fact, body, next: [next], buttons };
}

/** How many of a server's last outcomes are looked at. */
const mostLookedAt = 50;

/** What an earlier command's look found there, unless the same effects were changed since then. */
function seenEarlier(
  { ledger, commands }: Snapshot,
  { intent }: RunState,
  { command: id, options, server, seq }: Outcome,
) {
  const readBy = (command: string) => commands.find((each) => each.id === command)?.checkedBy;
  const effects = effectsOf(intent);
  const all = ledger.outcomes(server?.id ?? 0);
  for (let at = all.upTo(seq) - 2; at >= Math.max(0, all.length - mostLookedAt); at -= 1) {
    const state = ledger.run(all.at(at)?.run ?? '');
    const { asked } = state ?? {};
    const isSame = asked?.options['interface'] === options['interface'] && readBy(asked?.command ?? '') === readBy(id);
    if (state === undefined || asked?.facts === undefined || !isSame) continue;
    const sent = sentBetween(ledger, all, asked.seq, seq);
    if (sent.some(({ intent: other }) => effectsOf(other).some((each) => effects.includes(each)))) continue;
    const facts = Object.entries(asked.facts).filter(([, value]) => sent.length === 0 || typeof value === 'boolean');
    const by = cardLink(typedName(asked.command), state);
    return {
      facts: Object.fromEntries(facts),
      says: md`"Before" is what ${by} read there ${moment(Date.parse(asked.time))}.`,
    };
  }
  return undefined;
}

/** What was sent there, or may have been, and ended after the one entry and before the other. */
function sentBetween({ run }: Snapshot['ledger'], all: Outcomes, from: number, to: number): RunState[] {
  const sent: RunState[] = [];
  for (let at = all.upTo(from); at < all.upTo(to - 1); at += 1) {
    const state = run(all.at(at)?.run ?? '');
    if (state?.intent !== undefined && (mayBeDone(state) || isUnknown(state))) sent.push(state);
  }
  return sent;
}

const effectsOf = (intent: RunState['intent']): string[] =>
  [...(intent?.opens ?? []), ...(intent?.closes ?? [])].filter((effect) => !effect.startsWith('unapplied'));

/** The verdict, unless the server was changed again since: then a look cannot tell. */
function asOfNow(snapshot: Snapshot, verdict: Verdict, outcome: Outcome): Verdict {
  const later = changedLater(snapshot, outcome);
  if (later === undefined) return verdict;
  const line = md`${cardLink('Another change', later)} of this server came later, and may be what the bot sees now.`;
  return { fact: cannotTell, says: [...verdict.says, line] };
}

/** One look at a job that may still run although nobody follows it. */
function ofJob(snapshot: Snapshot, { actor, found }: Press, state: RunState, outcome: Outcome): Said | Decision {
  const { run } = state;
  const { job } = found;
  if (job === undefined) return { kind: 'lookup', lookup: { kind: 'job', run } };
  if (job === 'none' || job.kind === 'no-read') return unreadable;
  if (job.kind !== 'seen') return { ...unseen(job), ...again(run) };
  const progress = job.progress === undefined ? '' : `, ${Math.round(job.progress)} %`;
  const is = { running: 'It still runs', succeeded: 'It finished', failed: 'It failed' }[job.state];
  const fact = md`${trusted(is)}: the panel says ${quote(job.word, 40)}${trusted(progress)}.`;
  const body = job.message === undefined ? [] : [md`The panel says: ${job.message}`];
  if (job.state === 'running')
    return {
      state: 'succeeded',
      fact,
      body,
      next: [trusted('Check again later: the bot does not follow it.')],
      ...again(run),
    };
  if (!mayConclude(snapshot, actor.roles, outcome))
    return { state: 'succeeded', fact, body, next: [others(state, outcome)] };
  const [finished, failed] = endButtons(state);
  const end = job.state === 'succeeded' ? finished : failed;
  return {
    ...{ state: 'succeeded', fact, body },
    next: [trusted('If you agree, press the button below.')],
    buttons: end === undefined ? [] : [end],
  };
}

const cannotTell = trusted('A look cannot show how it ended: the server has been changed since.');
const stillUnknown = trusted('This look did not show how it ended.');

function unseen(job: Extract<JobStatus, { kind: 'failed' | 'later' }>): Said {
  const common = { state: 'not-sent', body: [stillUnknown] } as const;
  if (job.kind === 'later')
    return {
      ...common,
      fact: trusted("The panel's limit for this token is nearly used up."),
      next: [md`Press it again ${moment(job.at)}.`],
    };
  const { why } = reasons[job.why];
  return { ...common, fact: trusted(why), next: [trusted('Press it again, or look in the panel.')] };
}

const unreadable: Said = {
  state: 'not-sent',
  fact: trusted('The panel offers no way to read that.'),
  body: [stillUnknown],
  next: [trusted('Check the panel, then press what you saw on its card.')],
};

const again = (run: string): Pick<Card, 'buttons'> => ({ buttons: [button('Check now', 'check', run)] });

/** A later change of the same server, perhaps still under way, which may have made what is read now. */
function changedLater({ ledger }: Snapshot, { server, seq }: Outcome): RunState | undefined {
  const id = server?.id ?? 0;
  const [begun] = ledger.intents(id);
  if (begun !== undefined) return ledger.run(begun.run);
  const all = ledger.outcomes(id);
  for (let at = all.upTo(seq); at < all.length; at += 1) {
    const later = all.at(at);
    if (later !== undefined && ['succeeded', 'accepted', 'unknown'].includes(later.outcome))
      return ledger.run(later.run);
  }
  return undefined;
}

/** Whether they may say how it ended: whoever may run it there. */
function mayConclude(snapshot: Snapshot, roles: readonly string[], { command: id, server, run }: Outcome): boolean {
  const { commands, rules } = snapshot;
  const command = commands.find((each) => each.id === id);
  const target = server && serverNow(snapshot, server);
  if (command === undefined) return false;
  return rules.decide(roles, command, target).allowed || mayEndEmergency(snapshot, roles, command, run);
}

const others = (state: RunState, { command }: Outcome): Markup =>
  md`Whoever may run ${trusted(typedName(command))} there says so on ${cardLink('its card', state)}.`;
