import { type Guild, guildObject, JOINED, memberWithUser, roleObject } from './guild.ts';
import { INTENTS, type World } from './world.ts';

/** Another guild that the bot is in: of no interest but that it is there. */
export interface Elsewhere {
  readonly id: string;
  readonly name: string;
}

/** Somebody invites the bot to a guild of theirs; answers that guild's id. */
export function invite(world: World, name: string): string {
  const other: Elsewhere = { id: world.nextId(), name };
  world.elsewhere.push(other);
  world.dispatch({ t: 'GUILD_CREATE', intent: INTENTS.guilds, data: () => elsewhereObject(world.guild, other) });
  world.changed();
  return other.id;
}

/** The bot leaves one. False where it is not in it. */
export function leave(world: World, id: string | undefined): boolean {
  const at = world.elsewhere.findIndex((other) => other.id === id);
  if (at === -1) return false;
  world.elsewhere.splice(at, 1);
  // Without `unavailable`: the bot is out.
  world.dispatch({ t: 'GUILD_DELETE', intent: INTENTS.guilds, data: () => ({ id }) });
  world.changed();
  return true;
}

/** What a bot is told of it, in which the bot has no role and sees no channel. */
export function elsewhereObject(guild: Guild, { id, name }: Elsewhere) {
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
