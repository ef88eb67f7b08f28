import { z } from 'zod';
import { eachTurnsItsLine, type Fault } from '../helpers/check/faults.ts';
import { examplePolicy, type Scene } from '../helpers/check/scene.ts';
import { describeWithRedisServer } from '../helpers/redis-server.ts';
import { canaries } from '../helpers/surroundings.ts';

const forbid =
  (right: 'send' | 'view' | 'history', channel = 'ops') =>
  ({ discord }: Scene): void =>
    discord.order({ kind: 'forbid-channel', channel, right });

const commandsPath = '/applications/1000000000000000001/guilds/1100000000000000001/commands';

const commandList = z.array(z.looseObject({ name: z.string(), description: z.string() }));
type Commands = z.infer<typeof commandList>;

async function commandsOf({ discord }: Scene): Promise<Commands> {
  const headers = { authorization: `Bot ${discord.token}` };
  const answer = await fetch(`${discord.apiUrl}/v10${commandsPath}`, { headers });
  return commandList.parse(await answer.json());
}

/** Registers other commands than those of this version. */
async function registerOther(scene: Scene, change: (all: Commands) => unknown[]) {
  const { discord } = scene;
  await fetch(`${discord.apiUrl}/v10${commandsPath}`, {
    method: 'PUT',
    headers: { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(change(await commandsOf(scene))),
  });
}

const faults: Fault[] = [
  {
    what: 'a Discord token that is refused',
    order: () => ({ DISCORD_TOKEN: canaries.discord.replace('CANARY', 'REVOKED') }),
    bad: ['wrong discord-token'],
    skipped: ['guild', 'rights', 'pings', 'commands', 'roles', 'channels', 'trail'],
    says: 'Discord does not know this token.',
  },
  {
    what: 'a Discord that does not answer',
    order: ({ discord }) => discord.order({ kind: 'outage' }),
    bad: ['wrong discord-token'],
    skipped: ['guild', 'rights', 'pings', 'commands', 'roles', 'channels', 'trail'],
    says: 'Discord cannot be reached or does not answer in time.',
  },
  {
    what: 'another guild',
    order: () => ({ DISCORD_GUILD_ID: '1100000000000000009' }),
    // The policy of the scene is the example's, which is refused in any other guild.
    bad: ['wrong configuration', 'wrong guild'],
    skipped: ['rights', 'pings', 'commands', 'roles', 'channels', 'trail'],
    says: 'The bot is not in the guild of DISCORD_GUILD_ID.',
  },
  {
    what: 'a channel without View Channel',
    order: forbid('view'),
    bad: ['wrong rights'],
    says: 'In `#ops` (`1300000000000000001`) the bot lacks View Channel, Send Messages.',
  },
  {
    what: 'an audit channel that cannot be written',
    order: forbid('send', 'audit'),
    bad: ['wrong rights'],
    says: 'In `#audit` (`1300000000000000002`) the bot lacks Send Messages.',
  },
  {
    what: 'an audit channel that cannot be read',
    order: forbid('history', 'audit'),
    bad: ['wrong rights'],
    skipped: ['trail'],
    says: 'In `#audit` (`1300000000000000002`) the bot lacks Read Message History.',
  },
  {
    what: 'a command that is not registered',
    order: (scene) => registerOther(scene, (all) => all.filter(({ name }) => name !== 'firewall')),
    bad: ['wrong commands'],
    says: '`firewall` not registered.',
  },
  {
    what: 'a command that is registered differently',
    order: (scene) =>
      registerOther(scene, (all) => all.map((one) => (one.name === 'help' ? { ...one, description: 'old' } : one))),
    bad: ['wrong commands'],
    says: '`help` registered differently.',
  },
  {
    what: 'a command of another version',
    order: (scene) => registerOther(scene, (all) => [...all, { name: 'gone', description: 'of another version' }]),
    bad: ['wrong commands'],
    says: '`gone` left over from another version.',
  },
  {
    what: 'an invitation without commands',
    order: ({ discord }) =>
      discord.order({
        ...{ kind: 'status', status: 403, body: { message: 'Missing Access', code: 50001 } },
        match: { method: 'GET', path: commandsPath },
      }),
    bad: ['wrong commands'],
    says: 'The bot was invited without applications.commands.',
  },
  {
    what: 'a role of the policy that is gone',
    order: ({ policy }) => policy(examplePolicy.replace('1200000000000000001', '1200000000000000077')),
    bad: ['wrong roles'],
    says: 'The guild has no role `1200000000000000077`, which the policy calls `viewer`.',
  },
  {
    what: 'a role that is in the policy twice',
    order: ({ policy }) =>
      policy(
        examplePolicy.replace(
          '\nroles:\n',
          '\nroles:\n  - { role: "1200000000000000003", name: again, allow: [read] }\n',
        ),
      ),
    bad: ['warning roles-twice'],
    says: 'The role `1200000000000000003` is in the policy 2 times, as `again` and `lead`',
  },
  {
    what: 'a channel of the policy that is gone',
    order: ({ discord }) => discord.deleteChannel('ops'),
    bad: ['wrong channels'],
    says: 'The guild has no channel `1300000000000000001`, which the policy names.',
  },
  {
    what: 'an audit channel that is gone',
    order: ({ discord }) => discord.deleteChannel('audit'),
    bad: ['wrong channels'],
    skipped: ['trail'],
    says: 'The guild has no channel `1300000000000000002`, which AUDIT_CHANNEL_ID names.',
  },
];

describeWithRedisServer('panelops check of Discord', () => eachTurnsItsLine(faults));
