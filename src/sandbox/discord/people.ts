import { BOT_ROLE_ID, type Channel, memberWithUser, type Person, type Place } from './guild.ts';
import { begin } from './interactions.ts';
import { parseLine } from './line.ts';
import { edit, post } from './messages.ts';
import { modalFor, submission } from './modals.ts';
import { autocompleteData, commandData, findCommand } from './options.ts';
import { holdsMessages, isInTimeOut, isThread, placeOf, sees } from './places.ts';
import { ClientRefusal } from './refusal.ts';
import { buttonsOf } from './seen.ts';
import { joinThread } from './threads.ts';
import { INTENTS, type Interaction, type Message, type World } from './world.ts';

/** Discord's limit for people without Nitro. */
const MAX_CONTENT = 2000;

export function personOf(world: World, who: string): Person {
  const person = world.guild.people.find((one) => one.name === who || one.id === who);
  if (person) return person;
  const known = world.guild.people.map((one) => one.name).join(', ');
  throw new ClientRefusal(`${who}: there is no such person. The people are: ${known}.`);
}

/** Finds a channel or thread by `ops`, `#ops` or its id; the newest thread of that name. */
export function channelOf(world: World, name: string): Place {
  const { channels, threads } = world.guild;
  const fits = named(name);
  const place = channels.find(fits) ?? threads.findLast(fits);
  if (place) return place;
  const known = [...channels, ...threads].map((one) => `#${one.name}`).join(', ');
  throw new ClientRefusal(`${name}: there is no such channel. The channels are: ${known}.`);
}

/** As `channelOf`, for reading only: also finds deleted channels, which are empty. */
export function formerChannelOf(world: World, name: string): Place {
  const { channels, threads, gone } = world.guild;
  const fits = named(name);
  const isThere = channels.some(fits) || threads.some(fits);
  const former: Channel | undefined = isThere ? undefined : gone.findLast(fits);
  return former ?? channelOf(world, name);
}

function named(name: string): (one: Place) => boolean {
  return (one) => one.id === name || one.name === name || one.name === name.replace(/^#/, '');
}

/** As `personOf`, or the bot. */
export const memberOf = (world: World, who: string): Person => {
  const { bot } = world.guild;
  return who === bot.name || who === bot.id ? bot : personOf(world, who);
};

/** Clients do not show private threads to people outside them. */
function refuseUnseen(world: World, person: Person, place: Place): void {
  if (!sees(world, person, place)) throw new ClientRefusal(`${person.name} does not see #${place.name}.`);
}

/** Throws for what a client does not allow in a closed thread. */
export function refuseClosed(place: Place, what: 'message' | 'command' | 'edit'): void {
  if (!isThread(place)) return;
  if (place.locked) throw new ClientRefusal(`#${place.name}: this thread is locked.`);
  // A message reopens an archived thread.
  if (place.archived && what !== 'message') throw new ClientRefusal(`#${place.name}: this thread is archived.`);
}

/** A person types: a slash command starts an interaction, anything else is a message. Returns the id of either. */
export function typeLine(world: World, person: Person, channel: Place, line: string): string {
  refuseUnseen(world, person, channel);
  if (!holdsMessages(channel)) throw new ClientRefusal(`#${channel.name}: nobody can write in this kind of channel.`);
  if (isInTimeOut(world, person)) throw new ClientRefusal(`${person.name} is timed out.`);
  if (!line.startsWith('/')) {
    checkContent(line);
    refuseClosed(channel, 'message');
    const { id, mentions } = post(world, { channelId: channel.id, author: person, draft: { content: line } });
    // Mentioning people in a private thread adds them.
    if (isThread(channel)) for (const user of mentions.users) joinThread(world, channel, memberOf(world, user));
    return id;
  }
  refuseClosed(channel, 'command');
  const typed = parseLine(line);
  const found = findCommand(world, person, typed);
  const data = commandData(world, found, typed.options);
  return begin(world, { type: 2, person, channel, name: found.name, data }).id;
}

/** A person pauses while typing an option with autocomplete. */
export function askChoices(world: World, person: Person, channel: Place, line: string, option: string): Interaction {
  refuseUnseen(world, person, channel);
  const typed = parseLine(line);
  const found = findCommand(world, person, typed);
  const data = autocompleteData(world, found, typed.options, option);
  return begin(world, { type: 4, person, channel, name: found.name, data });
}

export function clickButton(world: World, person: Person, messageId: string, customId: string): string {
  const message = visible(world, person, messageId);
  const button = buttonsOf(message).find((one) => one.customId === customId && one.url === undefined);
  if (!button) throw new ClientRefusal(`The message has no button ${customId}.`);
  if (button.disabled) throw new ClientRefusal(`${button.label}: this button is disabled.`);
  const channel = channelOf(world, message.channelId);
  const part = message.components.flatMap((row) => row.components ?? []).find((one) => one.custom_id === customId);
  const data = { custom_id: customId, component_type: 2, id: part?.id };
  return begin(world, { type: 3, person, channel, name: button.label, data, sourceId: message.id }).id;
}

export function submitModal(world: World, person: Person, typed: string | Record<string, string>): string {
  const open = world.modals.get(person.id);
  const modal = modalFor(world, person);
  if (!open || !modal) throw new ClientRefusal(`${person.name} has no open form.`);
  const data = submission(modal, open.body, typed);
  world.modals.delete(person.id);
  const channel = channelOf(world, open.channelId);
  return begin(world, { type: 5, person, channel, name: modal.title, data, sourceId: open.sourceId }).id;
}

/** Sends what no real client would: a button that the message lacks, or a modal that is not open. */
export function forge(
  world: World,
  person: Person,
  messageId: string,
  customId: string,
  fields?: Record<string, string>,
): string {
  const { id: sourceId, channelId } = visible(world, person, messageId);
  const channel = channelOf(world, channelId);
  const input = ([name, value]: [string, string]) => ({ type: 4, id: 2, custom_id: name, value });
  const data = fields
    ? { custom_id: customId, components: [{ type: 1, id: 1, components: Object.entries(fields).map(input) }] }
    : { custom_id: customId, component_type: 2, id: 1 };
  return begin(world, { type: fields ? 5 : 3, person, channel, name: 'forged', data, sourceId }).id;
}

/** A person closes their open modal, if any. The bot gets no event. */
export function dismissModal(world: World, person: Person): void {
  if (world.modals.delete(person.id)) world.changed();
}

export function editMessage(world: World, person: Person, messageId: string, content: string): void {
  const message = visible(world, person, messageId);
  if (message.author !== person) throw new ClientRefusal(`${person.name} may edit only their own messages.`);
  checkContent(content);
  refuseClosed(channelOf(world, message.channelId), 'edit');
  edit(world, message, { content });
}

function checkContent(content: string): void {
  if (content.trim() === '') throw new ClientRefusal('An empty message cannot be sent.');
  if (content.length > MAX_CONTENT) {
    throw new ClientRefusal(`A message has at most ${MAX_CONTENT} characters, and this one has ${content.length}.`);
  }
}

/** Puts a member into time-out until then, in ms; undefined ends it. */
export function setTimeOut(world: World, person: Person, until: number | undefined): void {
  if (until === undefined) delete person.timeOut;
  else person.timeOut = until;
  announceMember(world, person);
}

export function setRoles(world: World, person: Person, roles: readonly string[]): void {
  person.roles = roles.map((wanted) => {
    const role = world.guild.roles.find((one) => one.id === wanted || one.name === wanted);
    if (!role || role.id === BOT_ROLE_ID) throw new ClientRefusal(`${wanted}: there is no such role.`);
    return role.id;
  });
  world.memory.touch('roles', person.id);
  announceMember(world, person);
}

function announceMember(world: World, person: Person): void {
  world.dispatch({
    t: 'GUILD_MEMBER_UPDATE',
    intent: INTENTS.members,
    data: () => ({ ...memberWithUser(world.guild, person), guild_id: world.guild.id }),
  });
  world.changed();
}

export function visible(world: World, person: Person, messageId: string): Message {
  const message = world.messages.get(messageId);
  const place = placeOf(world.guild, message?.channelId);
  if (!message || !place || !sees(world, person, place) || (message.onlyFor ?? person.id) !== person.id) {
    throw new ClientRefusal(`${person.name} sees no message ${messageId}.`);
  }
  return message;
}
