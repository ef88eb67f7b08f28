import { ownerObject, permissionsOf, selfObject, userObject } from '../guild.ts';
import { leave } from '../other-guilds.ts';
import { invalidForm, Refusal } from '../refusal.ts';
import { type CommandBody, commandsShape, read } from '../shapes.ts';
import { checkCommands } from '../validate/index.ts';
import { CONTENT_FLAG, type Command, type World } from '../world.ts';
import { type Call, done, ok, type Route } from './call.ts';

/** The application, its user, its gateway and its commands. */
export const applicationRoutes: Route[] = [
  { method: 'GET', path: '/gateway', open: true, handle: (world) => ok({ url: gatewayUrl(world) }) },
  {
    method: 'GET',
    path: '/gateway/bot',
    handle: (world) =>
      ok({
        url: gatewayUrl(world),
        shards: 1,
        session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 },
      }),
  },
  { method: 'GET', path: '/users/@me', handle: (world) => ok(selfObject(world.guild)) },
  {
    method: 'GET',
    path: '/users/@me/guilds',
    handle: (world) =>
      ok([world.guild, ...world.elsewhere].map(({ id, name }) => membershipObject(world, { id, name }))),
  },
  {
    method: 'DELETE',
    path: '/users/@me/guilds/:guild',
    handle(world, { params }) {
      // The bot cannot leave its main guild: without it the sandbox is useless. The answer is the one an owner gets.
      if (params['guild'] === world.guild.id) throw new Refusal(400, 50055, 'Invalid Guild');
      if (!leave(world, params['guild'])) throw new Refusal(404, 10004, 'Unknown Guild');
      return done();
    },
  },
  { method: 'GET', path: '/applications/@me', handle: (world) => ok(applicationObject(world)) },
  { method: 'GET', path: '/oauth2/applications/@me', handle: (world) => ok(applicationObject(world)) },
  {
    method: 'GET',
    path: '/applications/:application/guilds/:guild/commands',
    handle(world, call) {
      checkPlace(world, call);
      return ok(world.commands.map((command) => commandObject(world, command)));
    },
  },
  {
    method: 'PUT',
    path: '/applications/:application/guilds/:guild/commands',
    handle(world, call) {
      checkPlace(world, call);
      const errors = checkCommands(call.body);
      if (errors) throw invalidForm(errors);
      world.commands = read(commandsShape, call.body).map((body) => register(world, body));
      world.memory.touch('commands', '');
      world.changed();
      return ok(world.commands.map((command) => commandObject(world, command)));
    },
  },
];

export function gatewayUrl(world: World): string {
  return `${world.origin.replace('http', 'ws')}/gateway`;
}

function checkPlace(world: World, { params }: Call): void {
  if (params['application'] !== world.guild.bot.id)
    throw new Refusal(403, 20012, 'You are not authorized to perform this action on this application');
  if (params['guild'] !== world.guild.id || world.faults.kicked()) throw new Refusal(403, 50001, 'Missing Access');
}

// A command keeps its id while its name is registered, and its version while nothing else changes.
function register(world: World, body: CommandBody): Command {
  const known = world.commands.find((command) => command.name === body.name && command.type === body.type);
  if (!known) return { ...body, id: world.nextId(), version: world.nextId() };
  const { id, version, ...before } = known;
  const same = JSON.stringify(before) === JSON.stringify(body);
  return { ...body, id, version: same ? version : world.nextId() };
}

export function commandObject(world: World, command: Command) {
  return {
    dm_permission: true,
    contexts: null,
    integration_types: [0],
    name_localizations: null,
    description_localizations: null,
    ...command,
    default_member_permissions: command.default_member_permissions ?? null,
    application_id: world.guild.bot.id,
    guild_id: world.guild.id,
  };
}

/** A guild in the bot's list of its guilds, on the wire. */
function membershipObject({ guild }: World, { id, name }: { id: string; name: string }) {
  const permissions = permissionsOf(guild, guild.bot).toString();
  return { id, name, icon: null, banner: null, owner: false, permissions, features: [] };
}

function applicationObject(world: World) {
  const { bot } = world.guild;
  const flags = world.contentGranted ? CONTENT_FLAG : 0;
  return {
    id: bot.id,
    name: bot.name,
    icon: null,
    description: '',
    bot_public: false,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    type: null,
    flags,
    flags_new: String(flags),
    bot: userObject(world.guild, bot),
    owner: ownerObject(world.guild),
    team: null,
    approximate_guild_count: 1 + world.elsewhere.length,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    explicit_content_filter: 0,
    eligible_oauth2_scopes: ['bot', 'applications.commands'],
    role_connections_verification_url: null,
    redirect_uris: [],
    interactions_endpoint_url: null,
  };
}
