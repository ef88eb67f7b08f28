import { trusted } from '../card.ts';
import { type ButtonKind, isButtonKind } from '../cards/buttons.ts';
import { ends } from '../outcome.ts';
import { invocationIdOf, invocationOf } from '../runs/ids.ts';
import { mayStillRun } from '../runs/state.ts';
import { authorize, decideServers } from './authorize.ts';
import { cancel, confirm, openModal } from './confirm.ts';
import { deniedCard, note, troubleCard, typedName, unclaimedClick } from './notes.ts';
import type { Click, RunParts } from './parts.ts';
import { isFirst, refuse, stackOf } from './pipeline.ts';
import { gone, takeClick } from './press.ts';
import { changesState, isShareable, readCard, readPagePayload } from './read.ts';
import { resolve } from './resolve.ts';
import { applyNow, askAgain, cutShort, undo } from './undo.ts';

/** A pressed button or a submitted modal, to its end. Decides again with the roles that this click carries. Never rejects. */
export async function click(parts: RunParts, clicked: Click): Promise<void> {
  const cut = clicked.button.indexOf(':');
  const kind = clicked.button.slice(0, cut);
  const payload = clicked.button.slice(cut + 1);
  if (!isFirst(parts, `click ${clicked.interaction.id}`)) return;
  try {
    if (isButtonKind(kind)) await handlers[kind](parts, clicked, payload);
    else
      await clicked.reply.refuse(
        note('invalid', 'this button', trusted('The bot does not know this button any more.')),
      );
  } catch (error) {
    parts.log.error(
      { interaction: clicked.interaction.id, button: kind, problem: stackOf(error) },
      'a click met a fault of the bot',
    );
    // Whoever does not have the claim does not know what another process does with it.
    const claimed = await parts.claim(clicked.interaction.id);
    if (claimed === 'theirs') return;
    const card = claimed === 'ours' ? troubleCard(error) : unclaimedClick();
    // In this order: a refusal after the first answer looks taken, and shows nothing.
    await clicked.reply.whisper(card).catch(() => clicked.reply.refuse(card).catch(() => undefined));
  }
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
  off: cutShort,
};

/** A person says how a job ended that the panel offers no read of: whoever may run its command. */
async function sayEnd(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const { interaction, actor, place, offered, reply } = clicked;
  const [run = '', word = ''] = payload.split(':');
  const end = ends.find((each) => each === word);
  await parts.ledger.refresh();
  const state = parts.ledger.run(run);
  const started = state?.followUp?.started;
  if (end === undefined || state === undefined || started === undefined) return gone(clicked);
  const authorization = authorize(parts, {
    actor: clicked.actor,
    place: clicked.place,
    command: started.command,
    options: started.options,
  });
  if (authorization.kind === 'refused') return refuse(parts, { ...clicked, options: started.options }, authorization);
  // Only a card that cannot know how its job goes, or ended, has this button.
  if (!offered && (state.followUp?.ended === undefined || mayStillRun(state))) return gone(clicked);
  const taken = await takeClick(parts, clicked);
  if (taken === undefined) return;
  parts.cards.touched(invocationOf(run), { ...interaction, at: parts.now(), message: place.message });
  if (await parts.followUps.say(run, end, actor)) return;
  // It was answered before, and that ended it.
  if (taken.answered === 'taken' && parts.ledger.run(run)?.followUp?.ended?.actor.id === actor.id) return;
  await reply.whisper(
    note(
      'not-sent',
      typedName(started.command),
      trusted('It has ended already: see the card. Your click changed nothing.'),
    ),
  );
}

/** Previous and Next: the policy is asked again, then the panel. */
async function turn(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const page = readPagePayload(parts.commands, payload);
  if (page === undefined || !clicked.offered || !(clicked.isPrivate || page.command.danger === 'read'))
    return gone(clicked);
  const authorization = authorize(parts, {
    actor: clicked.actor,
    place: clicked.place,
    command: page.command.id,
    options: page.options,
  });
  if (authorization.kind === 'refused') return refuse(parts, { ...clicked, options: page.options }, authorization);
  if (authorization.prepared.kind === 'change' || changesState(authorization.command)) return gone(clicked);
  const { actor, place, interaction } = clicked;
  if ((await takeClick(parts, clicked)) === undefined) return;
  const audience = clicked.isPrivate ? 'private' : 'public';
  const { command, prepared } = authorization;
  const card = await readCard(parts, { actor, place, audience }, command, prepared, page.part);
  const id = invocationIdOf(interaction.id);
  const of = { actor, command: command.id, options: prepared.options, servers: [], asks: false };
  parts.cards.answer(id, { interaction: { ...interaction, at: parts.now() }, audience, place, ...of }, card);
}

async function sharedBefore({ reply }: Click): Promise<void> {
  const words =
    'This card was shared already, and a card is shared once. If you do not see it here, type the command again.';
  await reply.refuse(note('not-sent', 'this button', trusted(words)));
}

/** Posts a private card for everybody, once, if whoever shares may still read it. */
async function share(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const [id, servers = ''] = payload.split(':');
  const command = parts.commands.find((each) => each.id === id);
  const isPostable = clicked.isPrivate && clicked.offered && parts.rules.answersIn(clicked.place);
  if (command === undefined || !isPostable) return gone(clicked);
  const key = `share ${clicked.place.message}`;
  const targets = servers.split(',').flatMap((text) => parts.rules.find(text) ?? []);
  const may = parts.rules.decide(clicked.actor.roles, command);
  if (may.allowed && !isShareable(command, may)) return gone(clicked);
  const decision = may.allowed ? decideServers(parts, clicked.actor, command, targets) : may;
  if (decision === undefined) {
    const isOurs = isFirst(parts, key) && (await parts.claim(key)) !== 'theirs';
    // The process that took an earlier click may have ended: the channel knows.
    const isNew = isOurs && !(await clicked.reply.isShared());
    return isNew ? clicked.reply.share(clicked.actor) : sharedBefore(clicked);
  }
  await refuse(
    parts,
    { ...clicked, options: {} },
    { kind: 'refused', card: deniedCard(command, decision), denial: { command, decision } },
  );
}
