import { randomInt } from 'node:crypto';
import type { Card } from '../card.ts';
import type { Messages } from '../cards/messages.ts';
import { idAt, type Place, shellChannel } from '../outcome.ts';
import type { ClickReply } from '../shell/parts.ts';
import { codes, type FromBot } from './protocol.ts';
import { type Names, printable, textOf } from './text.ts';

export type At = Place & { message: string };

/** What one terminal shows, and what of it can be typed. */
export interface Screen {
  /** `beside`: a card that goes on stays the one that counts. `what`: they came to do that with the card of another. */
  show(card: Card, at: At, how?: { beside?: true; what?: 'approve' | 'cancel' }): void;
  say(state: Card['state'], command: string, ...body: Card['body']): void;
  /** What comes of a command or press is shown here; what it asks for is asked where it was pressed. */
  answers(how?: { beside?: true }, pressed?: At): Answering;
  /** Where a button or form is that was offered here. */
  placeOf(button: string): At | undefined;
  /** Whether what comes of a press there shows on a card here. */
  isHere(at: At): boolean;
  /** How many cards were shown, and forms. */
  shown(): number;
  end(): void;
}

interface Answering {
  interaction: { id: string; token: string };
  mayReturn(): Promise<boolean>;
  reply: ClickReply;
}

interface ScreenParts {
  guild: string;
  cards: TerminalCards;
  names: Names;
  isTerminal: boolean;
  send(message: FromBot): void;
  now(): number;
}

const endings: Readonly<Record<string, number | undefined>> = {
  ...{ succeeded: codes.done, accepted: codes.done, finished: codes.done, happened: codes.done },
  ...{ rejected: codes.failed, failed: codes.failed, unknown: codes.unknown },
  ...{ working: undefined, question: undefined },
};

/** How the client ends with that card; undefined: it goes on. */
export const codeOf = ({ state }: Pick<Card, 'state'>): number | undefined =>
  state in endings ? endings[state] : codes.nothing;

/** An id of the form that Discord gives an interaction: two of the same millisecond differ in 22 bits. */
const newId = (ms: number): string => String(BigInt(idAt(ms)) | BigInt(randomInt(2 ** 22)));

export function createScreen({ guild, cards, names, isTerminal, send, now }: ScreenParts): Screen {
  const offered = new Map<string, At>();
  const messages: string[] = [];
  let count = 0;
  let hasEnded = false;
  const show: Screen['show'] = (card, at, { beside, what } = {}) => {
    count += 1;
    const buttons = isTerminal ? buttonsOf(card, what).map(({ label, id }) => ({ label: printable(label), id })) : [];
    for (const { id } of buttons) offered.set(id, at);
    const code = beside ? undefined : codeOf(card);
    send({
      kind: 'card',
      state: card.state,
      text: textOf(card, names),
      buttons,
      ...(code === undefined ? {} : { code }),
    });
  };
  /** The message of an answer has the id of its interaction. */
  const replyTo = (at: At, how: { beside?: true }, pressed: At): ClickReply => {
    const told = (card: Card): Promise<void> => Promise.resolve(show(card, at, how));
    return {
      refuse: told,
      think: () => Promise.resolve(true),
      show: (card) => told(card).then(() => 'shown'),
      acknowledge(card) {
        messages.push(at.message);
        if (!hasEnded) cards.shows(at.message, (newer) => show(newer, at));
        show(card, at);
        return Promise.resolve(at.message);
      },
      ask({ id, title, label = title }) {
        count += 1;
        offered.set(id, pressed);
        return Promise.resolve(send({ kind: 'form', id, title: printable(title), label: printable(label) }));
      },
      defer: () => Promise.resolve(true),
      whisper: (card) => told(card).then(() => () => Promise.resolve()),
      takeBack: () => Promise.resolve(),
      // Nobody else sees a terminal.
      isShared: () => Promise.resolve(true),
      share: () => Promise.resolve(),
    };
  };
  const here = { guild, channel: shellChannel };
  return {
    show,
    say: (state, command, ...body) => show({ state, command, body }, { ...here, message: '' }),
    answers(how = {}, pressed = { ...here, message: '' }) {
      const id = newId(now());
      const reply = replyTo({ ...here, message: id }, how, pressed);
      return { interaction: { id, token: '' }, mayReturn: () => Promise.resolve(true), reply };
    },
    placeOf: (button) => offered.get(button),
    isHere: ({ message }) => messages.includes(message),
    shown: () => count,
    end() {
      hasEnded = true;
      messages.forEach(cards.forget);
    },
  };
}

/** The cards that are shown in terminals: by the id that stands for their message, who shows them. */
export interface TerminalCards {
  shows(message: string, show: (card: Card) => void): void;
  forget(message: string): void;
  /** The bot's messages, of which those in terminals go there. What nobody shows any more was deleted. */
  within(messages: Messages): Messages;
}

export function createTerminalCards(): TerminalCards {
  const shown = new Map<string, (card: Card) => void>();
  return {
    shows: (message, show) => void shown.set(message, show),
    forget: (message) => void shown.delete(message),
    within: (messages) => ({
      ...messages,
      edit(place, card) {
        if (place.channel !== shellChannel) return messages.edit(place, card);
        const show = shown.get(place.message ?? '');
        show?.(card);
        return Promise.resolve(show === undefined ? 'gone' : 'edited');
      },
      // What pings somebody is said in Discord, elsewhere.
      reply: (to, ...rest) => (to.channel === shellChannel ? Promise.resolve(undefined) : messages.reply(to, ...rest)),
      find: (after, ...rest) =>
        after.channel === shellChannel ? Promise.resolve(undefined) : messages.find(after, ...rest),
    }),
  };
}

/** The kinds of buttons that are typed: those that a change needs. The others are for Discord. */
const typed = ['confirm', 'typed', 'cancel', 'go', 'glass'];

/** What is typed below the card of somebody else: of a question, or of a request to others. */
const ofOthers = { approve: ['approve', 'accept'], cancel: ['cancel', 'decline'] } as const;

/** What a person can type below a card; `what`: below that of others, for which they came. */
export const buttonsOf = ({ buttons = [] }: Card, what?: keyof typeof ofOthers): { label: string; id: string }[] => {
  const kinds: readonly string[] = what === undefined ? typed : ofOthers[what];
  return buttons.flatMap(({ label, id }) => (kinds.includes(id.split(':', 1).join()) ? [{ label, id }] : []));
};
