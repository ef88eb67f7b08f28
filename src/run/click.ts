import { type Card, own } from '../card.ts';
import type { Command } from '../command.ts';
import { ends, LedgerUnavailable, RedisUnavailable } from '../outcome.ts';
import { reasons } from '../reasons.ts';
import { admit, decideServers } from './admit.ts';
import { deniedCard, note, typedName } from './cards.ts';
import { cancel, confirm, openModal } from './confirm.ts';
import { refuse, stackOf } from './corridor.ts';
import { type ButtonKind, type Click, isButtonKind, type RunParts } from './parts.ts';
import { gone, start } from './press.ts';
import { decides, readCard, readPagePayload } from './read.ts';
import { resolve } from './resolve.ts';
import { stemOfRun } from './settle.ts';
import { applyNow, askAgain, undo } from './undo.ts';

/** A pressed button or a submitted modal, to its end. Decides again with the roles that this click carries. Never rejects. */
export async function click(parts: RunParts, clicked: Click): Promise<void> {
  const cut = clicked.button.indexOf(':');
  const kind = clicked.button.slice(0, cut);
  const payload = clicked.button.slice(cut + 1);
  try {
    if (isButtonKind(kind)) await handlers[kind](parts, clicked, payload);
    else await clicked.reply.refuse(note('invalid', 'this button', own('The bot does not know this button any more.')));
  } catch (error) {
    parts.log.error(
      { interaction: clicked.interaction.id, button: kind, problem: stackOf(error) },
      'a click met a fault of the bot',
    );
    const card = troubleCard(error);
    // In this order: a refusal after the first answer looks taken, and shows nothing.
    await clicked.reply.whisper(card).catch(() => clicked.reply.refuse(card).catch(() => undefined));
  }
}

/** Ledger or Redis cannot be written, or the bot is at fault. */
function troubleCard(error: unknown): Card {
  const reason =
    error instanceof LedgerUnavailable
      ? 'ledger-unavailable'
      : error instanceof RedisUnavailable
        ? 'redis-unavailable'
        : 'bot-fault';
  const { why, next } = reasons[reason];
  return note(reason === 'bot-fault' ? 'not-sent' : 'unavailable', 'this button', own(why), own(next));
}

const handlers: Record<ButtonKind, (parts: RunParts, clicked: Click, payload: string) => Promise<void>> = {
  confirm,
  cancel,
  typed: openModal,
  again: askAgain,
  apply: applyNow,
  undo,
  happened: (parts, clicked, run) => resolve(parts, clicked, run, true),
  'not-happened': (parts, clicked, run) => resolve(parts, clicked, run, false),
  page: turn,
  share,
  follow: sayEnd,
  off: cutPower,
};

/** A person says how a job ended that the panel offers no read of: whoever may run its command. */
async function sayEnd(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const [run = '', word = ''] = payload.split(':');
  const end = ends.find((each) => each === word);
  await parts.ledger.refresh();
  const started = parts.ledger.runs(stemOfRun(run)).find((state) => state.run === run)?.followUp?.started;
  if (end === undefined || started === undefined) return gone(clicked);
  const admission = admit(parts, {
    actor: clicked.actor,
    place: clicked.place,
    command: started.command,
    options: started.options,
  });
  if (admission.kind === 'out') return refuse(parts, { ...clicked, options: started.options }, admission);
  if ((await clicked.reply.defer()).kind !== 'ours') return;
  if (await parts.followUps.say(run, end, clicked.actor)) return;
  await clicked.reply.whisper(
    note(
      'not-sent',
      typedName(started.command),
      own('It has ended already: see the card. Your click changed nothing.'),
    ),
  );
}

/** The guests that did not shut down, by the full way of `/power poweroff`. */
async function cutPower(parts: RunParts, clicked: Click, stem: string): Promise<void> {
  await parts.ledger.refresh();
  const left = parts.ledger.runs(stem).filter(({ followUp }) => followUp !== undefined && followUp.ended === undefined);
  const ids = left.flatMap(({ followUp }) => followUp?.started.server?.id ?? []);
  if (ids.length === 0) return gone(clicked);
  await start(parts, clicked, 'power.poweroff', { server: ids.join(',') });
}

/** Previous and Next: the policy is asked again, then the panel. */
async function turn(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const page = readPagePayload(parts.commands, payload);
  if (page === undefined || !(clicked.isPrivate || isOpenRead(clicked, page.command))) return gone(clicked);
  const admission = admit(parts, {
    actor: clicked.actor,
    place: clicked.place,
    command: page.command.id,
    options: page.options,
  });
  if (admission.kind === 'out') return refuse(parts, { ...clicked, options: page.options }, admission);
  if (admission.prepared.kind === 'change' || decides(admission.command)) return gone(clicked);
  if ((await clicked.reply.defer()).kind !== 'ours') return;
  const audience = clicked.isPrivate ? 'private' : 'public';
  const { actor, place } = clicked;
  await clicked.reply.show(
    await readCard(parts, { actor, place, audience }, admission.command, admission.prepared, page.part),
  );
}

/** A read that was answered for everybody. A card without that button must not be overwritten by a press of it. */
const isOpenRead = ({ offered }: Click, { danger }: Pick<Command, 'danger'>): boolean => offered && danger === 'read';

/** Posts a private card for everybody, if whoever shares may still read it. */
async function share(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const [id, servers = ''] = payload.split(':');
  const command = parts.commands.find((each) => each.id === id);
  const isPostable = clicked.isPrivate && parts.rules.answersIn(clicked.place);
  if (command === undefined || command.danger === 'audit' || !isPostable) return gone(clicked);
  const targets = servers.split(',').flatMap((text) => parts.rules.find(text) ?? []);
  const may = parts.rules.decide(clicked.actor.roles, command);
  const decision = may.allowed ? decideServers(parts, clicked.actor, command, targets) : may;
  if (decision === undefined) return clicked.reply.share(clicked.actor);
  await refuse(
    parts,
    { ...clicked, options: {} },
    { kind: 'out', card: deniedCard(command, decision), denial: { command, decision } },
  );
}
