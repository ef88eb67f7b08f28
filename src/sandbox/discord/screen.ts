import type { APIApplicationCommand, APIMessage, APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';
import { BOT_ROLE_ID, guildObject, type Person, type Place } from './guild.ts';
import { tokenIsOver } from './interactions.ts';
import { offeredTo } from './options.ts';
import { isThread, sees } from './places.ts';
import type { PageMessage, View } from './protocol.ts';
import { commandObject } from './rest/application.ts';
import { isFailureFor, NO_ANSWER } from './seen.ts';
import { byAge } from './snowflake.ts';
import { messageObject } from './wire.ts';
import { FLAGS, type Interaction, type Message, type OpenModal, type World } from './world.ts';

/** How many messages of a channel are on the screen, the newest ones. */
const SHOWN = 200;

/** What this person's client shows now. File paths have no origin: the server of the screen serves them too. */
export function screenOf(world: World, person: Person, online: boolean): View {
  const { guild } = world;
  const places: Place[] = [...guild.channels, ...guild.threads].filter((place) => sees(world, person, place));
  // The bot's managed role says nothing about people.
  const roles = guild.roles.filter(({ id }) => id !== guild.id && id !== BOT_ROLE_ID).toReversed();
  const open = world.modals.get(person.id);
  return {
    me: person.name,
    guild: { id: guild.id, name: guildObject(guild).name },
    people: [...guild.people, guild.bot].map((one) => ({
      id: one.id,
      name: one.name,
      roles: roles.filter(({ id }) => one.roles.includes(id)).map(({ name }) => name),
      bot: one === guild.bot,
    })),
    roles: roles.map(({ id, name }) => ({ id, name })),
    channels: places.map(channelOf),
    messages: Object.fromEntries(places.map((place) => [place.id, messagesIn(world, person, place)])),
    ...(open && { modal: { id: open.id, channel: open.channelId, body: bodyOf(open) } }),
    commands: [...offeredTo(world, person, 1), ...offeredTo(world, person, 3)]
      // The wire form that an unmodified discord.js accepts as this type.
      .map((command) => commandObject(world, command) as unknown as APIApplicationCommand),
    online,
  };
}

const channelOf = (place: Place): View['channels'][number] =>
  isThread(place)
    ? {
        id: place.id,
        name: place.name,
        topic: '',
        parent: place.parentId,
        archived: place.archived,
        locked: place.locked,
      }
    : { id: place.id, name: place.name, topic: place.topic };

// Validated by Discord's rules when the bot sent it.
const bodyOf = ({ body }: OpenModal) => body as unknown as APIModalInteractionResponseCallbackData;

function messagesIn(world: World, person: Person, place: Place): PageMessage[] {
  const messages = [...world.messages.values()]
    .filter((message) => message.channelId === place.id && (message.onlyFor ?? person.id) === person.id)
    .map((message) => shown(world, message));
  const failures = [...world.interactions.values()]
    .filter((one) => one.channelId === place.id && isFailureFor(world, one, person))
    .map((one) => failure(world, one));
  return [...messages, ...failures].sort((a, b) => byAge(a.message.id, b.message.id)).slice(-SHOWN);
}

function shown(world: World, message: Message): PageMessage {
  const { cause } = message;
  const loading = (message.flags & FLAGS.loading) !== 0;
  const failed = loading && cause !== undefined && tokenIsOver(world, cause);
  return {
    message: onWire(world, message),
    onlyMe: message.onlyFor !== undefined,
    thinking: loading && !failed,
    ...(failed && { failed: NO_ANSWER }),
    ...(cause &&
      (message.type === 20 || message.type === 23) && { used: { who: cause.person.name, command: cause.name } }),
    pinged: message.pinged,
  };
}

function onWire(world: World, message: Message): APIMessage {
  const wire = messageObject({ ...world, origin: '' }, message, true);
  const embeds = (message.flags & FLAGS.suppressEmbeds) !== 0 ? [] : wire['embeds'];
  // The wire form that an unmodified discord.js accepts as this type.
  return { ...wire, embeds } as unknown as APIMessage;
}

// A notice only on the screen of the person who acted, not a message: its id is the interaction's.
function failure(world: World, interaction: Interaction): PageMessage {
  const { id, channelId, createdAt, type, person, sourceId, targetId } = interaction;
  const replyTo = sourceId ?? targetId;
  const message: Message = {
    id,
    channelId,
    author: world.guild.bot,
    createdAt,
    type: targetId !== undefined ? 23 : type === 2 ? 20 : 19,
    content: '',
    embeds: [],
    components: [],
    files: [],
    flags: FLAGS.ephemeral,
    mentions: { users: [], roles: [], everyone: false },
    pinged: [],
    lateEdits: [],
    onlyFor: person.id,
    ...(replyTo !== undefined && { replyTo }),
    cause: interaction,
  };
  return { ...shown(world, message), failed: NO_ANSWER };
}
