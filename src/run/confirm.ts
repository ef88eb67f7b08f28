import { withoutUnseen } from '../blank.ts';
import { type Card, list, md, quote, serverName, trusted } from '../card.ts';
import type { Actor, Server } from '../outcome.ts';
import { changesPanel } from './audience.ts';
import { authorize, decideServers } from './authorize.ts';
import { end, entryOf, outcomeEntry } from './change.ts';
import { titleOf } from './form.ts';
import { goneCard, nameOf, note, typedName } from './notes.ts';
import {
  beforeModal,
  doConfirmed,
  find,
  type OpenQuestion,
  type Question,
  type Rejection,
  record,
  runOf,
  takeQuestion,
  workOf,
} from './open-question.ts';
import type { Click, RunParts } from './parts.ts';
import { outsideOf } from './pipeline.ts';
import { confirmationText } from './question.ts';
import { refuse } from './refuse.ts';
import { firstStop } from './stops.ts';

/** Handles Confirm, or the submitted modal of a question that requires typing. */
export async function confirm(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const open = await takeQuestion(parts, clicked, () => findToConfirm(parts, clicked, 'confirm', payload));
  if (open === undefined) return;
  const objection = notRequester(clicked, open) ?? tooEasy(parts, open) ?? mistyped(clicked, open);
  if (objection !== undefined) return parts.asides.keep(open.invocationId, await clicked.reply.whisper(objection));
  const { actor } = clicked;
  const { approvals } = open.asked;
  const until = approvals === undefined ? undefined : new Date(parts.now() + approvalTime(parts)).toISOString();
  const confirmed = open.states.map((state) => ({
    ...entryOf(workOf(open), runOf(state)),
    ...{ kind: 'confirmed' as const, actor, question: state.asked.hash, owner: parts.processId },
    until,
  }));
  const closed = await record(parts, open, confirmed);
  if (closed !== undefined) return void (await clicked.reply.whisper(closed));
  if (approvals === undefined) return doConfirmed(parts, open, { roles: actor.roles });
  // Nobody is asked to approve what may not be done.
  const { runs, ...work } = workOf(open);
  const stop = firstStop(parts, work, runs);
  if (stop !== undefined) await end(parts, work, runs, stop);
}

/** Handles Cancel, by the requester and by whoever may change anything on one of its servers. */
export async function cancel(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const open = await takeQuestion(parts, clicked, () => findToCancel(parts, clicked, payload));
  if (open === undefined) return;
  const { actor } = clicked;
  const how = { outcome: 'cancelled', reason: 'cancelled', detail: trusted(`Cancelled by <@${actor.id}>.`) } as const;
  const work = { ...open.asked, actor };
  const closed = await record(
    parts,
    open,
    open.states.map((state) => outcomeEntry(work, runOf(state), how)),
  );
  if (closed !== undefined) await clicked.reply.whisper(closed);
}

/** Handles Confirm of a question that requires typing: opens the modal, whose submission confirms. */
export async function openModal(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const { reply } = clicked;
  const found = await beforeModal(findToConfirm(parts, clicked, 'typed', payload));
  if ('card' in found)
    return void (await refuse(parts, { ...clicked, options: found.options ?? {} }, { kind: 'refused', ...found }));
  const { asked, invocationId } = found;
  const strange = notRequester(clicked, found);
  if (strange !== undefined) return void (await reply.refuse(strange));
  await reply.ask({
    id: `confirm:${invocationId}.${parts.seal.of('confirm', asked)}`,
    title: titleOf(typedName(asked.command), found.prepared.servers),
    label: `Type ${asked.typed ?? ''}`.slice(0, 45),
  });
}

/** The question, if this person may run its command. */
async function findToConfirm(
  parts: RunParts,
  clicked: Click,
  kind: 'confirm' | 'typed',
  payload: string,
): Promise<OpenQuestion | Rejection> {
  const question = await find(parts, clicked, kind, payload);
  if ('card' in question) return question;
  const { actor, place, mayReturn } = clicked;
  const { command, options, glass } = question.asked;
  const authorization = authorize(parts, { actor, place, command, options, glass });
  if (authorization.kind === 'refused') return { ...authorization, options };
  const outside = await outsideOf({ mayReturn }, authorization.command);
  if (outside !== undefined) return outside;
  const { prepared } = authorization;
  return prepared.kind === 'change' ? { ...question, prepared } : { card: goneCard(undefined, 0) };
}

/** The question, if it is theirs, or if they may change anything on one of its servers: stopping needs less than doing. */
async function findToCancel(parts: RunParts, clicked: Click, payload: string): Promise<Question | Rejection> {
  const question = await find(parts, clicked, 'cancel', payload);
  if ('card' in question) return question;
  const { rules, commands } = parts;
  const { actor } = clicked;
  const { asked, states } = question;
  if (actor.id === asked.actor.id) return question;
  const reach = rules.reachOf(actor.roles, commands.filter(changesPanel));
  const servers = states.flatMap((state) => state.asked.server ?? []);
  const command = commands.find(({ id }) => id === asked.command);
  if (servers.some((server) => reach.has(server))) return question;
  if (command === undefined) return { card: goneCard(undefined, 0) };
  const general = rules.decide(actor.roles, command);
  const decision = general.allowed ? decideServers(parts, actor, command, servers) : general;
  if (decision === undefined) return question;
  const card = note(
    'denied',
    nameOf(command),
    md`Not allowed: to cancel this, you must be allowed to change something on ${list(servers.map(serverName))}.`,
    md`Roles that may: ${list(stoppers(parts, actor, servers).map((name) => quote(name)))}.`,
    trusted('Your click changed nothing.'),
  );
  return { card, options: asked.options, denial: { command, decision } };
}

/** The names of the roles that may change anything on one of these servers. */
function stoppers(
  { rules, commands }: Pick<RunParts, 'rules' | 'commands'>,
  { roles }: Actor,
  servers: readonly Server[],
): string[] {
  const decisions = servers.flatMap((server) =>
    commands.filter(changesPanel).map((command) => rules.decide(roles, command, server)),
  );
  return [...new Set(decisions.flatMap((each) => (each.allowed ? [] : each.holders)))];
}

/** Only the requester confirms. */
function notRequester({ actor }: Click, { asked }: OpenQuestion): Card | undefined {
  if (actor.id === asked.actor.id) return undefined;
  return note(
    'not-sent',
    typedName(asked.command),
    trusted(`Only <@${asked.actor.id}> can confirm this question. Your click changed nothing.`),
    trusted('If you may run the command, you can cancel this one, or type it yourself.'),
  );
}

const approvalTime = ({ open: { approval = 900_000 } }: Pick<RunParts, 'open'>): number => approval;

/** The policy may have become stricter since the question: what it wants now is not on its card. */
function tooEasy(parts: RunParts, open: OpenQuestion): Card | undefined {
  const { asked, prepared } = open;
  const command = parts.commands.find(({ id }) => id === asked.command);
  if (command === undefined) return undefined;
  const { approvals = 0 } = parts.rules.requirements(command, prepared.servers);
  const isApproved = asked.glass !== undefined || approvals <= (asked.approvals ?? 0);
  const why = untyped(parts, open) ?? (isApproved ? undefined : 'wants it approved by others, too');
  if (why === undefined) return undefined;
  return note(
    'not-sent',
    typedName(asked.command),
    trusted(`Since this question, the policy ${why}. Nothing was sent.`),
    trusted('Cancel it, and type the command again.'),
  );
}

/** What the policy wants typed by now, in words, where something else or nothing was. */
export function untyped({ rules, commands }: RunParts, { asked, prepared }: OpenQuestion): string | undefined {
  const command = commands.find(({ id }) => id === asked.command);
  const isTyped = command !== undefined && rules.requirements(command, prepared.servers).typed;
  if (!isTyped || asked.typed === confirmationText(prepared.servers)) return undefined;
  return asked.typed === undefined
    ? 'wants the name of the server typed to confirm'
    : `no longer names the server ${asked.typed}`;
}

function mistyped({ typed }: Click, { asked, prepared }: OpenQuestion): Card | undefined {
  if (
    asked.typed === undefined ||
    withoutUnseen(typed ?? '')
      .trim()
      .toLowerCase() === asked.typed.toLowerCase()
  )
    return undefined;
  return note(
    'not-sent',
    typedName(asked.command),
    md`What you typed is not ${asked.typed}. Nothing was sent; the question stays open. Press ${trusted(prepared.label)} to type again.`,
  );
}
