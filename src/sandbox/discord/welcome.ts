import { elsewhereObject } from './elsewhere.ts';
import { guildObject, JOINED, memberWithUser, userObject } from './guild.ts';
import { activeThreads, placeObject } from './places.ts';
import { gatewayUrl } from './rest/application.ts';
import type { Session } from './sessions.ts';
import { CONTENT_FLAG, type World } from './world.ts';

/** READY, and the guilds in full. */
export function welcome(world: World, session: Session): [t: string, d: unknown][] {
  const { guild } = world;
  const flags = world.contentGranted ? CONTENT_FLAG : 0;
  return [
    [
      'READY',
      {
        v: 10,
        user: { ...userObject(guild, guild.bot), verified: true, mfa_enabled: false, email: null, flags: 0 },
        guilds: [guild, ...world.elsewhere].map(({ id }) => ({ id, unavailable: true })),
        session_id: session.id,
        resume_gateway_url: gatewayUrl(world),
        shard: [0, 1],
        application: { id: guild.bot.id, flags },
      },
    ],
    [
      'GUILD_CREATE',
      {
        ...guildObject(guild),
        joined_at: JOINED,
        large: false,
        unavailable: false,
        member_count: guild.people.length + 1,
        members: [...guild.people, guild.bot].map((person) => memberWithUser(guild, person)),
        channels: guild.channels.map((channel) => placeObject(world, channel)),
        threads: activeThreads(world).map((thread) => placeObject(world, thread)),
        presences: [],
        voice_states: [],
        stage_instances: [],
        guild_scheduled_events: [],
        soundboard_sounds: [],
      },
    ],
    ...world.elsewhere.map((other): [string, unknown] => ['GUILD_CREATE', elsewhereObject(guild, other)]),
  ];
}
