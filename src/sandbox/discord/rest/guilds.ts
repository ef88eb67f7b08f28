import { type AuditEntry, entryObject, mayReadAuditLog, usersIn } from '../audit-log.ts';
import { guildObject, memberWithUser, roleObject } from '../guild.ts';
import { placeObject } from '../places.ts';
import { missingPermissions, Refusal } from '../refusal.ts';
import { byAge } from '../snowflake.ts';
import type { World } from '../world.ts';
import { type Call, ok, type Route } from './call.ts';
import { limitIn } from './query.ts';

/** Reads of the one guild. */
export const guildRoutes: Route[] = [
  {
    method: 'GET',
    path: '/guilds/:guild',
    handle(world, call) {
      checkGuild(world, call);
      return ok(guildObject(world.guild));
    },
  },
  {
    method: 'GET',
    path: '/guilds/:guild/channels',
    handle(world, call) {
      checkGuild(world, call);
      return ok(world.guild.channels.map((one) => placeObject(world, one)));
    },
  },
  {
    method: 'GET',
    path: '/guilds/:guild/roles',
    handle(world, call) {
      checkGuild(world, call);
      return ok(world.guild.roles.map((role) => roleObject(world.guild, role)));
    },
  },
  {
    method: 'GET',
    path: '/guilds/:guild/members/:user',
    handle(world, call) {
      checkGuild(world, call);
      const { people, bot } = world.guild;
      const person = [...people, bot].find((one) => one.id === call.params['user']);
      if (!person) throw new Refusal(404, 10007, 'Unknown Member');
      return ok(memberWithUser(world.guild, person));
    },
  },
  {
    method: 'GET',
    path: '/guilds/:guild/audit-logs',
    handle(world, call) {
      checkGuild(world, call);
      if (!mayReadAuditLog(world)) throw missingPermissions();
      const entries = auditEntries(world, call.query);
      return ok({
        audit_log_entries: entries.map(entryObject),
        users: usersIn(world, entries),
        application_commands: [],
        auto_moderation_rules: [],
        guild_scheduled_events: [],
        integrations: [],
        threads: [],
        webhooks: [],
      });
    },
  },
];

/** Newest first; oldest first with `after`. */
function auditEntries(world: World, query: URLSearchParams): AuditEntry[] {
  const limit = limitIn(query, 100, 50);
  const [user, action, before, after] = ['user_id', 'action_type', 'before', 'after'].map((key) => query.get(key));
  const found = world.auditLog
    .filter((one) => user == null || one.userId === user)
    .filter((one) => action == null || String(one.action) === action)
    .filter((one) => before == null || byAge(one.id, before) < 0)
    .filter((one) => after == null || byAge(one.id, after) > 0);
  return after == null ? found.slice(-limit).reverse() : found.slice(0, limit);
}

function checkGuild(world: World, { params }: Call): void {
  if (params['guild'] !== world.guild.id || world.faults.kicked()) throw new Refusal(404, 10004, 'Unknown Guild');
}
