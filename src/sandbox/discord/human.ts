import type { Person } from './guild.ts';
import { begin, hasFailed } from './interactions.ts';
import { note } from './messages.ts';
import { modalFor } from './modals.ts';
import { deleteMessage, deleteMessages, deletePlace, moderateThread, startThread, threadOf } from './moderation.ts';
import { offeredTo } from './options.ts';
import { invite } from './other-guilds.ts';
import {
  askChoices,
  channelOf,
  clickButton,
  dismissModal,
  editMessage,
  forge,
  formerChannelOf,
  memberOf,
  personOf,
  refuseClosed,
  setRoles,
  setTimeOut,
  submitModal,
  typeLine,
  visible,
} from './people.ts';
import { pinsOf } from './pins.ts';
import { placeOf } from './places.ts';
import type { GuildPlan, NameOf } from './plan.ts';
import { ClientRefusal } from './refusal.ts';
import { messagesFor, type SeenMessage } from './seen.ts';
import { joinThread, leaveThread } from './threads.ts';
import { viewChannel, viewMessage } from './view.ts';
import { messageObject } from './wire.ts';
import type { World } from './world.ts';

/** What people do and see, by name. */
export function humanSide(world: World, until: <T>(look: () => T | undefined | false, ms: number) => Promise<T>) {
  const person = (who: string) => personOf(world, who);
  const channel = (name: string) => channelOf(world, name);
  const former = (name: string) => formerChannelOf(world, name);
  return {
    // Async, so that every caller gets a refusal in the same way.
    type: async (who: string, where: string, line: string) => typeLine(world, person(who), channel(where), line),
    post: (who: string, where: string, { type = 0, ...wire }: Record<string, unknown>) =>
      note(world, { channelId: channel(where).id, author: person(who), type: Number(type), wire }).id,
    async autocomplete(who: string, where: string, line: string, option: string) {
      const asked = askChoices(world, person(who), channel(where), line, option);
      await until(() => asked.answer !== undefined || hasFailed(world, asked), world.answerMs + 2000);
      if (!asked.answer?.choices) throw new ClientRefusal('Loading options failed');
      return asked.answer.choices;
    },
    menu: async (who: string, messageId: string, commandName: string) =>
      useMenu(world, person(who), messageId, commandName),
    click: async (who: string, messageId: string, customId: string) =>
      clickButton(world, person(who), messageId, customId),
    submit: async (who: string, text: string | Record<string, string>) => submitModal(world, person(who), text),
    forge: async (who: string, messageId: string, customId: string, fields?: Record<string, string>) =>
      forge(world, person(who), messageId, customId, fields),
    modalOf: (who: string) => modalFor(world, person(who)),
    messages: (who: string, where: string, from?: string) => messagesFor(world, person(who), former(where), from),
    view: (who: string, where: string) => viewChannel(world, person(who), former(where)),
    viewMessage: (who: string, message: SeenMessage) => viewMessage(world, person(who), message),
    dismiss: (who: string) => dismissModal(world, person(who)),
    setRoles: (who: string, roles: readonly string[]) => setRoles(world, person(who), roles),
    timeOut: (who: string, until?: number) => setTimeOut(world, memberOf(world, who), until),
    deleteMessage: (who: string, messageId: string) => deleteMessage(world, person(who), messageId),
    deleteMessages: (who: string, messageIds: readonly string[]) => deleteMessages(world, person(who), messageIds),
    closeThread: (who: string, thread: string, { lock = false } = {}) =>
      moderateThread(world, person(who), channel(thread), { ...(lock ? { locked: true } : {}), archived: true }),
    openThread: (who: string, thread: string) =>
      moderateThread(world, person(who), channel(thread), { locked: false, archived: false }),
    startThread: (who: string, where: string, name: string, how: { private?: boolean } = {}) =>
      startThread(world, person(who), channel(where), name, how.private ?? false).id,
    addToThread: (who: string, thread: string, whom: string) =>
      joinThread(world, threadOf(world, person(who), channel(thread)), memberOf(world, whom)),
    removeFromThread: (who: string, thread: string, whom: string) =>
      leaveThread(world, threadOf(world, person(who), channel(thread)), memberOf(world, whom)),
    deleteChannel: (name: string) => deletePlace(world, channel(name).id),
    inviteElsewhere: (name: string) => invite(world, name),
    elsewhere: () => world.elsewhere.map(({ name }) => name),
    threads: () =>
      world.guild.threads.map(({ id, name, parentId, archived, locked }) => ({
        id,
        name,
        parent: placeOf(world.guild, parentId)?.name ?? '',
        archived,
        locked,
      })),
    pins: (where: string) => pinsOf(world, former(where).id).map((message) => message.id),
    editMessage: (who: string, messageId: string, content: string) =>
      editMessage(world, person(who), messageId, content),
  };
}

/** Maps names to ids and to people. */
export function directory<P extends GuildPlan>({ guild }: World) {
  const byName = <T extends { name: string }, V>(all: readonly T[], value: (one: T) => V) =>
    Object.fromEntries(all.map((one) => [one.name, value(one)]));
  const id = (one: { id: string }): string => one.id;
  // The guild was built from this plan, so apart from @everyone and the bot's role it has exactly these names.
  return {
    channels: byName([...guild.channels, ...guild.gone], id) as Record<NameOf<P, 'channels'>, string>,
    roles: byName(guild.roles, id) as Record<NameOf<P, 'roles'>, string>,
    people: byName(guild.people, (person) => person) as Record<NameOf<P, 'people'>, Person>,
  };
}

/** A person uses an entry of a message's "Apps" menu. Returns the interaction's id. */
function useMenu(world: World, person: Person, messageId: string, name: string): string {
  const message = visible(world, person, messageId);
  if (message.onlyFor !== undefined) throw new ClientRefusal('A message that only one person sees has no Apps menu.');
  const offered = offeredTo(world, person, 3);
  const command = offered.find((one) => one.name === name);
  if (!command) {
    const known = offered.map((one) => one.name).join(', ');
    throw new ClientRefusal(`${name}: there is no such app. The apps are: ${known === '' ? 'none yet' : known}.`);
  }
  const channel = channelOf(world, message.channelId);
  refuseClosed(channel, 'command');
  const data = {
    id: command.id,
    name: command.name,
    type: 3,
    guild_id: world.guild.id,
    target_id: message.id,
    // With its content whatever the intents: the person passes it on.
    resolved: { messages: { [message.id]: messageObject(world, message, true) } },
  };
  return begin(world, { type: 2, person, channel, name: command.name, data, targetId: message.id }).id;
}
