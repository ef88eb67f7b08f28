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

/** What a person can type below a card. `approves`: they came to approve it. */
export const buttonsOf = ({ buttons = [] }: Card, approves = false): { label: string; id: string }[] =>
  buttons.flatMap(({ label, id }) => {
    const [kind = ''] = id.split(':', 1);
    return typed.includes(kind) || (approves && kind === 'approve') ? [{ label, id }] : [];
  });
