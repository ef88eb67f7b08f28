import { randomBytes } from 'node:crypto';
import { guildObject, memberWithUser, type Person, type Place, permissionsOf } from './guild.ts';
import { channelRights, placeObject } from './places.ts';
import { messageObject } from './wire.ts';
import type { Interaction, World } from './world.ts';

/** Timers may fire slightly before the clock reaches their time. */
export const TIMER_SLACK_MS = 20;

export interface Begin {
  type: Interaction['type'];
  person: Person;
  channel: Place;
  name: string;
  data: Record<string, unknown>;
  sourceId?: string | undefined;
  targetId?: string;
}

/** Delivers an INTERACTION_CREATE to every connection. */
export function begin(world: World, { targetId, ...what }: Begin): Interaction {
  const { type, person, channel, name, sourceId } = what;
  const id = world.nextId();
  // Long, and only letters, digits, - and _, like real ones.
  const token = `${Buffer.from(`interaction:${id}:`).toString('base64url')}${randomBytes(96).toString('base64url')}`;
  const interaction: Interaction = {
    id,
    token,
    type,
    person,
    channelId: channel.id,
    createdAt: world.now(),
    name,
    unheard: false,
    ...(sourceId !== undefined && { sourceId }),
    ...(targetId !== undefined && { targetId }),
  };
  world.interactions.set(token, interaction);
  world.newestPayload = payloadOf(world, what, id, token);
  interaction.unheard = !deliver(world, world.newestPayload);
  if (world.faults.deliverTwice()) deliver(world, world.newestPayload);
  noteInteraction(world, interaction);
  // A missed deadline is a visible change too.
  world.later(world.answerMs + TIMER_SLACK_MS, world.changed);
  world.changed();
  return interaction;
}

/** Records that an interaction is new or changed. Autocomplete interactions are not stored. */
export function noteInteraction(world: World, { type, token }: Interaction): void {
  if (type !== 4) world.memory.touch('interaction', token);
}

const deliver = (world: World, payload: unknown): boolean =>
  world.dispatch({ t: 'INTERACTION_CREATE', intent: 0, data: () => payload });

/** Delivers the newest interaction again, whatever its state. */
export function deliverAgain(world: World): void {
  if (world.newestPayload !== undefined) deliver(world, world.newestPayload);
}

function payloadOf(world: World, { type, person, channel, data, sourceId }: Begin, id: string, token: string) {
  const { guild } = world;
  const permissions = permissionsOf(guild, person).toString();
  const source = sourceId === undefined ? undefined : world.messages.get(sourceId);
  return {
    id,
    application_id: guild.bot.id,
    type,
    token,
    version: 1,
    data,
    guild_id: guild.id,
    guild: { id: guild.id, locale: guildObject(guild).preferred_locale, features: [] },
    channel_id: channel.id,
    channel: { ...placeObject(world, channel), permissions },
    member: { ...memberWithUser(guild, person), permissions },
    // The channel's rights: they do not tell whether the bot is in a private thread.
    app_permissions: channelRights(world, channel).toString(),
    locale: 'en-US',
    guild_locale: 'en-US',
    entitlements: [],
    authorizing_integration_owners: { 0: guild.id },
    context: 0,
    attachment_size_limit: 10_485_760,
    ...(source && { message: messageObject(world, source, true) }),
  };
}

/** Whether the person sees that the answer did not come in time. */
export function hasFailed(world: World, interaction: Interaction): boolean {
  if (interaction.answer) return false;
  return interaction.unheard || world.now() - interaction.createdAt > world.answerMs;
}

/** Whether the interaction's token has expired, after 15 minutes. */
export function tokenIsOver(world: World, interaction: Interaction): boolean {
  return world.now() - interaction.createdAt > world.tokenMs;
}
