import { createHash } from 'node:crypto';
import type { Card } from '../card.ts';
import { defined } from '../defined.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { botActor } from '../outcome.ts';
import { followUpEntry } from '../runs/follow-up.ts';
import { interactionOf } from '../runs/ids.ts';
import { type ClosedThreadParts, sayBeside, tellClicker } from './closed-thread.ts';
import type { Drawn, Place } from './draw.ts';
import { createLanes } from './lanes.ts';
import type { CardPlace, Edited, Messages } from './messages.ts';
import type { Opened } from './record.ts';

/** An interaction with a message: while its token is good, edits go by it. `at` in ms. */
export type Interaction = Opened['interaction'] & { message?: string | undefined };

/** One card, as far as editing it goes. */
export interface Shown {
  id: string;
  opened?: Opened | undefined;
  /** The newest one with this card. */
  interaction?: Interaction | undefined;
  /** What is shown as long as the ledger knows nothing of it: of what is no change, its one answer. */
  answer?: Card | undefined;
  /**
   * Fingerprints of what Discord took; the number of the newest entry that is said beside a card that cannot be edited;
   * and the interaction whose person knows what came of it.
   */
  shown: { card?: string; reminder?: string; said?: number; told?: string };
  /** Nothing but news of a job is to be shown. */
  later: boolean;
  /** Its message may show something else than what was put there last. */
  doubted: boolean;
}

export interface EditorParts extends ClosedThreadParts {
  messages: Messages;
  ledger: Pick<Ledger, 'append'>;
  placeOf(id: string, opened?: Opened): Place | undefined;
  draw(id: string, opened?: Opened): Promise<Drawn | undefined>;
  now(): number;
}

/** What one step came to: whether something was edited; whether the card changes by itself; whether the ledger knows it. */
export interface Step {
  edited: boolean;
  terminal: boolean;
  recorded: boolean;
}

/** An interaction's token is good for 15 minutes; a minute is kept for the way. */
const tokenMs = 14 * 60_000;

/** Discord takes no edit of this card now. */
export class NotNow extends Error {
  readonly result: 'too-old' | 'archived';
  constructor(result: NotNow['result']) {
    super(`Discord takes no edit of it now: ${result}`);
    this.name = 'NotNow';
    this.result = result;
  }
}

/** Stands for all that a person sees of a card. */
export const fingerprint = (card: Card): string => {
  const text = JSON.stringify(card, (_key, value: unknown) => (value instanceof Uint8Array ? value.byteLength : value));
  return createHash('sha256').update(text).digest('base64url');
};

/** Edits a card once where it is not as it is drawn. Rejects when it has to be tried again. */
export function createEditor(parts: EditorParts): (card: Shown) => Promise<Step> {
  const { messages, ledger, placeOf, draw, now } = parts;
  /** Discord takes about one edit a second in a channel: what waited inside of discord.js could be neither renewed nor overtaken. */
  const lanes = createLanes();

  const drawnOf = async ({ id, opened, answer }: Shown): Promise<Drawn | undefined> => {
    const drawn = await draw(id, opened);
    const isKnown = drawn !== undefined && !drawn.blank;
    if (isKnown || answer === undefined || opened === undefined) return drawn;
    return { ...opened.place, card: answer, terminal: true, blank: true };
  };

  /** By a token that is good, for the very message: a card that moved is another one. */
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
      // Whoever was killed before Discord's answer came does not know which message it made.
      ...(isPublic && message === undefined ? { answers: interactionOf(card.id) } : {}),
      ...defined({ interaction }),
      doubted: card.doubted,
    };
  }

  async function step(card: Shown): Promise<Step> {
    const drawn = await drawnOf(card);
    if (drawn === undefined) return { edited: false, terminal: true, recorded: false };
    const { reminder, channel, terminal, blank } = drawn;
    const { doubted } = card;
    const result = await showCard(parts, card, target(card, drawn), drawn);
    const isMoved = result === 'too-old' && (await move({ messages, ledger }, card, drawn));
    const results = [
      isMoved ? 'edited' : result,
      reminder === undefined
        ? 'same'
        : await show(
            messages,
            card.shown,
            'reminder',
            { channel, message: reminder.message, pings: reminder.pings, doubted },
            reminder.card,
          ),
    ];
    const refused = results.find((each) => each === 'too-old' || each === 'archived');
    if (refused !== undefined) throw new NotNow(refused);
    return { edited: results.includes('edited'), terminal, recorded: !blank };
  }

  return (card) => {
    const place = placeOf(card.id, card.opened);
    const isByToken = place !== undefined && tokenFor(card, place) !== undefined;
    // After a start all that are at hand are read.
    if (place === undefined || (isByToken && !card.doubted)) return step(card);
    // It is drawn when its turn comes: what is drawn now would be older.
    return lanes(
      place.channel,
      () => !card.later,
      () => step(card),
    );
  };
}

/** Edits a message where it does not show this card yet. */
async function show(
  messages: Messages,
  shown: Shown['shown'],
  of: 'card' | 'reminder',
  place: CardPlace,
  card: Card,
): Promise<Edited> {
  const print = fingerprint(card);
  if (print === shown[of]) return 'same';
  const result = await messages.edit(place, card);
  // What is gone is as good as shown.
  if (['edited', 'same', 'gone'].includes(result)) shown[of] = print;
  return result;
}

/** The same of a card in a thread that may be closed: what it cannot say is said beside it. */
async function showCard(
  parts: ClosedThreadParts & Pick<EditorParts, 'messages'>,
  { id, shown }: Shown,
  place: CardPlace,
  drawn: Drawn,
): Promise<Edited> {
  const edit = () => show(parts.messages, shown, 'card', place, drawn.card);
  const first = await edit();
  const result = first === 'archived' && (await sayBeside(parts, { id, shown }, drawn)) ? await edit() : first;
  if (result === 'archived') await tellClicker(parts, shown, drawn, place.interaction);
  else if (place.interaction !== undefined) shown.told = place.interaction.id;
  return result;
}

/** A reply takes the place of a card that is too old, and the ledger says so. False: it is no card that moves. */
async function move(
  { messages, ledger }: Pick<EditorParts, 'messages' | 'ledger'>,
  { shown }: Shown,
  { channel, message, card, followed }: Drawn,
): Promise<boolean> {
  if (message === undefined || followed?.followUp === undefined || followed.followUp.announced !== undefined)
    return false;
  const where = { channel, message };
  // Posted before a crash, it may say something older: then it is edited.
  const found = await messages.find(where, card);
  const next = found ?? (await messages.reply(where, card));
  if (found === undefined) shown.card = fingerprint(card);
  if (next === undefined) return true;
  await ledger.append([{ ...followUpEntry(followed.followUp, botActor, next), step: 'moved' }]);
  return true;
}
