import { setTimeout as delay } from 'node:timers/promises';
import { type Card, own } from '../card.ts';
import type { RunState } from '../ledger/ledger.ts';
import { type Actor, ends, LedgerUnavailable, type RawOptions, RedisUnavailable, reasons } from '../outcome.ts';
import { admit, decideServers } from './admit.ts';
import { deniedCard, endCard, note, typedName } from './cards.ts';
import { cancel, confirm, openModal } from './confirm.ts';
import { invoke, refuse, stackOf, stemOf } from './corridor.ts';
import { type ButtonKind, type Click, isButtonKind, type RunParts } from './parts.ts';
import { isPublic, readCard, readPagePayload } from './read.ts';
import { endedOf, stemOfRun } from './settle.ts';

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
  page: turn,
  share,
  follow: sayEnd,
  off: cutPower,
};

/** How long another process's entries are waited for, in ms: Discord wants its first answer within 3 seconds. */
const catchUp = 1_500;

/** The runs of a card, which may be another process's. */
async function runsNow({ ledger }: RunParts, stem: string): Promise<RunState[]> {
  await Promise.race([ledger.refresh().catch(() => undefined), delay(catchUp)]);
  return ledger.runs(stem);
}

/** The servers of a command that were not touched, asked about anew by whoever clicks. */
async function askAgain(parts: RunParts, clicked: Click, stem: string): Promise<void> {
  const left = (await runsNow(parts, stem)).filter(({ outcome }) =>
    ['not-sent', 'blocked', 'expired'].includes(outcome?.outcome ?? ''),
  );
  const [first] = left;
  if (first?.outcome === undefined) return gone(clicked);
  const { command, options } = first.outcome;
  await start(
    parts,
    clicked,
    command,
    only(
      options,
      left.flatMap((state) => (state.outcome?.server === undefined ? [] : [state.outcome.server.id])),
    ),
  );
}

/** What was stored and not applied, by the command that applies it. */
async function applyNow(parts: RunParts, clicked: Click, stem: string): Promise<void> {
  const stored = (await runsNow(parts, stem)).filter(({ outcome }) => outcome?.outcome === 'accepted');
  const entry = stored[0]?.outcome;
  const command = parts.commands.find(({ id }) => id === entry?.command);
  if (entry === undefined || command === undefined) return gone(clicked);
  const ids = stored.flatMap((state) => (state.outcome?.server === undefined ? [] : [state.outcome.server.id]));
  const prepared = command.prepare(only(entry.options, ids), { now: parts.now(), find: parts.rules.find });
  const step = prepared.kind === 'change' ? prepared.apply : undefined;
  if (step === undefined) return gone(clicked);
  await start(parts, clicked, step.command, step.options);
  const applied = parts.ledger.runs(stemOf(clicked.interaction.id));
  if (applied.length > 0 && applied.every(({ outcome }) => outcome?.outcome === 'succeeded'))
    await retire(parts, clicked.actor, stem);
}

/** What was stored is applied: its card must not offer that again. */
async function retire({ ledger, desk }: RunParts, by: Actor, stem: string): Promise<void> {
  const states = ledger.runs(stem);
  const first = states[0]?.outcome;
  if (first?.place.message === undefined) return;
  const { command, actor, options, place } = first;
  const servers = states.flatMap(({ outcome }) => outcome?.server ?? []);
  const about = {
    command,
    actor,
    servers,
    stem,
    ...(typeof options.reason === 'string' ? { reason: options.reason } : {}),
  };
  const ended = states.map((state) => endedOf(state, state.outcome?.server));
  const since = own(`Applied since, by <@${by.id}>: see the newer card.`);
  await desk.edit({ channel: place.channel, message: first.place.message }, endCard(about, ended, false, [since]));
}

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

const only = (options: RawOptions, servers: readonly number[]): RawOptions =>
  servers.length === 0 ? options : { ...options, server: servers.join(',') };

/** The full way of a command, as if it had been typed by whoever clicks. */
const start = (
  parts: RunParts,
  { interaction, actor, place, reply }: Click,
  command: string,
  options: RawOptions,
): Promise<void> =>
  invoke(parts, {
    interaction,
    actor,
    place: {
      guild: place.guild,
      channel: place.channel,
      ...(place.parent === undefined ? {} : { parent: place.parent }),
    },
    command,
    options,
    reply,
  });

async function gone({ reply }: Click): Promise<void> {
  const words =
    "Nothing of this card is left to do, or the bot's ledger does not have it. If you still want it, type the command.";
  await reply.refuse(note('not-sent', 'this button', own(words)));
}

/** Previous and Next: the policy is asked again, then the panel. */
async function turn(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const page = readPagePayload(parts.commands, payload);
  if (page === undefined || !clicked.isPrivate) return gone(clicked);
  const admission = admit(parts, {
    actor: clicked.actor,
    place: clicked.place,
    command: page.command.id,
    options: page.options,
  });
  if (admission.kind === 'out') return refuse(parts, { ...clicked, options: page.options }, admission);
  if (admission.prepared.kind === 'change' || isPublic(admission.command)) return gone(clicked);
  if ((await clicked.reply.defer()).kind !== 'ours') return;
  await clicked.reply.show(await readCard(parts, clicked.actor, admission.command, admission.prepared, page.part));
}

/** Posts a private card for everybody, if whoever shares may still read it. */
async function share(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const [id, servers = ''] = payload.split(':');
  const command = parts.commands.find((each) => each.id === id);
  if (command === undefined || !clicked.isPrivate || !parts.rules.answersIn(clicked.place)) return gone(clicked);
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
