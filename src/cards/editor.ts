import { hash } from 'node:crypto';
import type { Card } from '../card.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { botActor, LedgerUnavailable } from '../outcome.ts';
import { followUpEntry } from '../runs/follow-up.ts';
import { interactionOf } from '../runs/ids.ts';
import { type ClosedThreadParts, type ShownBeside, sayBeside, tellClicker } from './closed-thread.ts';
import type { Drawn, Place } from './draw.ts';
import type { CardPlace, Edited, Messages } from './messages.ts';
import type { Opened } from './record.ts';

/** An interaction with the card's message. Edits use its token while that is valid. `at` in ms. */
export type Interaction = Opened['interaction'] & { message?: string | undefined };

/** The state that editing one card needs. */
export interface Shown {
  id: string;
  opened?: Opened | undefined;
  interaction?: Interaction | undefined;
  /** What the card shows while the ledger has nothing about it: for a command that changes nothing, its answer. */
  answer?: { card: Card; isOpen: boolean } | undefined;
  /** What Discord accepted, of the card and by message beside it; and what was said beside it. */
  shown: ShownBeside & { prints?: Map<string, Print> };
  /** Only news of a job is left to show. */
  later: boolean;
  /** The message may differ from the last edit. */
  stale: boolean;
}

export interface EditorParts extends ClosedThreadParts {
  messages: Messages;
  ledger: Pick<Ledger, 'append'>;
  /** Whether it is certain that no other process draws. Rejects if one does. */
  mayDraw(): Promise<boolean>;
  placeOf(id: string, opened?: Opened): Place | undefined;
  draw(id: string, opened?: Opened): Drawn | undefined;
  now(): number;
}

/** Whether it edited something, whether the card can change without new entries, and whether the ledger knows it. */
export interface Step {
  edited: boolean;
  terminal: boolean;
  recorded: boolean;
}

/** A token is valid for 15 minutes, minus a minute as a safety margin. */
const tokenMs = 14 * 60_000;

/** Discord accepts no edit of this card now. */
export class NotNow extends Error {
  readonly result: 'too-old' | 'archived';
  constructor(result: NotNow['result']) {
    super(`Discord takes no edit of it now: ${result}`);
    this.name = 'NotNow';
    this.result = result;
  }
}

/** A hash of everything visible on a card; of files, their sizes. */
export const fingerprint = ({ files, ...card }: Card): string => {
  const sized = files?.map(({ bytes, ...file }) => ({ ...file, size: bytes.byteLength }));
  return hash('sha256', JSON.stringify([card, sized]), 'base64url');
};

/** The fingerprint of what a message shows, or would if it were not gone. */
interface Print {
  of: string;
  result: Edited;
}

/** What `prints` call the card itself. */
const own = 'card';

/** The card is what its message shows. */
export function setShown({ shown }: Pick<Shown, 'shown'>, card: Card): void {
  shown.prints ??= new Map();
  shown.prints.set(own, { of: fingerprint(card), result: 'same' });
}

/** Edits a card if it differs from the drawn one. Rejects if it must be tried again. */
export function createEditor(parts: EditorParts): (card: Shown) => Promise<Step> {
  const { messages, ledger, placeOf, draw, now } = parts;
  /** About one edit a second is allowed in a channel. Inside discord.js, an edit could not be updated or overtaken. */
  const lanes = createLanes();

  const drawnOf = ({ id, opened, answer }: Shown): Drawn | undefined => {
    const drawn = draw(id, opened);
    const isKnown = drawn !== undefined && !drawn.blank;
    if (isKnown || answer === undefined || opened === undefined) return drawn;
    return { ...opened.place, card: answer.card, others: [], terminal: !answer.isOpen, blank: true };
  };

  /** A valid token for exactly this message: a card that moved is another message. */
  function tokenFor({ interaction }: Shown, { message }: Place): CardPlace['interaction'] {
    const isGood = interaction !== undefined && interaction.token !== '' && now() - interaction.at < tokenMs;
    const isIts = message === undefined || interaction?.message === message;
    return isGood && isIts ? { id: interaction.id, token: interaction.token } : undefined;
  }

  function target(card: Shown, drawn: Drawn): CardPlace {
    const { channel, message } = drawn;
    const isPublic = card.opened?.audience !== 'private';
    const interaction = tokenFor(card, drawn);
    return {
      channel,
      ...(isPublic && message !== undefined ? { message } : {}),
      // After a crash before Discord's answer, the message id is unknown.
      ...(isPublic && message === undefined ? { answers: interactionOf(card.id), run: card.id } : {}),
      interaction,
      stale: card.stale,
      pings: drawn.pings,
    };
  }

  async function step(card: Shown): Promise<Step> {
    // The ledger tells of one entry after the other: a card shows all of an append, or nothing of it.
    await Promise.resolve();
    // Another process may know more by now. What one person sees, nobody else can draw.
    const mayDraw = card.opened?.audience === 'private' || (await parts.mayDraw());
    const drawn = drawnOf(card);
    if (drawn === undefined) return { edited: false, terminal: true, recorded: false };
    const { terminal, blank } = drawn;
    if (!mayDraw) throw new LedgerUnavailable('another process may draw it now');
    const beside = await Promise.allSettled(
      drawn.others.map(({ card: other, channel, message, pings }) =>
        show(messages, card.shown, message, { channel, message, pings, stale: card.stale }, other),
      ),
    );
    const results = beside.map((each) => (each.status === 'fulfilled' ? each.value : undefined));
    // It keeps its buttons until the other message has them.
    const isElsewhere = drawn.others.some(
      ({ isPressed }, at) => isPressed && (results[at] === 'edited' || results[at] === 'same'),
    );
    const shown = isElsewhere ? { ...drawn, card: drawn.elsewhere ?? drawn.card } : drawn;
    const result = await showCard(parts, card, target(card, shown), shown);
    const isMoved = result === 'too-old' && (await move({ messages, ledger }, card, shown));
    results.push(isMoved ? 'edited' : result);
    const failed = beside.find((each) => each.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const refused = results.find((each) => each === 'too-old' || each === 'archived');
    if (refused !== undefined) throw new NotNow(refused);
    return { edited: results.includes('edited'), terminal, recorded: !blank };
  }

  return (card) => {
    const place = placeOf(card.id, card.opened);
    const isByToken = place !== undefined && tokenFor(card, place) !== undefined;
    // After a start, all open cards are read.
    if (place === undefined || (isByToken && !card.stale)) return step(card);
    // Draw when the edit's turn comes: an earlier drawing would be outdated.
    return lanes(
      place.channel,
      () => !card.later,
      () => step(card),
    );
  };
}

/** Edits a message unless it already shows the card. One beside the card that was deleted needs no more edits. */
async function show(
  messages: Messages,
  shown: Shown['shown'],
  of: string,
  place: CardPlace,
  card: Card,
): Promise<Edited> {
  shown.prints ??= new Map();
  const print = fingerprint(card);
  const before = shown.prints.get(of);
  if (before?.of === print || (before?.result === 'gone' && of !== own)) return before.result;
  const result = await messages.edit(place, card);
  if (result === 'edited' || result === 'same') shown.prints.set(of, { of: print, result: 'same' });
  if (result === 'gone') shown.prints.set(of, { of: print, result });
  return result;
}

/** Like `show`, for a card whose thread may be closed: what it cannot show is posted beside it. */
async function showCard(
  parts: ClosedThreadParts & Pick<EditorParts, 'messages'>,
  { id, shown }: Shown,
  place: CardPlace,
  drawn: Drawn,
): Promise<Edited> {
  const edit = () => show(parts.messages, shown, own, place, drawn.card);
  const first = await edit();
  const result = first === 'archived' && (await sayBeside(parts, { id, shown }, drawn)) ? await edit() : first;
  if (result === 'archived') await tellClicker(parts, shown, drawn, place.interaction);
  else if (place.interaction !== undefined) shown.told = place.interaction.id;
  return result;
}

/** Replaces a card that is too old to edit by a reply, and records the move. False: this card does not move. */
async function move(
  { messages, ledger }: Pick<EditorParts, 'messages' | 'ledger'>,
  of: Shown,
  { channel, message, card, followed }: Drawn,
): Promise<boolean> {
  if (message === undefined || followed?.followUp === undefined || followed.followUp.announced !== undefined)
    return false;
  const where = { channel, message };
  // A reply from before a crash may be outdated: then it is edited.
  const found = await messages.find(where, card);
  const next = found ?? (await messages.reply(where, card));
  if (next !== undefined) await ledger.append([{ ...followUpEntry(followed.followUp, botActor, next), step: 'moved' }]);
  // Until the ledger has it, the old message is the card, which does not show this.
  if (found === undefined) setShown(of, card);
  return true;
}

/** Runs the work when its turn comes in the named lane. Work for which `isFirst` holds goes before the rest. */
type Lanes = <T>(of: string, isFirst: () => boolean, work: () => Promise<T>) => Promise<T>;

function createLanes(): Lanes {
  const lanes = new Map<string, { isFirst(): boolean; go(): void }[]>();
  return async (of, isFirst, work) => {
    const busy = lanes.get(of);
    const lane = busy ?? [];
    lanes.set(of, lane);
    // Hand the lane directly to the next task: nothing may slip in between.
    if (busy !== undefined) await new Promise<void>((go) => lane.push({ isFirst, go }));
    try {
      return await work();
    } finally {
      const at = lane.findIndex((each) => each.isFirst());
      const [next] = lane.splice(Math.max(0, at), 1);
      if (next === undefined) lanes.delete(of);
      else next.go();
    }
  };
}
