/** The one server of the sandbox: who is in it, which roles and channels it has, and what they look like on the wire. */

export const GUILD_ID = '1100000000000000001';
export const APPLICATION_ID = '1000000000000000001';
const OWNER_ID = '1400000000000000009';
export const JOINED = '2026-01-05T09:00:00.000000+00:00';

export interface Person {
  readonly id: string;
  readonly name: string;
  /** Role ids as of now. */
  roles: string[];
}

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly permissions: bigint;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly topic: string;
}

const RIGHTS = {
  addReactions: 1n << 6n,
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  manageMessages: 1n << 13n,
  embedLinks: 1n << 14n,
  attachFiles: 1n << 15n,
  readHistory: 1n << 16n,
  mentionEveryone: 1n << 17n,
  useCommands: 1n << 31n,
  createThreads: 1n << 35n,
  sendInThreads: 1n << 38n,
};

export const ADMINISTRATOR = 1n << 3n;
export const MANAGE_MESSAGES = RIGHTS.manageMessages;

// A new server's @everyone may mention everyone, and so may a bot in it: a bot that forgets allowed_mentions shows here.
const EVERYONE = Object.values(RIGHTS).reduce((all, right) => all | right) & ~RIGHTS.manageMessages;

/** The permissions of the bot, as `app_permissions` carries them. */
export const BOT_PERMISSIONS = EVERYONE.toString();

const ROLES: readonly Role[] = [
  { id: GUILD_ID, name: '@everyone', permissions: EVERYONE },
  { id: '1200000000000000001', name: 'viewer', permissions: 0n },
  { id: '1200000000000000002', name: 'on-call', permissions: 0n },
  { id: '1200000000000000003', name: 'lead', permissions: RIGHTS.manageMessages },
];

const CHANNELS: readonly Channel[] = [
  { id: '1300000000000000001', name: 'ops', topic: 'Where commands are typed' },
  { id: '1300000000000000002', name: 'audit', topic: 'The trail' },
  { id: '1300000000000000003', name: 'random', topic: 'Everything else' },
];

const PEOPLE: readonly [id: string, name: string, role: string | undefined][] = [
  ['1400000000000000001', 'alice', '1200000000000000003'],
  ['1400000000000000002', 'bob', '1200000000000000002'],
  ['1400000000000000003', 'carol', '1200000000000000001'],
  ['1400000000000000004', 'mallory', undefined],
];

export interface Guild {
  readonly id: string;
  readonly roles: readonly Role[];
  readonly channels: readonly Channel[];
  readonly people: readonly Person[];
  readonly bot: Person;
}

/** A fresh guild: four people, three roles, three channels, one bot. */
export function makeGuild(): Guild {
  return {
    id: GUILD_ID,
    roles: ROLES,
    channels: CHANNELS,
    people: PEOPLE.map(([id, name, role]) => ({ id, name, roles: role ? [role] : [] })),
    bot: { id: APPLICATION_ID, name: 'panelops', roles: [] },
  };
}

/** What a person may do, from @everyone and their roles. */
export function permissionsOf(guild: Guild, person: Person): bigint {
  return guild.roles
    .filter((role) => role.id === GUILD_ID || person.roles.includes(role.id))
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
    public_flags: 0,
  };
}

/** A member without its user, as messages carry it. */
export function memberObject(person: Person) {
  return {
    nick: null,
    avatar: null,
    roles: [...person.roles],
    joined_at: JOINED,
    premium_since: null,
    deaf: false,
    mute: false,
    flags: 0,
    pending: false,
    communication_disabled_until: null,
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
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: guild.roles.indexOf(role),
    permissions: role.permissions.toString(),
    managed: false,
    mentionable: role.id !== GUILD_ID,
    flags: 0,
  };
}

export function channelObject(guild: Guild, channel: Channel, lastMessageId: string | null) {
  return {
    id: channel.id,
    type: 0,
    guild_id: GUILD_ID,
    name: channel.name,
    topic: channel.topic,
    position: guild.channels.indexOf(channel),
    parent_id: null,
    nsfw: false,
    rate_limit_per_user: 0,
    permission_overwrites: [],
    last_message_id: lastMessageId,
    flags: 0,
  };
}

export function guildObject(guild: Guild) {
  return {
    id: GUILD_ID,
    name: 'Sandbox',
    icon: null,
    splash: null,
    owner_id: OWNER_ID,
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
    nsfw_level: 0,
    max_members: 500_000,
    description: null,
    banner: null,
    vanity_url_code: null,
    discovery_splash: null,
    public_updates_channel_id: null,
    safety_alerts_channel_id: null,
  };
}
