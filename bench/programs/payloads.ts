import { application, channels, guild, lead, personId, type Typed } from '../protocol.ts';

const epoch = 1_420_070_400_000;
let last = 0n;

/** A snowflake of now, later than every one before. */
export function nextId(): string {
  const now = BigInt(Date.now() - epoch) << 22n;
  last = now > last ? now : last + 1n;
  return String(last);
}

const role = (id: string, name: string, permissions: bigint) => ({
  ...{ id, name, permissions: String(permissions), color: 0, hoist: false, position: 0, managed: false, flags: 0 },
  ...{ colors: { primary_color: 0, secondary_color: null, tertiary_color: null }, mentionable: false },
});
const member = (id: string, username: string, bot: boolean, roles: string[]) => ({
  user: { id, username, discriminator: '0', global_name: null, avatar: null, bot },
  ...{ roles, joined_at: '2026-01-05T09:00:00.000000+00:00', deaf: false, mute: false, flags: 0, pending: false },
});
const all = String((1n << 52n) - 1n);
const channel = (id: string, name: string) => ({
  ...{ id, name, guild_id: guild, type: 0, position: 0, permission_overwrites: [], nsfw: false, topic: null },
  ...{ parent_id: null, last_message_id: null, rate_limit_per_user: 0, flags: 0 },
});

/** What a new session is sent: READY, then the guild. */
export function greeting(origin: string): [t: string, d: object][] {
  const user = { id: application, username: 'panelops', discriminator: '0001', avatar: null, bot: true };
  const ready = {
    ...{ v: 10, user, guilds: [{ id: guild, unavailable: true }], session_id: nextId(), shard: [0, 1] },
    ...{ resume_gateway_url: `${origin.replace('http', 'ws')}/gateway`, application: { id: application, flags: 0 } },
  };
  const whole = {
    ...{ id: guild, name: 'bench', owner_id: personId(0), features: [], emojis: [], stickers: [], large: false },
    ...{ unavailable: false, member_count: 2, joined_at: '2026-01-05T09:00:00.000000+00:00', threads: [] },
    roles: [role(guild, '@everyone', (1n << 52n) - 1n), role(lead, 'lead', 0n)],
    channels: [channel(channels.ops, 'ops'), channel(channels.audit, 'audit')],
    members: [member(application, 'panelops', true, [])],
    ...{ presences: [], voice_states: [], stage_instances: [], guild_scheduled_events: [], soundboard_sounds: [] },
    ...{ preferred_locale: 'en-US', afk_timeout: 300, system_channel_flags: 0, premium_tier: 0, nsfw_level: 0 },
    ...{ verification_level: 0, default_message_notifications: 0, explicit_content_filter: 0, mfa_level: 0 },
  };
  return [
    ['READY', ready],
    ['GUILD_CREATE', whole],
  ];
}

/** The payload of what somebody typed. */
export function interaction({ n, kind, command, options, person }: Typed) {
  const id = nextId();
  const token = `${n}-${'t'.repeat(180)}`;
  const [group = '', sub] = command.split(' ');
  const given = Object.entries(options).map(([name, value], at, all) => ({
    ...{ name, type: 3, value },
    ...(kind === 'keystroke' && at === all.length - 1 ? { focused: true } : {}),
  }));
  const nested = sub === undefined ? given : [{ type: 1, name: sub, options: given }];
  const payload = {
    ...{ id, token, application_id: application, type: kind === 'command' ? 2 : 4, version: 1, guild_id: guild },
    data: { id: '1', name: group, type: 1, guild_id: guild, options: nested },
    ...{ guild: { id: guild, locale: 'en-US', features: [] }, channel_id: channels.ops },
    channel: { ...channel(channels.ops, 'ops'), permissions: all },
    member: { ...member(personId(person), `person-${person}`, false, [lead]), permissions: all },
    ...{ app_permissions: all, locale: 'en-US', guild_locale: 'en-US', entitlements: [], context: 0 },
    ...{ authorizing_integration_owners: { 0: guild }, attachment_size_limit: 10_485_760 },
  };
  return { id, token, payload };
}
