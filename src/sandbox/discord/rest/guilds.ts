import { guildObject, memberWithUser, roleObject } from '../guild.ts';
import { placeObject } from '../places.ts';
import { Refusal } from '../refusal.ts';
import type { World } from '../world.ts';
import { type Call, ok, type Route } from './call.ts';

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
];

function checkGuild(world: World, { params }: Call): void {
  if (params['guild'] !== world.guild.id || world.faults.kicked()) throw new Refusal(404, 10004, 'Unknown Guild');
}
