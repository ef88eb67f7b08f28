import { trusted } from '../card.ts';
import { type ButtonKind, isButtonKind } from '../cards/buttons.ts';
import { beside } from '../cards/closed-thread.ts';
import { ends } from '../outcome.ts';
import { invocationOf } from '../runs/ids.ts';
import { mayStillRun } from '../runs/state.ts';
import { approve } from './approve.ts';
import { changesState, isShareable } from './audience.ts';
import { authorize, decideServers } from './authorize.ts';
import { breakGlass } from './break-glass.ts';
import { checkNow } from './check-now.ts';
import { cancel, confirm, openModal } from './confirm.ts';
import { logFault, remembering, troubleCard, type Undelivered } from './fault.ts';
import { mayEndEmergency } from './glass.ts';
import { recordLook } from './looked.ts';
import { deniedCard, note, typedName, unclaimedClick } from './notes.ts';
import type { Click, RunParts } from './parts.ts';
import { isFirst } from './pipeline.ts';
import { sayGone, takeClick } from './press.ts';
import { readCard } from './read.ts';
import { readPagePayload, readSharePayload } from './read-buttons.ts';
import { refuse } from './refuse.ts';
import { accept, askOthers, decline } from './request.ts';
import { resolve } from './resolve.ts';
import { review } from './review.ts';
import { applyNow, askAgain, startIfStuck, undo } from './undo.ts';

/** What the custom id of the button begins with. */
export const kindOf = ({ button }: Pick<Click, 'button'>): string => button.slice(0, Math.max(0, button.indexOf(':')));

/** A pressed button or a submitted modal. Decides again with the roles of this click. Never rejects. */
export async function click(parts: RunParts, pressed: Click): Promise<void> {
  const undelivered: Undelivered = {};
  const { refuse: tell, whisper } = pressed.reply;
  const kept = { refuse: remembering(undelivered, tell), whisper: remembering(undelivered, whisper) };
  const clicked = { ...pressed, reply: { ...pressed.reply, ...kept } };
  const kind = kindOf(clicked);
  const payload = clicked.button.slice(kind.length + 1);
  if (!isFirst(parts, `click ${clicked.interaction.id}`)) return;
  try {
    if (isButtonKind(kind)) await handlers[kind](parts, clicked, payload);
    else
      await clicked.reply.refuse(
        note('invalid', 'this button', trusted('The bot does not know this button any more.')),
      );
  } catch (error) {
    logFault(parts.log, { interaction: clicked.interaction.id, button: kind }, 'a click failed', error);
    // Without the claim, this process cannot know what another one does with the click.
    const claimed = await parts.claim(clicked.interaction.id);
    if (claimed === 'theirs') return;
    const card = undelivered.card ?? (claimed === 'ours' ? troubleCard(error) : unclaimedClick());
    // In this order: a refusal after the first answer reports `taken` and shows nothing.
    await whisper(card).catch(() => tell(card).catch(() => undefined));
  }
}

const handlers: Record<ButtonKind, (parts: RunParts, clicked: Click, payload: string) => Promise<void>> = {
  confirm,
  cancel,
  approve,
  lead: askOthers,
  glass: breakGlass,
  review,
  accept,
  decline,
  typed: openModal,
  again: askAgain,
  apply: applyNow,
  undo,
  check: checkNow,
  running: (parts, clicked, run) => resolve(parts, clicked, run, 'running'),
  happened: (parts, clicked, run) => resolve(parts, clicked, run, 'happened'),
  'not-happened': (parts, clicked, run) => resolve(parts, clicked, run, 'not-happened'),
  page: turnPage,
  share,
  follow: reportEnd,
  off: startIfStuck,
};

/** A person who may run the command says how a job ended, when the panel offers no way to read it. */
async function reportEnd(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const { interaction, actor, place, offered, reply } = clicked;
  const [run = '', word = ''] = payload.split(':');
  const end = ends.find((each) => each === word);
  await parts.ledger.refresh();
  const state = parts.ledger.run(run);
  const started = state?.followUp?.started;
  if (end === undefined || state === undefined || started === undefined) return sayGone(clicked);
  const { command: id, options } = started;
  const command = parts.commands.find((each) => each.id === id);
  const isEmergency = command !== undefined && mayEndEmergency(parts, actor.roles, command, run);
  const authorization = authorize(parts, {
    actor,
    place,
    command: id,
    options,
    ...(isEmergency ? { glass: run } : {}),
  });
  if (authorization.kind === 'refused') return void (await refuse(parts, { ...clicked, options }, authorization));
  // Only cards of jobs that the bot cannot read, or no longer follows, have this button.
  if (!offered && (state.followUp?.ended === undefined || mayStillRun(state))) return sayGone(clicked);
  const taken = await takeClick(parts, clicked);
  if (taken === undefined) return;
  if (!clicked.isPrivate)
    parts.cards.touched(invocationOf(run), { ...interaction, at: parts.now(), message: place.message });
  if (await parts.followUps.say(run, end, actor)) return;
  // An earlier delivery of this click ended the follow-up.
  if (taken.answered === 'taken' && parts.ledger.run(run)?.followUp?.ended?.actor.id === actor.id) return;
  await reply.whisper(
    note(
      'not-sent',
      typedName(started.command),
      trusted('It has ended already: see the card. Your click changed nothing.'),
    ),
  );
}

/** Previous and Next: asks the policy again, then the panel. */
async function turnPage(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const page = readPagePayload(parts.commands, payload);
  if (page === undefined || !clicked.offered || !(clicked.isPrivate || page.command.danger === 'read'))
    return sayGone(clicked);
  const authorization = authorize(parts, {
    actor: clicked.actor,
    place: clicked.place,
    command: page.command.id,
    options: page.options,
  });
  if (authorization.kind === 'refused')
    return void (await refuse(parts, { ...clicked, options: page.options }, authorization));
  if (authorization.prepared.kind === 'change' || changesState(authorization.command)) return sayGone(clicked);
  const { actor, place, reply } = clicked;
  if ((await takeClick(parts, clicked)) === undefined) return;
  const audience = clicked.isPrivate ? 'private' : 'public';
  const { command, prepared } = authorization;
  const card = await readCard(parts, { actor, place, audience }, command, prepared, page.part);
  if ((await reply.show(card)) === 'archived') await reply.whisper(beside(card));
  if (audience === 'public') recordLook(parts, clicked, command, prepared, { state: card.state, part: page.part });
}

async function refuseShared({ reply }: Click): Promise<void> {
  const words =
    'This card was shared already, and a card is shared once. If you do not see it here, type the command again.';
  await reply.refuse(note('not-sent', 'this button', trusted(words)));
}

/** Posts a private card for everybody, once, if the person may still read it. */
async function share(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const shared = readSharePayload(parts.commands, payload);
  const isPostable = clicked.isPrivate && clicked.offered && parts.rules.answersIn(clicked.place);
  if (shared === undefined || !isPostable) return sayGone(clicked);
  const key = `share ${clicked.place.message}`;
  const { command } = shared;
  const targets = shared.servers.flatMap((text) => parts.rules.find(text) ?? []);
  const may = parts.rules.decide(clicked.actor.roles, command);
  if (may.allowed && !isShareable(command, may)) return sayGone(clicked);
  const denied = [command, ...shared.includes].flatMap((each) => {
    const general = parts.rules.decide(clicked.actor.roles, each);
    const decision = general.allowed ? decideServers(parts, clicked.actor, each, targets) : general;
    return decision === undefined ? [] : [{ command: each, decision }];
  })[0];
  if (denied === undefined) {
    const isOurs = isFirst(parts, key) && (await parts.claim(key)) !== 'theirs';
    // The process that claimed an earlier click may have died: check the channel.
    const isNew = isOurs && !(await clicked.reply.isShared());
    return isNew ? clicked.reply.share(clicked.actor) : refuseShared(clicked);
  }
  await refuse(
    parts,
    { ...clicked, options: {} },
    { kind: 'refused', card: deniedCard(denied.command, denied.decision), denial: denied },
  );
}
