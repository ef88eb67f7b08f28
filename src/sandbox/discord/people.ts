import { type Channel, MANAGE_MESSAGES, memberWithUser, type Person, permissionsOf } from './guild.ts';
import { begin } from './interactions.ts';
import { parseLine } from './line.ts';
import { edit, post, remove } from './messages.ts';
import { modalFor, submission } from './modals.ts';
import { autocompleteData, commandData, findCommand } from './options.ts';
import { ClientRefusal } from './refusal.ts';
import { buttonsOf, isFailureFor } from './seen.ts';
import { INTENTS, type Interaction, type Message, type World } from './world.ts';

/** What a person without Nitro may write into one message. */
const MAX_CONTENT = 2000;

/** Finds one of the four by name. */
export function personOf(world: World, who: string): Person {
  const person = world.guild.people.find((one) => one.name === who || one.id === who);
  if (person) return person;
  const known = world.guild.people.map((one) => one.name).join(', ');
  throw new ClientRefusal(`${who}: there is no such person. There are: ${known}.`);
}

/** Finds a channel by `ops`, `#ops` or its id. */
export function channelOf(world: World, name: string): Channel {
  const channel = world.guild.channels.find((one) => one.name === name.replace(/^#/, '') || one.id === name);
  if (channel) return channel;
  const known = world.guild.channels.map((one) => `#${one.name}`).join(', ');
  throw new ClientRefusal(`${name}: there is no such channel. There are: ${known}.`);
}

/** A person types: a slash command begins an interaction, anything else is a message. Answers the id of either. */
export function typeLine(world: World, person: Person, channel: Channel, line: string): string {
  if (!line.startsWith('/')) {
    checkContent(line);
    return post(world, { channelId: channel.id, author: person, draft: { content: line } }).id;
  }
  const typed = parseLine(line);
  const found = findCommand(world, person, typed);
  const data = commandData(world, found, typed.given);
  return begin(world, { type: 2, person, channel, name: found.name, data }).id;
}

/** A person pauses while typing an option that the bot completes. */
export function askChoices(world: World, person: Person, channel: Channel, line: string, option: string): Interaction {
  const typed = parseLine(line);
  const found = findCommand(world, person, typed);
  const data = autocompleteData(world, found, typed.given, option);
  return begin(world, { type: 4, person, channel, name: found.name, data });
}

/** A person presses a button that they can see. */
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

/** A person fills in and sends the modal that they have open. */
export function submitModal(world: World, person: Person, typed: string | Record<string, string>): string {
  const open = world.modals.get(person.id);
  const modal = modalFor(world, person);
  if (!open || !modal) throw new ClientRefusal(`${person.name} has no open form.`);
  const data = submission(modal, open.body, typed);
  world.modals.delete(person.id);
  const channel = channelOf(world, open.channelId);
  return begin(world, { type: 5, person, channel, name: modal.title, data, sourceId: open.sourceId }).id;
}

/**
 * What no person's app sends: the press of a button that the message does not have or, with `fields`, the submission of a form
 * that is not open. The bot must not rely on apps to be honest.
 */
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

/** A person closes the form that they have open, if there is one. The bot does not hear of it. */
export function dismissModal(world: World, person: Person): void {
  if (world.modals.delete(person.id)) world.changed();
}

/** A person removes their own message, dismisses what only they see, or moderates another's message if their roles let them. */
export function deleteMessage(world: World, person: Person, messageId: string): void {
  const failed = [...world.interactions.values()].find((one) => one.id === messageId);
  if (failed && isFailureFor(world, failed, person)) {
    failed.dismissed = true;
    world.changed();
    return;
  }
  const message = visible(world, person, messageId);
  const moderates = (permissionsOf(world.guild, person) & MANAGE_MESSAGES) !== 0n;
  if (message.author !== person && message.onlyFor !== person.id && !moderates) {
    throw new ClientRefusal(`${person.name} may delete only their own messages.`);
  }
  remove(world, message);
}

/** A person changes the text of their own message. */
export function editMessage(world: World, person: Person, messageId: string, content: string): void {
  const message = visible(world, person, messageId);
  if (message.author !== person) throw new ClientRefusal(`${person.name} may edit only their own messages.`);
  checkContent(content);
  edit(world, message, { content });
}

function checkContent(content: string): void {
  if (content.trim() === '') throw new ClientRefusal('An empty message cannot be sent.');
  if (content.length > MAX_CONTENT) {
    throw new ClientRefusal(`A message has at most ${MAX_CONTENT} characters, and this one has ${content.length}.`);
  }
}

/** Gives a person exactly these roles, by name or id. */
export function setRoles(world: World, person: Person, roles: readonly string[]): void {
  person.roles = roles.map((wanted) => {
    const role = world.guild.roles.find((one) => one.id === wanted || one.name === wanted);
    if (!role) throw new ClientRefusal(`${wanted}: there is no such role.`);
    return role.id;
  });
  world.dispatch({
    t: 'GUILD_MEMBER_UPDATE',
    intent: INTENTS.members,
    data: () => ({ ...memberWithUser(world.guild, person), guild_id: world.guild.id }),
  });
  world.changed();
}

function visible(world: World, person: Person, messageId: string): Message {
  const message = world.messages.get(messageId);
  if (!message || (message.onlyFor ?? person.id) !== person.id) {
    throw new ClientRefusal(`${person.name} sees no message ${messageId}.`);
  }
  return message;
}
