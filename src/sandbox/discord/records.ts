import { z } from 'zod';
import type { Person } from './guild.ts';
import { commandsShape, embedShape, rowShape } from './shapes.ts';
import type { Interaction, Kind, Message, World } from './world.ts';

/** How to store one kind of record by id, and restore it into an empty world. */
interface Records {
  ids(world: World): Iterable<string>;
  /** A JSON value; undefined if there is none. */
  of(world: World, id: string): unknown;
  /** Throws if the value is not of the kind. */
  restore(world: World, id: string, value: unknown): void;
}

function ofShape<T>(
  shape: z.ZodType<T>,
  { restore, ...kind }: Omit<Records, 'restore'> & { restore(world: World, id: string, value: T): void },
): Records {
  return { ...kind, restore: (world, id, value) => restore(world, id, shape.parse(value)) };
}

const text = z.string();
const texts = z.array(text);
const idsOf = (all: Iterable<{ id: string }>): string[] => [...all].map(({ id }) => id);
const only = [''];

function personIn({ guild }: World, id: string): Person {
  const person = [...guild.people, guild.bot].find((one) => one.id === id);
  if (!person) throw new Error(`there is nobody with the id ${id}`);
  return person;
}

const thread = z.object({
  ...{ isPrivate: z.boolean(), members: texts },
  ...{ id: text, name: text, parentId: text, ownerId: text },
  ...{ archived: z.boolean(), locked: z.boolean() },
  ...{ createdAt: z.number(), minutes: z.number(), slowmode: z.number(), archivedAt: z.number(), sent: z.number() },
});

const interaction = z.object({
  ...{ id: text, token: text, person: text, channelId: text, name: text },
  type: z.literal([2, 3, 4, 5]),
  createdAt: z.number(),
  targetId: text.exactOptional(),
  sourceId: text.exactOptional(),
  unheard: z.boolean(),
  dismissed: z.literal(true).exactOptional(),
  answer: z
    .object({
      type: z.number(),
      messageId: text.exactOptional(),
      choices: z.array(z.object({ name: text, value: z.union([text, z.number()]) })).exactOptional(),
    })
    .exactOptional(),
});

const file = z.object({
  ...{ id: text, name: text, type: text, description: text.exactOptional() },
  bytes: z.base64().transform((bytes) => new Uint8Array(Buffer.from(bytes, 'base64'))),
});

const message = z.object({
  ...{ id: text, channelId: text, author: text, content: text },
  ...{ createdAt: z.number(), type: z.number(), flags: z.number() },
  embeds: z.array(embedShape),
  components: z.array(rowShape),
  files: z.array(file),
  mentions: z.object({ users: texts, roles: texts, everyone: z.boolean() }),
  pinged: texts,
  nonce: z.union([text, z.number()]).exactOptional(),
  replyTo: text.exactOptional(),
  about: z.object({ channelId: text, messageId: text.exactOptional() }).exactOptional(),
  wire: z.record(text, z.unknown()).exactOptional(),
  pinnedAt: z.number().exactOptional(),
  onlyFor: text.exactOptional(),
  cause: text.exactOptional(),
  editedAt: z.number().exactOptional(),
  lateEdits: z.array(z.number()),
});

const interactionRecord = ({ person, ...rest }: Interaction) => ({ ...rest, person: person.id });

const messageRecord = ({ author, cause, files, ...rest }: Message) => ({
  ...rest,
  author: author.id,
  files: files.map((one) => ({ ...one, bytes: Buffer.from(one.bytes).toString('base64') })),
  ...(cause && { cause: cause.token }),
});

function causeIn({ interactions }: World, token: string): { cause: Interaction } {
  const cause = interactions.get(token);
  if (!cause) throw new Error('there is no such interaction');
  return { cause };
}

/** In the order of restoring. */
export const records = {
  newest: ofShape(text, {
    ids: () => only,
    of: (world) => world.newestId,
    restore(world, _id, newest) {
      world.newestId = newest;
    },
  }),
  roles: ofShape(texts, {
    ids: ({ guild }) => idsOf(guild.people),
    of: (world, id) => personIn(world, id).roles,
    restore(world, id, roles) {
      personIn(world, id).roles = roles;
    },
  }),
  gone: ofShape(z.literal(true), {
    ids: ({ guild }) => idsOf(guild.gone),
    of: ({ guild }, id) => (guild.gone.some((one) => one.id === id) ? true : undefined),
    restore({ guild }, id) {
      guild.gone.push(...guild.channels.filter((one) => one.id === id));
      guild.channels = guild.channels.filter((one) => one.id !== id);
    },
  }),
  thread: ofShape(thread, {
    ids: ({ guild }) => idsOf(guild.threads),
    of({ guild }, id) {
      const found = guild.threads.find((one) => one.id === id);
      return found && { ...found, members: [...found.members] };
    },
    restore: ({ guild }, _id, { members, ...rest }) => void guild.threads.push({ ...rest, members: new Set(members) }),
  }),
  commands: ofShape(z.array(commandsShape.element.extend({ id: text, version: text })), {
    ids: () => only,
    of: ({ commands }) => commands,
    restore(world, _id, commands) {
      world.commands = commands;
    },
  }),
  interaction: ofShape(interaction, {
    ids: ({ interactions }) => interactions.keys(),
    of({ interactions }, token) {
      const found = interactions.get(token);
      return found && interactionRecord(found);
    },
    restore: (world, token, { person, ...rest }) =>
      void world.interactions.set(token, { ...rest, person: personIn(world, person) }),
  }),
  message: ofShape(message, {
    ids: ({ messages }) => messages.keys(),
    of({ messages }, id) {
      const found = messages.get(id);
      return found && messageRecord(found);
    },
    restore: (world, id, { author, cause, ...rest }) =>
      void world.messages.set(id, {
        ...rest,
        author: personIn(world, author),
        ...(cause !== undefined && causeIn(world, cause)),
      }),
  }),
} satisfies Record<Kind, Records>;

export const kinds = Object.keys(records) as readonly Kind[] as [Kind, ...Kind[]]; // The table is not empty.
