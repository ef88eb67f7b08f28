import { addressIn } from '../policy/inventory.ts';
import { isServerName, type ListedServer, type ServerRow } from '../policy/server.ts';
import type { ServerList } from './list.ts';

/**
 * The servers of the panel as the policy counts them. A name is typeable if it could stand in the policy, is no address, and no
 * other server has it; any other is only shown. So it is with addresses. `rows`: those of the policy, whose names and addresses
 * come first. `mayGrant`: whether the panel's names give rights.
 */
export function listedOf({ servers }: ServerList, rows: readonly ServerRow[], mayGrant: boolean): ListedServer[] {
  const written = new Map(rows.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])));
  /** How many servers have this name or address. */
  const holders = new Map<string, number>();
  const count = (text: string): void => {
    holders.set(text.toLowerCase(), (holders.get(text.toLowerCase()) ?? 0) + 1);
  };
  const isAlone = (text: string): boolean => holders.get(text.toLowerCase()) === 1;
  for (const name of written.values()) count(addressIn(name) ?? name);
  for (const { ips = [] } of rows) for (const ip of ips) count(addressIn(ip) ?? ip);
  for (const { id, name, gone, ips = [] } of servers) {
    if (gone !== undefined) continue;
    if (name !== undefined && !written.has(id)) count(name);
    for (const ip of ips) count(ip);
  }
  const isPlain = (name: string | undefined): name is string =>
    name !== undefined && isServerName(name) && addressIn(name) === undefined;
  return servers.map(({ missed: _, name, gone, ips, ...each }): ListedServer => {
    if (gone !== undefined)
      return { ...each, gone: true, unwritten: true, ...(isPlain(name) ? { name } : { called: name }) };
    const own = ips === undefined ? each : { ...each, ips: ips.filter(isAlone) };
    if (!isPlain(name) || !isAlone(name)) return { ...own, called: name ?? '' };
    return { ...own, name, ...(mayGrant ? {} : { unwritten: true }) };
  });
}
