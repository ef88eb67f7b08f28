import { type Card, headline } from '../../../src/card.ts';
import type { Threads } from '../../../src/cards/closed-thread.ts';
import { fingerprint } from '../../../src/cards/editor.ts';
import type { CardPlace, Edited, Messages } from '../../../src/cards/messages.ts';
import { ChannelClosed } from '../../../src/outcome.ts';

/** A message, as everybody sees it. */
interface Post {
  id: string;
  channel: string;
  card: Card;
  /** Who was pinged, and the interaction or the message that it answers. */
  pings: readonly string[];
  answers?: string;
  replyTo?: string;
}

/** What Discord does with an edit: `lost` applies it without an answer; `refused` is temporary. */
export type Reaction = Edited | 'refused' | 'lost';

/** An edit as it arrives. */
interface Edit {
  message: string | undefined;
  by: 'bot' | 'token';
  card: Card;
  place: CardPlace;
}

/** A small Discord in memory. */
export interface Discord {
  posts: Post[];
  /** All edits that arrived, applied or not. */
  edits: Edit[];
  /** Channels that the bot may not see. */
  closed: Set<string>;
  /** Decides the next edits; accepts all valid ones by default. */
  react: (edit: Edit) => Reaction | Promise<Reaction>;
  /** A message that a person or the bot wrote before. */
  post(post: Omit<Post, 'id' | 'pings'> & Partial<Pick<Post, 'pings'>>): string;
  shown(message: string): Card | undefined;
  /** One process's connection to it. After `cut`, it neither sends nor receives. */
  connect(): { messages: Messages; threads: Threads; cut(): void };
}

class Trouble extends Error {}

export function createDiscord(): Discord {
  // An id later than all stories.
  let last = 1_600_000_000_000_000_000n;
  const posts: Post[] = [];
  const seen = <T>(channel: string, what: () => T): Promise<T> =>
    discord.closed.has(channel) ? Promise.reject(new ChannelClosed()) : Promise.resolve(what());
  const findPost = (id: string | undefined): Post | undefined => posts.find((post) => post.id === id);

  function targetOf({ message, answers, interaction }: CardPlace): Post | undefined {
    const asked = interaction?.id ?? answers;
    const answered = posts.find((post) => post.answers === asked);
    return interaction === undefined && message !== undefined ? findPost(message) : (answered ?? findPost(message));
  }

  const discord: Discord = {
    posts,
    edits: [],
    closed: new Set(),
    react: () => 'edited',
    post(post) {
      last += 1n;
      posts.push({ pings: [], ...post, id: String(last) });
      return String(last);
    },
    shown: (message) => findPost(message)?.card,
    connect() {
      let isCut = false;
      /** A process that was killed waits for ever. */
      const alive = async <T>(answer: Promise<T>): Promise<T> => {
        const [settled] = await Promise.allSettled([answer]);
        return isCut ? new Promise<never>(() => undefined) : settled.status === 'fulfilled' ? settled.value : answer;
      };
      const sent = <T>(work: () => Promise<T>): Promise<T> =>
        isCut ? new Promise<never>(() => undefined) : alive(work());

      async function edit(place: CardPlace, card: Card): Promise<Edited> {
        const post = targetOf(place);
        if (place.stale === true && post !== undefined && fingerprint(post.card) === fingerprint(card)) return 'same';
        const arrived: Edit = { message: post?.id, by: place.interaction === undefined ? 'bot' : 'token', card, place };
        discord.edits.push(arrived);
        const reaction = await discord.react(arrived);
        if (reaction === 'refused') throw new Trouble('refused');
        if (post === undefined) return 'gone';
        if (reaction !== 'edited' && reaction !== 'lost') return reaction;
        post.card = card;
        if (reaction === 'lost') throw new Trouble('the answer was lost');
        return 'edited';
      }

      const messages: Messages = {
        onOverwritten: () => undefined,
        onGap: () => undefined,
        edit: (place, card) => sent(() => edit(place, card)),
        reply: (to, card, pings = []) =>
          sent(() => seen(to.channel, () => discord.post({ channel: to.channel, card, pings, replyTo: to.message }))),
        find: (after, card, pings = []) =>
          sent(() =>
            seen(
              after.channel,
              () =>
                posts.findLast(
                  (post) =>
                    post.channel === after.channel &&
                    BigInt(post.id) > BigInt(after.message) &&
                    post.card.run === card.run &&
                    post.pings.join() === pings.join(),
                )?.id,
            ),
          ),
      };
      const threads: Threads = {
        reads: ({ message }, card) =>
          sent(() => {
            const shown = discord.shown(message);
            return Promise.resolve(shown !== undefined && headline(shown) === headline(card));
          }),
        whisper: () => sent(() => Promise.resolve()),
        onOpened: () => undefined,
      };
      return {
        messages,
        threads,
        cut() {
          isCut = true;
        },
      };
    },
  };
  return discord;
}
