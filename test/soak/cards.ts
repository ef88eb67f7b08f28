import type { SandboxDiscord, SeenMessage } from '../../src/sandbox/discord/index.ts';

/** What a person reads of a message, headline first. */
export function textOf({ content, embeds }: SeenMessage): string {
  const parts = embeds.flatMap(({ description, footer }) => [description ?? '', footer?.text ?? '']);
  return [content, ...parts].filter((part) => part !== '').join('\n');
}

/** Each text of a message, also where no card of ours has one: in a title, a field, or a button. */
export function wordsIn({ content, embeds, buttons }: SeenMessage): string {
  const words: unknown[] = [];
  JSON.stringify([content, embeds, buttons], (_, value: unknown) => {
    words.push(value);
    return value;
  });
  return words.filter((each) => typeof each === 'string').join('\n');
}

/** A message as far as it is a card: how it stands, of what, and which invocation it names. */
export interface CardText {
  /** In small letters, as the ledger has it: `succeeded`. */
  word: string | undefined;
  /** `power.boot` */
  command: string | undefined;
  invocation: string | undefined;
  text: string;
}

export function textsOf(message: SeenMessage): CardText {
  const text = textOf(message);
  const [head = ''] = text.split('\n');
  const [, word] = /^[^\p{L}]*(DID NOT HAPPEN|[A-Z][A-Z-]+)\b/u.exec(head) ?? [];
  const [, group, name] = /\/([a-z0-9-]+) ([a-z-]+)/.exec(head) ?? [];
  // A card may name others before: its own is in the small print.
  const [, invocation] = [...text.matchAll(/\brun `?([a-z0-9]{8,})\b/g)].at(-1) ?? [];
  return {
    word: word?.toLowerCase(),
    command: group === undefined ? undefined : `${group}.${name}`,
    invocation,
    text,
  };
}

/** A face that a message had, from then on. */
export interface Shown extends CardText {
  at: number;
}

/** What was ever shown in the channels that everybody sees. */
export interface Gallery {
  /** By message; oldest first. */
  faces(message: string): readonly Shown[];
  all(): ReadonlyMap<string, readonly Shown[]>;
  close(): void;
}

/** Looks at every change. */
export function watchCards(discord: SandboxDiscord): Gallery {
  const shown = new Map<string, Shown[]>();
  const look = (): void => {
    for (const message of publicMessages(discord)) {
      const faces = shown.get(message.id) ?? [];
      shown.set(message.id, faces);
      const face = textsOf(message);
      if (face.text !== faces.at(-1)?.text) faces.push({ ...face, at: Date.now() });
    }
  };
  const close = discord.changed(look);
  return { faces: (message) => shown.get(message) ?? [], all: () => shown, close };
}

/**
 * What everybody sees where commands are answered; and what is said in the audit channel, which is no line of the
 * trail, because of that.
 */
export const publicMessages = (discord: SandboxDiscord): SeenMessage[] =>
  ['ops', 'audit', ...discord.threads().map(({ id }) => id)]
    .flatMap((place) => discord.messages('alice', place))
    .filter(
      ({ ephemeral, system, channelId, embeds }) =>
        !ephemeral && system === undefined && (channelId !== discord.channels.audit || embeds.length > 0),
    );
