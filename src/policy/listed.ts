import { addressIn } from './inventory.ts';
import { nameRule, type WrittenServer } from './server.ts';
import { type Finding, items, memberOf, twiceIn } from './shape.ts';

/** Rules between the rows of `servers`, and between them and the inventory: `listed`, unless that is not known. */
export const aboutServers = (rows: readonly unknown[], listed: readonly WrittenServer[] | undefined): Finding[] => [
  ...(listed === undefined ? [] : aboutNames(rows, listed)),
  ...twice(rows, 'id', (id) => (typeof id === 'number' ? id : undefined)),
  ...twice(rows, 'name', (name) => (typeof name === 'string' ? name.toLowerCase() : undefined)),
  ...sharedAddresses(rows),
];

/** What each server has for itself. */
const twice = (rows: readonly unknown[], key: 'id' | 'name', same: (value: unknown) => unknown): Finding[] =>
  twiceIn(rows.map((row) => same(memberOf(row, key)))).map(({ at, first }) => ({
    path: ['servers', at, key],
    rule: `servers[${first}] has this ${key} already. Each server has its own.`,
  }));

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

/** By an address that two servers have, neither would be found. A name may be an address, too. */
function sharedAddresses(rows: readonly unknown[]): Finding[] {
  const holders = new Map<string, number>();
  return rows.flatMap((row, at) => {
    const texts = [memberOf(row, 'name'), ...items(memberOf(row, 'ips'))];
    return texts.flatMap((text, i): Finding[] => {
      const address = typeof text === 'string' ? addressIn(text) : undefined;
      if (address === undefined) return [];
      const first = holders.get(address) ?? at;
      holders.set(address, first);
      const rule = `servers[${first}] has this address already. Leave it out of one of them, or of both.`;
      return first === at ? [] : [{ path: ['servers', at, ...(i === 0 ? ['name'] : ['ips', i - 1])], rule }];
    });
  });
}
