import { guildObject, JOINED, memberWithUser, selfObject } from './guild.ts';
import { otherGuildObject } from './other-guilds.ts';
import { activeThreads, placeObject } from './places.ts';
import { gatewayUrl } from './rest/application.ts';
import type { Session } from './sessions.ts';
import { CONTENT_FLAG, INTENTS, type World } from './world.ts';

/** READY and the full guilds, without ours during its outage. */
export function readyEvents(world: World, session: Session): [t: string, d: unknown][] {
  const { guild } = world;
  const flags = world.contentGranted ? CONTENT_FLAG : 0;
  const ready = {
    v: 10,
    user: selfObject(guild),
    guilds: [...(world.faults.kicked() ? [] : [guild]), ...world.elsewhere].map(({ id }) => ({
      id,
      unavailable: true,
    })),
    session_id: session.id,
    resume_gateway_url: gatewayUrl(world),
    shard: [0, 1],
    application: { id: guild.bot.id, flags },
  };
  const elsewhere = world.elsewhere.map((other): [string, unknown] => ['GUILD_CREATE', otherGuildObject(guild, other)]);
  return [['READY', ready], ...(world.faults.guildAway() ? [] : [whole(world)]), ...elsewhere];
}

/** Tells the bots that the guild is unavailable or that they are no longer in it, or sends it whole once it is back. */
export function announceGuild(world: World, event: 'away' | 'removed' | 'back'): void {
  const { id } = world.guild;
  const gone = event === 'away' ? { id, unavailable: true } : { id };
  const [t, d] = event === 'back' ? whole(world) : ['GUILD_DELETE', gone];
  world.dispatch({ t, intent: INTENTS.guilds, data: () => d });
}

/** Without the presences intent Discord sends only the bot and members in voice channels, of which there are none. */
function whole(world: World): [t: string, d: object] {
  const { guild } = world;
  return [
    'GUILD_CREATE',
    {
      ...guildObject(guild),
      joined_at: JOINED,
      large: false,
      unavailable: false,
      member_count: guild.people.length + 1,
      members: [memberWithUser(guild, guild.bot)],
      channels: guild.channels.map((channel) => placeObject(world, channel)),
      threads: activeThreads(world).map((thread) => placeObject(world, thread)),
      presences: [],
      voice_states: [],
      stage_instances: [],
      guild_scheduled_events: [],
      soundboard_sounds: [],
    },
  ];
}
