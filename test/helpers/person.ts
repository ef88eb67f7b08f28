import type { SandboxDiscord, SeenMessage } from '../../src/sandbox/discord/index.ts';
import { isLabelled, words } from './card-text.ts';

/** One person at a keyboard. Each waits until the bot has come to rest, and gives what that person then sees. */
export interface Person {
  /** The answer's text. */
  types(line: string, channel?: Channel): Promise<string>;
  /** The newest visible button of that label; the text of whatever came of it. */
  clicks(label: string): Promise<string>;
  /** From the menu of a message, by its id; what of the answer this person sees. */
  picks(label: string, message: string): Promise<string>;
  /** Into the open modal. */
  fills(text: string): Promise<string>;
  /** What is offered for one option of an unfinished line. */
  chooses(line: string, option: string, channel?: Channel): Promise<{ name: string; value: string | number }[]>;
  /** The channel, whole. */
  sees(channel?: Channel): string;
}

/** `ops`, `audit`, `random`, or the name or id of a thread. */
type Channel = string;
export type Name = 'alice' | 'bob' | 'carol' | 'mallory';

/** A card that is still on its way begins so. */
const underWay = /^WORKING /;

export function personOf(discord: SandboxDiscord, who: Name): Person {
  const places = (): string[] => [...Object.keys(discord.channels), ...discord.threads().map(({ id }) => id)];
  const all = (from?: string): SeenMessage[] => places().flatMap((place) => discord.messages(who, place, from));
  const isTerminal = (message: SeenMessage): boolean =>
    message.state !== 'thinking' && !underWay.test(words(message.content));
  const face = ({ id, state, content, embeds, buttons }: SeenMessage): string =>
    JSON.stringify([id, state, content, embeds, buttons]);

  /** Does something, and waits for a modal, or for the first message that came of it and is terminal. */
  const after = async (
    deed: () => Promise<string>,
    cameOf: (interaction: string) => SeenMessage[] = answersTo,
  ): Promise<string> => {
    const modal = discord.modalOf(who);
    const interaction = await deed();
    return discord.until(() => {
      const opened = discord.modalOf(who);
      if (opened !== undefined && opened !== modal) return `modal: ${opened.title}`;
      const news = cameOf(interaction).find(isTerminal);
      return news === undefined ? undefined : plain(discord.viewMessage(who, news));
    });
  };

  /** Other cards may change meanwhile: those of what is followed. */
  const answersTo = (interaction: string): SeenMessage[] =>
    all(interaction).filter(({ answers }) => answers === interaction);

  let clicked = '';
  const isOfCard = ({ id, ephemeral, replyTo }: SeenMessage): boolean =>
    id === clicked || (ephemeral && replyTo === clicked);
  /** Answers, or else what is new of the button's card, or below it for this person alone. */
  const changesOfCard = (): ((interaction: string) => SeenMessage[]) => {
    const card = (): SeenMessage[] => (clicked === '' ? [] : all(clicked).filter(isOfCard));
    const before = new Set(card().map(face));
    return (interaction) => {
      const answers = answersTo(interaction);
      return answers.length > 0 ? answers : card().filter((message) => !before.has(face(message)));
    };
  };

  return {
    types: (line, channel = 'ops') => after(() => discord.type(who, channel, line)),
    clicks(label) {
      const message = all().findLast(({ buttons }) =>
        buttons.some((button) => isLabelled(button, label) && !button.disabled),
      );
      const button = message?.buttons.find((each) => isLabelled(each, label));
      if (message === undefined || button === undefined) throw new Error(`${who} sees no button ${label}`);
      clicked = message.id;
      return after(() => discord.click(who, message.id, button.customId), changesOfCard());
    },
    picks: (label, message) => after(() => discord.menu(who, message, label)),
    fills: (text) => after(() => discord.submit(who, text), changesOfCard()),
    chooses: (line, option, channel = 'ops') => discord.autocomplete(who, channel, line, option),
    sees: (channel = 'ops') => plain(discord.view(who, channel)),
  };
}

/** Without what is different each time: the ids of runs, where a message is, and how long ago something was. */
export const plain = (text: string): string =>
  words(text)
    .replaceAll(/\brun (`?)[0-9a-z]{10,}/g, 'run $1R')
    .replaceAll(/(?<=discord\.com\/channels\/)[\d/]+/g, 'G/C/M')
    .replaceAll(/\bjust now\b|\b\d+ (?:second|minute|hour|day|month|year)s? ago\b/g, 'T ago');
