import { isIP } from 'node:net';
import { z } from 'zod';
import { memberOf } from '../json.ts';
import type { Server } from '../outcome.ts';
import { type Steps, strides } from '../walk.ts';
import { addressIn, namesAny } from './pattern.ts';
import { type Finding, items, label, list, row, says, text, twiceIn, whole } from './shape.ts';
import type { InventorySource } from './source.ts';

/** A server listed in the policy, or in its inventory. */
export interface ListedServer extends Server {
  /** What it was when somebody last accepted that: its tier of then still holds it. */
  was?: Pick<Server, 'name' | 'group'>;
}
/** One that people wrote has a name. */
export type WrittenServer = ListedServer & { name: string };

/** Whether a server may have this name. One like 101 or 100-199 would be read as an id or a range. */
export const isServerName = (text: string): boolean =>
  /^[a-z0-9][a-z0-9.-]{0,62}$/i.test(text) && !/^\d+(-\d+)?$/.test(text);

/** Names, globs, ids and ranges. */
export function reach(leftOut: string) {
  const rule = `A list of server names, globs, ids or id ranges such as 100-199. ${leftOut}`;
  return list(z.union([z.string(), z.number()], says(rule)), rule);
}

const serverId = "The server's id in the panel: a whole number from 1.";
export const nameRule =
  'A name of 1 to 63 letters, digits, dots and dashes, beginning with a letter or digit, and not only digits or an id range.';
const tierLabel =
  'A tier: 1 to 32 letters, digits, spaces, dots, dashes and underscores, beginning with a letter or digit.';
const ipsRule = 'A list of IPv4 or IPv6 addresses without prefix length or zone (%eth0).';
const groupRule = "The id of the server's hypervisor group: a whole number from 1.";

const tier = text(tierLabel, label);

/** A server as people write it, which may be about one of the inventory. Any other needs a name: see `aboutNames`. */
export const server = row(
  {
    id: whole(serverId),
    name: z.string(says(nameRule)).refine(isServerName, says(nameRule)).exactOptional(),
    tier: tier.exactOptional(),
    ips: list(
      z.string(says(ipsRule)).refine((text) => isIP(text) !== 0 && !text.includes('%'), says(ipsRule)),
      ipsRule,
    ).exactOptional(),
    group: whole(groupRule).exactOptional(),
  },
  'A server is a mapping of',
);

export type ServerRow = z.output<typeof server>;

/** The servers that fit all of it have this tier. */
export const tierRule = row(
  {
    /** Names, globs, ids and id ranges, as written. */
    match: reach('Leave it out where `group` says it.').exactOptional(),
    group: whole(groupRule).exactOptional(),
    tier,
  },
  'A rule of tiers is a mapping of',
).refine((rule) => rule.match !== undefined || rule.group !== undefined, {
  error: 'This rule fits every server. Add match or group.',
});

export type TierRule = z.output<typeof tierRule>;

/** The rows over the inventory, each in the place of its server; then those that the inventory does not have. */
export function* merged(listed: readonly ListedServer[], rows: readonly ServerRow[]): Generator<ListedServer> {
  const left = new Map(rows.map((each) => [each.id, each]));
  for (const each of listed) {
    const written = left.get(each.id);
    left.delete(each.id);
    yield written === undefined ? each : over(each, written);
  }
  for (const each of left.values()) if (each.name !== undefined) yield { ...each };
}

function over(each: ListedServer, written: ServerRow): ListedServer {
  const name = written.name === undefined ? {} : { called: undefined, unwritten: undefined, gone: undefined };
  return { ...each, ...written, ...name, ips: [...(each.ips ?? []), ...(written.ips ?? [])] };
}

/** Gives a server the tier of the first rule that fits. `isStrict`: one that has none is held to all of them. */
function tiering(rules: readonly TierRule[], isStrict: boolean): (server: ListedServer) => void {
  const fitting = rules.map(({ match, group, tier: name }) => {
    const isNamed = match === undefined ? () => true : namesAny(match);
    return { name, fits: (each: ListedServer) => isNamed(each) && (group === undefined || group === each.group) };
  });
  const tierOf = (each: ListedServer): string | undefined => fitting.find(({ fits }) => fits(each))?.name;
  return (each) => {
    if (each.tier !== undefined || !isStrict) return;
    const tier = tierOf(each);
    const before = each.was === undefined ? tier : tierOf({ ...each, name: each.was.name, group: each.was.group });
    each.tier = tier;
    if (tier === undefined || before === undefined) each.heldTo = 'every';
    else if (before !== tier) each.heldTo = [before];
  };
}

interface Listing {
  servers: readonly ServerRow[];
  inventory?: InventorySource;
  tiers: readonly TierRule[];
}

/** Whether a server without a tier is held to all of them: where rules give tiers, or something else lists servers. */
export const isStrict = ({ tiers, inventory: from }: Omit<Listing, 'servers'>): boolean =>
  tiers.length > 0 || from !== undefined;

/** The servers in force: those of the inventory, which get their tiers here, with the rows of the policy over them. */
export function* serversOf(policy: Listing, listed: readonly ListedServer[] = []): Steps<readonly ListedServer[]> {
  const withTier = tiering(policy.tiers, isStrict(policy));
  const all: ListedServer[] = [];
  yield* strides(merged(listed, policy.servers), (each) => {
    withTier(each);
    all.push(each);
  });
  return all;
}

/** Rules between the rows of `servers`, and between them and the inventory: `listed`, unless that is not known. */
export const aboutServers = (rows: readonly unknown[], listed: readonly WrittenServer[] | undefined): Finding[] => [
  ...(listed === undefined ? [] : aboutNames(rows, listed)),
  ...sharedIn(rows).map(({ what, first, path }) => ({
    path: ['servers', ...path],
    rule: `servers[${first}] has this ${what} already. ${what === 'address' ? 'Leave it out of one of them, or of both.' : 'Each server has its own.'}`,
  })),
];

/** A row that stands alone has a name; one over the inventory may take no other server's name or address. */
function aboutNames(rows: readonly unknown[], listed: readonly WrittenServer[]): Finding[] {
  if (rows.length === 0) return [];
  const ids = new Map(listed.flatMap((each) => keysOf(each.name, each.ips).map((key) => [key, each.id])));
  const known = new Set(ids.values());
  return rows.flatMap((row, at): Finding[] => {
    const [id, name] = [memberOf(row, 'id'), memberOf(row, 'name')];
    if (id !== undefined && name === undefined && !known.has(Number(id)))
      return [{ path: ['servers', at, 'name'], rule: `Missing. ${nameRule}` }];
    const taken = keysOf(name, memberOf(row, 'ips')).some((key) => (ids.get(key) ?? id) !== id);
    return taken
      ? [{ path: ['servers', at], rule: 'The inventory has another server with this name or address. Choose another.' }]
      : [];
  });
}

const keysOf = (name: unknown, ips: unknown): string[] => [
  ...(typeof name === 'string' ? [`name ${name.toLowerCase()}`] : []),
  ...[name, ...items(ips)].flatMap((text) => (typeof text === 'string' ? (addressIn(text) ?? []) : [])),
];

/** What a server has that another above it has already: each has its own id and name, and is alone found by an address. */
export function sharedIn(rows: readonly unknown[]) {
  const ids = rows.map((row) => memberOf(row, 'id')).map((id) => (typeof id === 'number' ? id : undefined));
  const names = rows.map((row) => memberOf(row, 'name'));
  const same = names.map((name) => (typeof name === 'string' ? name.toLowerCase() : undefined));
  return [
    ...twiceIn(ids).map((each) => ({ ...each, what: 'id', path: [each.at, 'id'] })),
    ...twiceIn(same).map((each) => ({ ...each, what: 'name', path: [each.at, 'name'] })),
    ...sharedAddresses(rows),
  ];
}

/** A name may be an address, too. */
function sharedAddresses(rows: readonly unknown[]) {
  const firsts = new Map<string, number>();
  return rows.flatMap((row, at) => {
    const texts = [memberOf(row, 'name'), ...items(memberOf(row, 'ips'))];
    return texts.flatMap((text, i) => {
      const address = typeof text === 'string' ? addressIn(text) : undefined;
      if (address === undefined) return [];
      const first = firsts.get(address) ?? at;
      firsts.set(address, first);
      return first === at ? [] : [{ what: 'address', at, first, path: [at, ...(i === 0 ? ['name'] : ['ips', i - 1])] }];
    });
  });
}
