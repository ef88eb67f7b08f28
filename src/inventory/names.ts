import { addressIn } from '../policy/inventory.ts';
import { isServerName, type ListedServer, type ServerRow } from '../policy/server.ts';
import { type Steps, strides } from '../walk.ts';
import type { Listed, ServerList } from './list.ts';

interface ListedBefore extends Pick<ServerList, 'servers'> {
  listed: readonly ListedServer[];
}

/**
 * The servers of the panel as the policy counts them. A name is typeable if it could stand in the policy, is no address, and no
 * other server has it; any other is only shown. So it is with addresses. `rows`: those of the policy, whose names and addresses
 * come first. `mayGrant`: whether the panel's names give rights. `before`: what the same policy made of a list, of which the
 * servers that are as they were are used again.
 */
export function* listedOf(
  { servers }: Pick<ServerList, 'servers'>,
  rows: readonly ServerRow[],
  mayGrant: boolean,
  before: ListedBefore = { servers: [], listed: [] },
): Steps<ListedServer[]> {
  const isAlone = yield* countingHolders(servers, rows);
  const listed: ListedServer[] = [];
  const preparedOf = preparedIn(before);
  yield* strides(servers, (server) => {
    const { id, name, group, suspended, protected: isProtected, was, gone } = server;
    const isGone = gone !== undefined;
    const isTyped = isPlain(name) && (isGone || isAlone(name));
    const ips = isGone ? undefined : server.ips?.filter(isAlone);
    const same = preparedOf(server);
    if (same !== undefined && (same.name !== undefined) === isTyped && String(same.ips) === String(ips)) {
      listed.push(same);
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
      gone: isGone ? true : undefined,
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
