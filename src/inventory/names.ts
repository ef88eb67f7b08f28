import { addressIn } from '../policy/inventory.ts';
import { isServerName, type ListedServer, type ServerRow } from '../policy/server.ts';
import type { ServerList } from './list.ts';

/**
 * The servers of the panel as the policy counts them. A name is typeable if it could stand in the policy, is no address, and no
 * other server has it; any other is only shown. `rows`: those of the policy, whose names come first. `mayGrant`: whether the
 * panel's names give rights.
 */
export function listedOf({ servers }: ServerList, rows: readonly ServerRow[], mayGrant: boolean): ListedServer[] {
  const written = new Map(rows.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])));
  const holders = new Map<string, number>();
  const count = (name: string): void => {
    holders.set(name.toLowerCase(), (holders.get(name.toLowerCase()) ?? 0) + 1);
  };
  for (const name of written.values()) count(name);
  for (const { id, name, gone } of servers)
    if (name !== undefined && gone === undefined && !written.has(id)) count(name);
  const isPlain = (name: string | undefined): name is string =>
    name !== undefined && isServerName(name) && addressIn(name) === undefined;
  return servers.map(({ missed: _, name, gone, ...each }): ListedServer => {
    if (gone !== undefined)
      return { ...each, gone: true, unwritten: true, ...(isPlain(name) ? { name } : { called: name }) };
    if (!isPlain(name) || holders.get(name.toLowerCase()) !== 1) return { ...each, called: name ?? '' };
    return { ...each, name, ...(mayGrant ? {} : { unwritten: true }) };
  });
}
