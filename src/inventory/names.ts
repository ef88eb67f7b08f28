import { addressIn } from '../policy/inventory.ts';
import { isServerName, type ListedServer, type ServerRow } from '../policy/server.ts';
import { type Steps, strides } from '../walk.ts';
import type { ServerList } from './list.ts';

/**
 * The servers of the panel as the policy counts them. A name is typeable if it could stand in the policy, is no address, and no
 * other server has it; any other is only shown. So it is with addresses. `rows`: those of the policy, whose names and addresses
 * come first. `mayGrant`: whether the panel's names give rights.
 */
export function* listedOf(
  { servers }: Pick<ServerList, 'servers'>,
  rows: readonly ServerRow[],
  mayGrant: boolean,
): Steps<ListedServer[]> {
  const isAlone = yield* countingHolders(servers, rows);
  const listed: ListedServer[] = [];
  yield* strides(servers, ({ id, name, group, suspended, protected: isProtected, ips, was, gone }) => {
    const isGone = gone !== undefined;
    const isTyped = isPlain(name) && (isGone || isAlone(name));
    // All have the same keys: an engine makes many such objects much faster.
    listed.push({
      id,
      name: isTyped ? name : undefined,
      called: isTyped ? undefined : (name ?? (isGone ? undefined : '')),
      unwritten: mayGrant && !isGone ? undefined : true,
      group,
      ips: isGone ? undefined : ips?.filter(isAlone),
      suspended,
      protected: isProtected,
      gone: isGone ? true : undefined,
      was,
    });
  });
  return listed;
}

/** Whether exactly one server has this name or address. */
function* countingHolders(
  servers: ServerList['servers'],
  rows: readonly ServerRow[],
): Steps<(text: string) => boolean> {
  const holders = new Map<string, number>();
  const count = (text: string): void => {
    const key = text.toLowerCase();
    holders.set(key, (holders.get(key) ?? 0) + 1);
  };
  const written = new Set<number>();
  for (const { id, name, ips = [] } of rows) {
    if (name !== undefined) written.add(id);
    for (const text of name === undefined ? ips : [name, ...ips]) count(addressIn(text) ?? text);
  }
  yield* strides(servers, ({ id, name, gone, ips = [] }) => {
    if (gone === undefined && name !== undefined && !written.has(id)) count(name);
    if (gone === undefined) for (const ip of ips) count(ip);
  });
  return (text) => holders.get(text.toLowerCase()) === 1;
}

/** Whether it could stand in the policy, and looks like no number, range or address: it has a letter, and no colon. */
const isPlain = (name: string | undefined): name is string =>
  name !== undefined && isServerName(name) && /[a-z]/i.test(name);
