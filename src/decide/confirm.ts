import { type Card, type Markup, md, serverLabel, trusted } from '../card.ts';
import type { Prepared } from '../command.ts';
import type { Server } from '../outcome.ts';
import type { RunState } from '../runs/state.ts';
import { withoutUnseen } from '../text.ts';
import { firstStop } from './blockers.ts';
import { type Answer, answer, type Decision, type Press, type Snapshot } from './decision.ts';
import { entryOf, outcomeEntry } from './entries.ts';
import { note, titleOf, typedName } from './notes.ts';
import { asTypedNow, type OpenQuestion, questionOf, runOf, workOfQuestion } from './question.ts';

/** Confirm, or the submitted form of a question that requires typing. */
export function confirm(snapshot: Snapshot, press: Press): Decision {
  const open = confirmable(snapshot, press, 'confirm');
  if ('kind' in open) return open;
  const objection = notRequester(press, open) ?? tooEasy(snapshot, open) ?? mistyped(press, open);
  if (objection !== undefined) return answer(objection, { isAside: true });
  const { actor } = press;
  const { approvals } = open.asked;
  const { approval = 900_000 } = snapshot.limits.open;
  const work = workOfQuestion(open);
  const confirmed = open.states.map((state) => ({
    ...entryOf(work, runOf(state)),
    ...{ kind: 'confirmed' as const, actor, question: state.asked.hash },
    until: approvals === undefined ? undefined : new Date(snapshot.now() + approval).toISOString(),
  }));
  if (approvals === undefined)
    return { kind: 'append', entries: confirmed, work: { ...work, isConfirmed: true, roles: actor.roles } };
  // Nobody is asked to approve what may not be done.
  const stop = firstStop(snapshot, work, work.runs);
  const stopped = stop === undefined ? [] : work.runs.map((run) => outcomeEntry(work, run, stop));
  return { kind: 'append', entries: [...confirmed, ...stopped] };
}

/** Confirm of a question that requires typing: opens the form, whose submission confirms. */
export function askToType(snapshot: Snapshot, press: Press): Decision {
  const open = confirmable(snapshot, press, 'typed');
  if ('kind' in open) return open;
  const notTheirs = notRequester(press, open);
  if (notTheirs !== undefined) return answer(notTheirs);
  const { asked, invocationId, prepared } = open;
  return {
    kind: 'form',
    form: {
      id: `confirm:${invocationId}.${snapshot.seal.of('confirm', { hash: asked.hash, place: press.place })}`,
      title: titleOf(typedName(asked.command), prepared.servers),
      label: `Type ${asked.typed ?? ''}`.slice(0, 45),
    },
  };
}

/** The question, if this person may run its command. */
function confirmable(snapshot: Snapshot, press: Press, kind: 'confirm' | 'typed'): OpenQuestion | Answer {
  const question = questionOf(snapshot, press, kind);
  if ('kind' in question) return question;
  const now = asTypedNow(snapshot, press, question.asked);
  return 'kind' in now ? now : { ...question, prepared: now.prepared };
}

function notRequester({ actor }: Press, { asked }: OpenQuestion): Card | undefined {
  if (actor.id === asked.actor.id) return undefined;
  return note(
    'not-sent',
    typedName(asked.command),
    trusted(`Only <@${asked.actor.id}> can confirm this question. Your click changed nothing.`),
    trusted('If you may run the command, you can cancel this one, or type it yourself.'),
  );
}

/** The policy may have become stricter since the question: what it wants now is not on its card. */
function tooEasy(snapshot: Snapshot, open: OpenQuestion): Card | undefined {
  const { asked, prepared } = open;
  const command = snapshot.commands.find(({ id }) => id === asked.command);
  if (command === undefined) return undefined;
  const { approvals = 0 } = snapshot.rules.requirements(command, prepared.servers);
  const isApproved = asked.glass !== undefined || approvals <= (asked.approvals ?? 0);
  const other = otherNow(open);
  if (other !== undefined)
    return note('not-sent', typedName(asked.command), other, trusted('Cancel it, and type the command again.'));
  const why = missingConfirmation(snapshot, open) ?? (isApproved ? undefined : 'wants it approved by others, too');
  if (why === undefined) return undefined;
  return note(
    'not-sent',
    typedName(asked.command),
    trusted(`Since this question, the policy ${why}. Nothing was sent.`),
    trusted('Cancel it, and type the command again.'),
  );
}

/** A server that has another name, typed or not, or another tier since it was asked: that is not what would be done. */
export function otherNow({
  states,
  prepared,
}: {
  states: readonly Pick<RunState, 'asked' | 'requested'>[];
  prepared: Pick<Prepared, 'servers'>;
}): Markup | undefined {
  const servers = new Map(prepared.servers.map((each) => [each.id, each]));
  for (const { asked, requested } of states) {
    const then = (asked ?? requested)?.server;
    const now = servers.get(then?.id ?? Number.NaN);
    if (then !== undefined && now !== undefined && known(then) !== known(now))
      return md`Since this was asked, ${serverLabel(then)} has become ${serverLabel(now)}. Nothing was sent.`;
  }
  return undefined;
}

const known = ({ name, called, tier, heldTo }: Server): string => JSON.stringify([name, called, tier, heldTo]);

/** That the policy wants the server's name typed by now, in words, where nothing was. */
export function missingConfirmation(
  { rules, commands }: Snapshot,
  { asked, prepared }: OpenQuestion,
): string | undefined {
  const command = commands.find(({ id }) => id === asked.command);
  const isTyped = command !== undefined && rules.requirements(command, prepared.servers).typed;
  return isTyped && asked.typed === undefined ? 'wants the name of the server typed to confirm' : undefined;
}

function mistyped({ typed = '' }: Press, { asked, prepared }: OpenQuestion): Card | undefined {
  const text = withoutUnseen(typed).trim().toLowerCase();
  if (asked.typed === undefined || text === asked.typed.toLowerCase()) return undefined;
  return note(
    'not-sent',
    typedName(asked.command),
    md`What you typed is not ${asked.typed}. Nothing was sent; the question stays open. Press ${trusted(prepared.label)} to type again.`,
  );
}
