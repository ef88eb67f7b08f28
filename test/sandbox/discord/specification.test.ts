import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { type Connection, call, identified, interaction, registerPing } from '../../helpers/sandbox/discord/raw.ts';

/** What Discord's OpenAPI description (discord/discord-api-spec) requires of the objects that it answers with. */
const required = {
  user: 'id username discriminator global_name avatar flags public_flags primary_guild',
  self: 'id username discriminator global_name avatar flags public_flags mfa_enabled locale',
  application: `id name icon description type verify_key flags flags_new owner team redirect_uris interactions_endpoint_url
    role_connections_verification_url approximate_guild_count approximate_user_install_count
    approximate_user_authorization_count explicit_content_filter eligible_oauth2_scopes`,
  guild: `id name icon description home_header splash discovery_splash features banner owner_id application_id region
    afk_channel_id afk_timeout system_channel_id system_channel_flags widget_enabled widget_channel_id verification_level
    roles default_message_notifications mfa_level explicit_content_filter max_presences max_members
    max_stage_video_channel_users max_video_channel_users vanity_url_code premium_tier premium_subscription_count
    preferred_locale rules_channel_id safety_alerts_channel_id public_updates_channel_id premium_progress_bar_enabled nsfw
    nsfw_level emojis stickers incidents_data`,
  role: 'id name permissions position color colors hoist managed mentionable icon unicode_emoji flags',
  member: `avatar banner communication_disabled_until flags joined_at nick pending premium_since roles user mute deaf`,
  channel: 'id type flags guild_id name position',
  thread: 'id type flags guild_id name owner_id thread_metadata message_count member_count total_message_sent',
  command: 'id application_id version default_member_permissions type name description',
  message: `type content mentions mention_roles attachments embeds timestamp edited_timestamp flags components id channel_id
    author pinned mention_everyone tts`,
  field: 'name value inline',
  attachment: 'id filename size url proxy_url',
  /** Of the gateway, as the documentation has it. */
  interaction: `id application_id type token version data guild guild_id channel channel_id member locale guild_locale
    app_permissions entitlements authorizing_integration_owners context attachment_size_limit`,
} as const;

type Fields = Record<string, unknown>;
/** A part of an answer. What is not there has no keys, or fails the test. */
const part = (of: unknown, ...path: (string | number)[]): Fields =>
  path.reduce<Fields>((at, key) => at[key] as Fields, of as Fields);

describe('answers of the sandbox have every field that Discord documents', () => {
  let discord: SandboxDiscord;
  let bot: Connection;
  let ops: string;
  let message: unknown;
  beforeAll(async () => {
    discord = await startDiscord({ limits: { posts: false } });
    await registerPing(discord);
    bot = await identified(discord, 1 | (1 << 9));
    ops = `/channels/${discord.channels.ops}`;
    const body = new FormData();
    const embeds = [{ title: 'x', fields: [{ name: 'a', value: 'b' }] }];
    body.set('payload_json', JSON.stringify({ content: `<@${discord.people.bob.id}>`, embeds }));
    body.set('files[0]', new Blob(['x']), 'a.txt');
    message = (await call(discord, 'POST', `${ops}/messages`, body)).json;
  });
  afterAll(() => discord.close());

  const get = async (path: string) => (await call(discord, 'GET', path)).json;
  const guild = () => `/guilds/${discord.guildId}`;
  const all: readonly [keyof typeof required, what: string, () => Promise<unknown> | unknown][] = [
    ['self', 'the bot', () => get('/users/@me')],
    ['application', 'the application', () => get('/applications/@me')],
    ['user', 'whose the application is', async () => part(await get('/applications/@me'), 'owner')],
    ['user', 'who the application is', async () => part(await get('/applications/@me'), 'bot')],
    ['guild', 'the guild', () => get(guild())],
    ['role', 'a role', async () => part(await get(`${guild()}/roles`), 0)],
    ['member', 'a member', () => get(`${guild()}/members/${discord.people.bob.id}`)],
    ['user', 'who a member is', async () => part(await get(`${guild()}/members/${discord.people.bob.id}`), 'user')],
    ['channel', 'a channel', () => get(ops)],
    ['thread', 'a thread', () => get(`/channels/${discord.startThread('bob', 'ops', 'a thread')}`)],
    [
      'command',
      'a command',
      async () => part(await get(`/applications/${discord.applicationId}${guild()}/commands`), 0),
    ],
    ['message', 'a message', () => message],
    ['user', 'the author of a message', () => part(message, 'author')],
    ['user', 'who is mentioned', () => part(message, 'mentions', 0)],
    ['field', 'a field of an embed', () => part(message, 'embeds', 0, 'fields', 0)],
    ['attachment', 'a file', () => part(message, 'attachments', 0)],
    ['self', 'the bot, when it is ready', async () => part((await bot.event('READY')).d, 'user')],
    [
      'interaction',
      'what somebody typed',
      async () => {
        await discord.type('bob', 'ops', '/ping');
        return (await bot.event('INTERACTION_CREATE')).d;
      },
    ],
  ];

  it.each(all)('%s: %s', async (kind, _what, answer) => {
    const keys = required[kind].split(/\s+/);
    expect(Object.keys((await answer()) as Fields)).toEqual(expect.arrayContaining(keys));
  });

  it('and the callback names the message that a first answer created, if any', async () => {
    await discord.type('bob', 'ops', '/ping');
    const { id, token } = await interaction(bot, 1);
    const path = `/interactions/${id}/${token}/callback?with_response=true`;
    const components = [{ type: 1, components: [{ type: 2, style: 2, label: 'B', custom_id: 'b' }] }];
    const { json } = await call(discord, 'POST', path, { type: 4, data: { content: 'pong', components } });
    expect(json).toMatchObject({ resource: { type: 4, message: { content: 'pong' } } });
    await discord.click('bob', String(part(json, 'resource', 'message')['id']), 'b');
    const click = await interaction(bot, 2);
    const deferred = await call(
      discord,
      'POST',
      `/interactions/${click.id}/${click.token}/callback?with_response=true`,
      {
        type: 6,
      },
    );
    expect(Object.keys(deferred.json)).toEqual(['interaction']);
  });
});
