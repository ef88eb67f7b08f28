import type { Card } from '../card.ts';
import type { Messages } from '../cards/messages.ts';
import { shellChannel } from '../outcome.ts';

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
