import { addressIn } from '../policy/inventory.ts';
import { isServerName, type ListedServer, type ServerRow } from '../policy/server.ts';
import { type Steps, strides } from '../walk.ts';
import type { Listed, ServerList } from './list.ts';

interface ListedBefore extends Pick<ServerList, 'servers'> {
  listed: readonly ListedServer[];
}

/**
 * The servers of the panel as the policy counts them. A name is typeable if it could stand in the policy, is no address, and no
 * other server has it; any other is only shown, like that of a server that is gone if another has it now. So it is with
 * addresses. `rows`: those of the policy, whose names and addresses come first. `mayGrant`: whether the panel's names give
 * rights. `before`: what the same policy made of a list, of which the servers that are as they were are used again.
 */
export function* listedOf(
  { servers }: Pick<ServerList, 'servers'>,
  rows: readonly ServerRow[],
  mayGrant: boolean,
  before: ListedBefore = { servers: [], listed: [] },
): Steps<ListedServer[]> {
  const holdersOf = yield* countingHolders(servers, rows);
  const isAlone = (text: string): boolean => holdersOf(text) === 1;
  const listed: ListedServer[] = [];
  const preparedOf = preparedIn(before);
  yield* strides(servers, (server) => {
    const { id, name, group, suspended, protected: isProtected, was, gone } = server;
    const isGone = gone !== undefined;
    const isTyped = isPlain(name) && holdersOf(name) === (isGone ? 0 : 1);
    const ips = isGone ? undefined : server.ips?.filter(isAlone);
    const prepared = preparedOf(server);
    if (prepared !== undefined && (prepared.name !== undefined) === isTyped && `${prepared.ips}` === `${ips}`) {
      listed.push(prepared);
      return;
    }
    // All have the same keys: an engine makes many such objects much faster.
    listed.push({
      id,
      name: isTyped ? name : undefined,
      called: isTyped ? undefined : (name ?? (isGone ? undefined : '')),
      unwritten: mayGrant && !isGone ? undefined : true,
      tier: undefined,
      heldTo: undefined,
      group,
      ips,
      suspended,
      protected: isProtected,
      gone: isGone || undefined,
      was,
    });
  });
  return listed;
}

/** What was made of the very same server before. Asked in the order of ids. */
function preparedIn({ servers, listed }: ListedBefore): (server: Listed) => ListedServer | undefined {
  let at = 0;
  return (server) => {
    while ((servers[at]?.id ?? server.id) < server.id) at += 1;
    return servers[at] === server ? listed[at] : undefined;
  };
}

/** How many servers have this name or address; those that are gone have none. */
function* countingHolders(servers: ServerList['servers'], rows: readonly ServerRow[]): Steps<(text: string) => number> {
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
  return (text) => holders.get(text.toLowerCase()) ?? 0;
}

/** Whether it could stand in the policy, and looks like no number, range or address: it has a letter, and no colon. */
const isPlain = (name: string | undefined): name is string =>
  name !== undefined && isServerName(name) && /[a-z]/i.test(name);
