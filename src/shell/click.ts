import { trusted } from '../card.ts';
import { isButtonKind } from '../cards/buttons.ts';
import { beside } from '../cards/closed-thread.ts';
import { changesState, isShareable } from '../decide/audience.ts';
import { authorize, denialOn } from '../decide/authorize.ts';
import { deniedCard, note, nothingLeft } from '../decide/notes.ts';
import { act } from './act.ts';
import { logFault, remembering, troubleCard, type Undelivered } from './fault.ts';
import { recordLook } from './looked.ts';
import type { Click, RunParts } from './parts.ts';
import { isFirst } from './pipeline.ts';
import { readCard } from './read.ts';
import { readPagePayload, readSharePayload } from './read-buttons.ts';
import { refuse } from './refuse.ts';
import { pressGo } from './submit.ts';
import { verbs } from './verbs.ts';

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
    if (!isButtonKind(kind)) await clicked.reply.refuse(unknownButton);
    else if (kind === 'page' || kind === 'share' || kind === 'go') await others[kind](parts, clicked, payload);
    else await act(parts, clicked, verbs[kind], payload);
  } catch (error) {
    logFault(parts.log, { interaction: clicked.interaction.id, button: kind }, 'a click failed', error);
    const card = undelivered.card ?? troubleCard(error);
    // In this order: a refusal after the first answer shows nothing.
    await whisper(card).catch(() => tell(card).catch(() => undefined));
  }
}

const unknownButton = note('invalid', 'this button', trusted('The bot does not know this button any more.'));

/** What decides nothing about a run. */
const others = { page: turnPage, share, go: pressGo };

const sayGone = async ({ reply }: Click): Promise<void> => void (await reply.refuse(nothingLeft().card));

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
  if (!(await reply.defer())) return;
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
    const decision = denialOn(parts, clicked.actor, each, targets);
    return decision === undefined ? [] : [{ command: each, decision }];
  })[0];
  if (denied === undefined) {
    // An earlier process may have shared it: check the channel.
    const isNew = isFirst(parts, key) && !(await clicked.reply.isShared());
    return isNew ? clicked.reply.share(clicked.actor) : refuseShared(clicked);
  }
  await refuse(
    parts,
    { ...clicked, options: {} },
    { kind: 'refused', card: deniedCard(denied.command, denied.decision), denial: denied },
  );
}
