import {
  type APIApplicationCommandInteractionDataOption,
  type APIBaseInteraction,
  type APIInteractionDataResolved,
  type APIMessage,
  type APIModalSubmission,
  ApplicationCommandOptionType,
  ChannelType,
  ComponentType,
  type InteractionType,
} from 'discord.js';
import { typedServers } from '../card.ts';
import { type Actor, madeAt, type Place, type RawOptions } from '../outcome.ts';
import type { Note } from '../runs/entry.ts';
import { withoutUnseen } from '../text.ts';
import { wordsOf } from './message-words.ts';

/** Readers of an interaction's payload: the cached guild may be incomplete or empty, so nothing else is used. */
type Payload = APIBaseInteraction<InteractionType, unknown>;
type Option = APIApplicationCommandInteractionDataOption;

const threads: readonly ChannelType[] = [
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
];

/** The actor, with the current roles. */
export function actorOf({ member, user = member?.user }: Payload): Actor {
  if (user === undefined) throw new TypeError('an interaction without a user');
  return { id: user.id, name: user.username, roles: member?.roles ?? [] };
}

/** The place. Outside a guild, `guild` is empty and no policy answers there. */
export function placeOf({ guild_id: guild = '', channel, channel_id = '' }: Payload): Place {
  // The parent of a channel is its category.
  const isThread = channel !== undefined && threads.includes(channel.type);
  const parent = isThread && 'parent_id' in channel ? channel.parent_id : undefined;
  return { guild, channel: channel?.id ?? channel_id, ...(typeof parent === 'string' ? { parent } : {}) };
}

/** Discord sends its events to members only. */
export const isPrivateThread = ({ channel }: Payload): boolean => channel?.type === ChannelType.PrivateThread;

interface Typed {
  command: string;
  options: RawOptions;
  /** The option that is being typed. */
  focused?: { name: string; value: string };
  /** The guild members, without bots, that the options name. */
  people: Actor[];
}

/** "firewall.flush" and its options, flat. */
export function typedOf(data: {
  name: string;
  options?: readonly Option[];
  resolved?: APIInteractionDataResolved;
}): Typed {
  const { name, options: given = [], resolved } = data;
  const [top] = given;
  const isNested = top?.type === ApplicationCommandOptionType.Subcommand;
  const plain = ((isNested ? top.options : given) ?? []).flatMap((option) =>
    'value' in option ? [{ ...option, isFocused: 'focused' in option && option.focused === true }] : [],
  );
  const focused = plain.find(({ isFocused }) => isFocused);
  return {
    command: isNested ? `${name}.${top.name}` : name,
    options: Object.fromEntries(plain.map((option) => [option.name, unquoted(asTyped(option))])),
    focused: focused && { name: focused.name, value: String(asTyped(focused)) },
    people: plain.flatMap(({ type, value }) =>
      type === ApplicationCommandOptionType.User ? memberOf(resolved, value) : [],
    ),
  };
}

/** Options that are text for people, who read it as it was written. */
const prose = ['reason', 'title'];

/** Without what is pasted along and does not show. */
function asTyped({ name, value }: { name: string; value: RawOptions[string] }): RawOptions[string] {
  if (typeof value !== 'string' || prose.includes(name)) return value;
  return name === 'server' ? typedServers(value) : withoutUnseen(value);
}

/** Our examples quote values with spaces, and phones write “these”; Discord passes the quotes on as part of the value. */
const unquoted = (value: RawOptions[string]): RawOptions[string] =>
  typeof value === 'string' ? value.replace(/^["“”„](.+)["“”]$/s, '$1') : value;

function memberOf(resolved: APIInteractionDataResolved | undefined, id: string): Actor[] {
  const [user, member] = [resolved?.users?.[id], resolved?.members?.[id]];
  return user === undefined || user.bot || member === undefined
    ? []
    : [{ id, name: user.username, roles: member.roles }];
}

/** The maximum length of a note: what an embed can hold. */
const maxNoteLength = 6000;

/** What people read in a message; an empty text where it has no words. */
export function noteOf(message: APIMessage): Note {
  const { id, channel_id: channel, author } = message;
  const letters = [...wordsOf(message)];
  const more = letters.length - maxNoteLength;
  return {
    message: id,
    channel,
    author: { id: author.id, name: author.username },
    time: new Date(madeAt(id)).toISOString(),
    text:
      more > 0 ? `${letters.slice(0, maxNoteLength).join('')}\n(${more} more letters are not kept)` : letters.join(''),
  };
}

/** Whether a message has a button with this id: a modified client may press others. */
export const hasButton = ({ components = [] }: APIMessage, button: string): boolean =>
  components.some(
    (row) =>
      row.type === ComponentType.ActionRow &&
      row.components.some((part) => 'custom_id' in part && part.custom_id === button),
  );

/** What is in a form's field. A form that was opened before an upgrade has it in a row instead of a label. */
export function fieldOf({ components }: APIModalSubmission, name: string): string | undefined {
  const field = components
    .flatMap((part) => {
      if (part.type === ComponentType.ActionRow) return part.components;
      return part.type === ComponentType.Label ? part.component : [];
    })
    .find((each) => each.custom_id === name);
  if (field?.type === ComponentType.StringSelect) return field.values[0];
  const isText = field?.type === ComponentType.TextInput || field?.type === ComponentType.RadioGroup;
  return isText ? (field.value ?? undefined) : undefined;
}
