import { RIGHTS } from './rights.ts';

/** The people, roles and channels of a guild. Roles exist by being assigned; @everyone and the bot's are added. */
export interface GuildPlan {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly {
    readonly id: string;
    readonly name: string;
    readonly permissions?: bigint;
    /** Whether everybody may mention it; default true. */
    readonly mentionable?: boolean;
  }[];
  /** `type`: Discord's channel type; default 0, text. */
  readonly channels: readonly {
    readonly id: string;
    readonly name: string;
    readonly topic: string;
    readonly type?: number;
  }[];
  readonly people: readonly { readonly id: string; readonly name: string; readonly role?: string }[];
}

/** The guild that policy.example.yaml is written for. */
export const usualGuild = {
  id: '1100000000000000001',
  name: 'Sandbox',
  roles: [
    { id: '1200000000000000001', name: 'viewer' },
    { id: '1200000000000000002', name: 'on-call' },
    { id: '1200000000000000003', name: 'lead', permissions: RIGHTS.manageMessages | RIGHTS.manageThreads },
  ],
  channels: [
    { id: '1300000000000000001', name: 'ops', topic: 'Type commands here' },
    { id: '1300000000000000002', name: 'audit', topic: 'The trail' },
    { id: '1300000000000000003', name: 'random', topic: 'Everything else' },
  ],
  people: [
    { id: '1400000000000000001', name: 'alice', role: 'lead' },
    { id: '1400000000000000002', name: 'bob', role: 'on-call' },
    { id: '1400000000000000003', name: 'carol', role: 'viewer' },
    { id: '1400000000000000004', name: 'mallory' },
  ],
} as const satisfies GuildPlan;

/** Names that mean something else where people are named. */
const taken = ['as', 'panelops'];

/** The guild of a team's own policy: a person for each role, who is called like it, and one without. */
export function guildFor(
  ofPolicy: readonly { role: string; name: string }[],
  ids: readonly string[] = [usualGuild.channels[0].id],
): GuildPlan {
  const roles = [...new Map(ofPolicy.map(({ role: id, name }) => [id, { id, name }])).values()];
  const [, ...others] = usualGuild.channels;
  const named = new Set<string>(taken);
  const nameFor = (role: string): string => {
    const name = role.toLowerCase().replaceAll(' ', '-');
    const free = [name, ...roles.map((_, at) => `${name}-${at + 2}`)].find((each) => !named.has(each)) ?? name;
    named.add(free);
    return free;
  };
  const ops = ids.map((id, at) => ({ ...usualGuild.channels[0], id, name: at === 0 ? 'ops' : `ops-${at + 1}` }));
  const people = [...roles.map(({ name }) => ({ name: nameFor(name), role: name })), { name: nameFor('nobody') }];
  return {
    ...usualGuild,
    roles,
    channels: [...ops, ...others],
    people: people.map((person, at) => ({ id: String(BigInt(usualGuild.people[0].id) + BigInt(at + 100)), ...person })),
  };
}

export type UsualGuild = typeof usualGuild;

/** The names a plan gives to its people, roles or channels. */
export type NameOf<P extends GuildPlan, K extends 'people' | 'roles' | 'channels'> = P[K][number]['name'];
