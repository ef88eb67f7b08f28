import { type Card, md, trusted } from '../card.ts';
import { stopLine } from '../freeze-words.ts';
import { Refused } from '../ledger/ledger.ts';
import { LedgerUnavailable } from '../outcome.ts';
import { isStop } from '../runs/freezes.ts';
import { approvalsLeft, type RunState } from '../runs/state.ts';
import { authorize, preparedOf } from './authorize.ts';
import { entryOf, type Work } from './change.ts';
import { untyped } from './confirm.ts';
import { troubleCard } from './fault.ts';
import { deniedCard, goneCard, note, notTheirOwn, typedName } from './notes.ts';
import {
  doConfirmed,
  find,
  type OpenQuestion,
  type Question,
  type Rejection,
  runOf,
  takeQuestion,
} from './open-question.ts';
import type { Click, RunParts } from './parts.ts';
import { outsideOf } from './pipeline.ts';

/** An open question that this person may approve, and the roles that its requester and its approvers have now. */
interface Approvable extends OpenQuestion {
  rolesNow: Required<Pick<Work, 'roles' | 'approverRoles'>>;
}

/** Handles Approve: another person agrees to what the requester confirmed. The last approval carries it out. */
export async function approve(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const open = await takeQuestion(parts, clicked, () => findToApprove(parts, clicked, payload));
  if (open === undefined) return;
  const refused = await record(parts, clicked, open);
  if (refused !== undefined) return void (await clicked.reply.whisper(refused));
  // Two may be recorded at once: whose approval is the last carries it out.
  const isLast = ({ actor }: Click, state: RunState): boolean =>
    approvalsLeft(state) === 0 && state.approved?.at(-1)?.actor.id === actor.id;
  if (!parts.ledger.runs(open.invocationId).every((state) => isLast(clicked, state))) return;
  await doConfirmed(parts, open, open.rolesNow);
}

/** Appends the approval, which the ledger judges. Returns a card if it was refused, or cannot be recorded. */
async function record(
  { ledger, processId, now }: RunParts,
  { actor }: Click,
  open: Question,
): Promise<Card | undefined> {
  const { invocationId, asked, states } = open;
  const entries = states.map((state) => ({
    ...entryOf(asked, runOf(state)),
    ...{ kind: 'approved' as const, actor, question: state.asked.hash, owner: processId },
  }));
  try {
    await ledger.append(entries);
    return undefined;
  } catch (error) {
    if (error instanceof LedgerUnavailable) return troubleCard(error);
    if (!(error instanceof Refused)) throw error;
    const { by } = error;
    if (error.rule !== 'stopped' || by === undefined || !isStop(by))
      return goneCard(ledger.runs(invocationId)[0], now());
    return note(
      'blocked',
      typedName(asked.command),
      md`${stopLine(by)}. Your approval was not recorded, and nothing was sent.`,
      trusted('Press Approve after that, if the question is still open.'),
    );
  }
}

async function findToApprove(parts: RunParts, clicked: Click, payload: string): Promise<Approvable | Rejection> {
  const question = await find(parts, clicked, 'approve', payload);
  if ('card' in question) return question;
  const { asked, states } = question;
  const command = parts.commands.find(({ id }) => id === asked.command);
  const prepared = preparedOf(parts, asked);
  if (command === undefined || prepared === undefined) return noLonger(asked);
  const { actor, place } = clicked;
  const servers = states.flatMap((state) => state.asked.server ?? []);
  const decision = servers.map((server) => parts.rules.mayApprove(actor.roles, server)).find(({ allowed }) => !allowed);
  const own = ownStep(question, actor.id);
  // Both are a click without the right, and recorded as that.
  if (own !== undefined) return { card: own, options: asked.options, denial: { command, decision: notTheirOwn } };
  if (decision !== undefined && !decision.allowed) {
    const card = deniedCard(command, decision, 'Your approval was not recorded, and nothing was sent.');
    return { card, options: asked.options, denial: { command, decision } };
  }
  const outside = await outsideOf(clicked, command);
  if (outside !== undefined) return outside;
  const roles = await parts.rolesNow(asked.actor.id).catch(() => undefined);
  if (roles === undefined) return unsaid(asked, asked.actor.id);
  // As the requester would type it now, in all but the right: that ends the change, and its card says so.
  const { command: id, options, glass } = asked;
  const again = authorize(parts, {
    ...{ actor: { ...asked.actor, roles }, place, command: id, options },
    glass,
  });
  if (again.kind === 'refused' && again.denial === undefined) return noLonger(asked);
  const why = untyped(parts, { ...question, prepared });
  if (why !== undefined) return notNow(asked, `Since this question, the policy ${why}. Nothing was sent; cancel it.`);
  const approverRoles = new Map<string, readonly string[]>();
  for (const { id } of states.flatMap(({ approved = [] }) => approved.map((entry) => entry.actor))) {
    const theirs = approverRoles.get(id) ?? (await parts.rolesNow(id).catch(() => undefined));
    if (theirs === undefined) return unsaid(asked, id);
    approverRoles.set(id, theirs);
  }
  return { ...question, prepared, rolesNow: { roles, approverRoles } };
}

const noLonger = (asked: Question['asked']): Rejection =>
  notNow(asked, 'The policy or the bot no longer accepts this command as it was typed. Nothing was sent; cancel it.');

const unsaid = (asked: Question['asked'], person: string): Rejection =>
  notNow(asked, `Discord does not say which roles <@${person}> has now. Nothing was sent; press again.`);

const notNow = ({ command }: Question['asked'], words: string): Rejection => ({
  card: note('not-sent', typedName(command), trusted(words)),
});

/** Nobody approves what they asked for, and nobody twice. */
function ownStep({ asked, states }: Question, person: string): Card | undefined {
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
