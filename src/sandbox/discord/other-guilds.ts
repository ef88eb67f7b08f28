import { type Guild, guildObject, JOINED, memberWithUser, roleObject } from './guild.ts';
import { INTENTS, type OtherGuild, type World } from './world.ts';

/** Somebody invites the bot to another guild. Returns its id. */
export function invite(world: World, name: string): string {
  const other: OtherGuild = { id: world.nextId(), name };
  world.elsewhere.push(other);
  world.dispatch({ t: 'GUILD_CREATE', intent: INTENTS.guilds, data: () => otherGuildObject(world.guild, other) });
  world.changed();
  return other.id;
}

/** The bot leaves such a guild. False if it is not in it. */
export function leave(world: World, id: string | undefined): boolean {
  const at = world.elsewhere.findIndex((other) => other.id === id);
  if (at === -1) return false;
  world.elsewhere.splice(at, 1);
  // Without `unavailable`, the event means that the bot was removed.
  world.dispatch({ t: 'GUILD_DELETE', intent: INTENTS.guilds, data: () => ({ id }) });
  world.changed();
  return true;
}

/** The guild on the wire; the bot has no role and sees no channel in it. */
export function otherGuildObject(guild: Guild, { id, name }: OtherGuild) {
  const everyone = guild.roles.filter((role) => role.id === guild.id);
  return {
    ...guildObject(guild),
    id,
    name,
    roles: everyone.map((role) => ({ ...roleObject(guild, role), id })),
    joined_at: JOINED,
    large: false,
    unavailable: false,
    member_count: 2,
    members: [{ ...memberWithUser(guild, guild.bot), roles: [] }],
    channels: [],
    threads: [],
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}
