import type { GuildPlan } from './plan.ts';
import { EVERYONE, INVITED } from './rights.ts';

/** The sandbox's guild: its people, roles and channels, and their wire forms. */

export const APPLICATION_ID = '1000000000000000001';
/** The role that Discord creates for an invited bot. */
export const BOT_ROLE_ID = '1200000000000000004';
const OWNER_ID = '1400000000000000009';
export const JOINED = '2026-01-05T09:00:00.000000+00:00';

export interface Person {
  readonly id: string;
  readonly name: string;
  roles: string[];
  /** In time-out until then, in ms. */
  timeOut?: number;
}

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly permissions: bigint;
  readonly mentionable: boolean;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly topic: string;
  /** Discord's channel type: 0 text, 4 category, 15 forum. Missing: text. */
  readonly type?: number;
}

/** A thread in a channel. Whoever sees the channel sees a public one; only members a private one. In ms. */
export interface Thread {
  readonly id: string;
  name: string;
  readonly parentId: string;
  readonly ownerId: string;
  readonly isPrivate: boolean;
  /** Ids of everyone who started it, wrote in it or was added. */
  readonly members: Set<string>;
  readonly createdAt: number;
  archived: boolean;
  locked: boolean;
  /** Minutes without a message until clients no longer list it. */
  minutes: number;
  slowmode: number;
  /** When it was created, or last archived or reopened. */
  archivedAt: number;
  /** The number of messages ever sent in it. */
  sent: number;
}

export type Place = Channel | Thread;

export interface Guild {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Role[];
  channels: Channel[];
  readonly gone: Channel[];
  /** Oldest first. */
  threads: Thread[];
  readonly people: readonly Person[];
  readonly bot: Person;
}

/** A new guild from a plan, with @everyone, and the bot with its own role. */
export function makeGuild({ id, name, roles, channels, people }: GuildPlan): Guild {
  const idOf = (role: string | undefined): string[] => roles.filter((one) => one.name === role).map((one) => one.id);
  return {
    id,
    name,
    roles: [
      { id, name: '@everyone', permissions: EVERYONE, mentionable: false },
      ...roles.map((role) => ({ permissions: 0n, mentionable: true, ...role })),
      { id: BOT_ROLE_ID, name: 'panelops', permissions: INVITED, mentionable: false },
    ],
    channels: [...channels],
    gone: [],
    threads: [],
    people: people.map(({ role, ...person }) => ({ ...person, roles: idOf(role) })),
    bot: { id: APPLICATION_ID, name: 'panelops', roles: [BOT_ROLE_ID] },
  };
}

/** A person's permissions, from @everyone and their roles. */
export function permissionsOf(guild: Guild, person: Person): bigint {
  return guild.roles
    .filter((role) => role.id === guild.id || person.roles.includes(role.id))
    .reduce((all, role) => all | role.permissions, 0n);
}

export function userObject(guild: Guild, person: Person) {
  const bot = person === guild.bot;
  return {
    id: person.id,
    username: person.name,
    discriminator: bot ? '0001' : '0',
    global_name: bot ? null : person.name,
    avatar: null,
    bot,
    flags: 0,
    public_flags: 0,
    primary_guild: null,
  };
}

export function selfObject(guild: Guild) {
  return { ...userObject(guild, guild.bot), verified: true, mfa_enabled: false, locale: 'en-US', email: null };
}

/** The owner of server and application: nobody the sandbox lets you play. */
export const ownerObject = (guild: Guild) => userObject(guild, { id: OWNER_ID, name: 'owner', roles: [] });

/** A member without its user, as in messages. */
export function memberObject(person: Person) {
  return {
    nick: null,
    avatar: null,
    banner: null,
    roles: [...person.roles],
    joined_at: JOINED,
    premium_since: null,
    deaf: false,
    mute: false,
    flags: 0,
    pending: false,
    communication_disabled_until: person.timeOut === undefined ? null : new Date(person.timeOut).toISOString(),
  };
}

export function memberWithUser(guild: Guild, person: Person) {
  return { ...memberObject(person), user: userObject(guild, person) };
}

export function roleObject(guild: Guild, role: Role) {
  return {
    id: role.id,
    name: role.name,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: guild.roles.indexOf(role),
    permissions: role.permissions.toString(),
    managed: role.id === BOT_ROLE_ID,
    mentionable: role.mentionable,
    flags: 0,
    ...(role.id === BOT_ROLE_ID && { tags: { bot_id: guild.bot.id } }),
  };
}

export function guildObject(guild: Guild) {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    splash: null,
    home_header: null,
    owner_id: OWNER_ID,
    application_id: null,
    region: 'deprecated',
    widget_enabled: false,
    widget_channel_id: null,
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    roles: guild.roles.map((role) => roleObject(guild, role)),
    emojis: [],
    stickers: [],
    features: [],
    mfa_level: 0,
    system_channel_id: null,
    system_channel_flags: 0,
    rules_channel_id: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    premium_progress_bar_enabled: false,
    preferred_locale: 'en-US',
    nsfw: false,
    nsfw_level: 0,
    max_members: 500_000,
    max_presences: null,
    max_video_channel_users: 25,
    max_stage_video_channel_users: 50,
    incidents_data: null,
    description: null,
    banner: null,
    vanity_url_code: null,
    discovery_splash: null,
    public_updates_channel_id: null,
    safety_alerts_channel_id: null,
  };
}
