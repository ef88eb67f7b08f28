import { md, trusted } from '../card.ts';
import { stopOf } from '../runs/freezes.ts';
import { stopLine } from '../view/words.ts';
import { authorize, preparedOf } from './authorize.ts';
import { missingConfirmation, otherNow } from './confirm.ts';
import { type Answer, answer, type Decision, type Press, type Snapshot } from './decision.ts';
import { entryOf } from './entries.ts';
import { deniedPress, note, notSent, notTheirOwn, outsideOf, typedName } from './notes.ts';
import { type OpenQuestion, type Question, questionOf, runOf, workOfQuestion } from './question.ts';

/** Approve: another person agrees to what the requester confirmed. The last approval carries it out. */
export function approve(snapshot: Snapshot, press: Press): Decision {
  const open = approvable(snapshot, press);
  if ('kind' in open) return open;
  const { asked, states } = open;
  const people = [asked.actor, ...states.flatMap(({ approved = [] }) => approved.map(({ actor }) => actor))];
  const ids = [...new Set(people.map(({ id }) => id))];
  const { roles } = press.found;
  if (roles === undefined) return { kind: 'lookup', lookup: { kind: 'roles', of: ids } };
  const [unknown] = ids.filter((id) => roles.get(id) === undefined);
  const own = roles.get(asked.actor.id);
  if (unknown !== undefined || own === undefined) return rolesUnknown(asked, unknown ?? asked.actor.id);
  const late = outdated(snapshot, press, open, own);
  if (late !== undefined) return late;
  const approverRoles = new Map(ids.map((id) => [id, roles.get(id) ?? []]));
  return {
    kind: 'append',
    entries: states.map((state) => ({
      ...entryOf(asked, runOf(state)),
      ...{ kind: 'approved' as const, actor: press.actor, question: state.asked.hash },
    })),
    work: { ...workOfQuestion(open), isConfirmed: true, roles: own, approverRoles },
  };
}

/** The question, if it waits for an approval that this person may give. */
function approvable(snapshot: Snapshot, press: Press): OpenQuestion | Answer {
  const question = questionOf(snapshot, press, 'approve');
  if ('kind' in question) return question;
  const { asked, states } = question;
  const command = snapshot.commands.find(({ id }) => id === asked.command);
  const prepared = preparedOf(snapshot, asked);
  if (command === undefined || prepared === undefined) return noLonger(asked);
  const { options } = asked;
  const { roles } = press.actor;
  const servers = states.flatMap((state) => state.asked.server ?? []);
  const decision = servers.map((server) => snapshot.rules.mayApprove(roles, server)).find(({ allowed }) => !allowed);
  const own = ownStep(question, press.actor.id);
  // Both are a press without the right, and recorded as that.
  if (own !== undefined) return answer(own, { options, denial: { command, decision: notTheirOwn } });
  if (decision !== undefined && !decision.allowed)
    return deniedPress(command, decision, options, 'Your approval was not recorded, and nothing was sent.');
  const outside = outsideOf(press, command);
  return outside === undefined ? { ...question, prepared } : answer(outside);
}

/** Why it may not be approved as it was asked: in all but the requester's right, which ends the change on its card. */
function outdated(
  snapshot: Snapshot,
  { place }: Press,
  open: OpenQuestion,
  roles: readonly string[],
): Answer | undefined {
  const { asked, states } = open;
  const { command, options, glass, actor } = asked;
  const again = authorize(snapshot, { actor: { ...actor, roles }, place, command, options, breakGlass: glass });
  if (again.kind === 'refused' && again.denial === undefined) return noLonger(asked);
  const other = otherNow(open);
  if (other !== undefined) return notSent(typedName(command), other, trusted('Cancel it.'));
  const why = missingConfirmation(snapshot, open);
  if (why !== undefined) return notNow(asked, `Since this question, the policy ${why}. Nothing was sent; cancel it.`);
  const [stop] = states.flatMap((state) => stopOf(snapshot.ledger, state.asked, snapshot.now()) ?? []);
  if (stop === undefined) return undefined;
  return answer(
    note(
      'blocked',
      typedName(command),
      md`${stopLine(stop)}. Your approval was not recorded, and nothing was sent.`,
      trusted('Press Approve after that, if the question is still open.'),
    ),
  );
}

const noLonger = (asked: Question['asked']): Answer =>
  notNow(asked, 'The policy or the bot no longer accepts this command as it was typed. Nothing was sent; cancel it.');

const rolesUnknown = (asked: Question['asked'], person: string): Answer =>
  notNow(asked, `Discord does not say which roles <@${person}> has now. Nothing was sent; press again.`);

const notNow = ({ command }: Question['asked'], words: string): Answer => notSent(typedName(command), trusted(words));

/** Nobody approves what they asked for, and nobody twice. */
function ownStep({ asked, states }: Question, person: string) {
  const before = states.flatMap(({ approved = [] }) => approved).some(({ actor }) => actor.id === person);
  if (asked.actor.id !== person && !before) return undefined;
  return note(
    'denied',
    typedName(asked.command),
    trusted(
      before
        ? 'You have already approved this. Another person must approve it, too.'
        : 'You asked for this, so somebody else must approve it.',
    ),
    trusted('Your click changed nothing.'),
  );
}
