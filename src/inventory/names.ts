import { addressIn } from '../policy/pattern.ts';
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
  const { isHeld, isShared } = yield* holding(servers, rows);
  const isOwn = (text: string): boolean => !isShared(text);
  const listed: ListedServer[] = [];
  const preparedOf = preparedIn(before);
  yield* strides(servers, (server) => {
    const { id, name, group, suspended, protected: isProtected, was, gone } = server;
    const isGone = gone !== undefined;
    const isTyped = isPlain(name) && (isGone ? !isHeld(name) : isOwn(name));
    const ips = isGone ? undefined : server.ips?.filter(isOwn);
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

/** Whether a server, or more than one, has this name or address; those that are gone have none. */
function* holding(
  servers: ServerList['servers'],
  rows: readonly ServerRow[],
): Steps<Record<'isHeld' | 'isShared', (text: string) => boolean>> {
  const [held, shared] = [new Set<string>(), new Set<string>()];
  const hold = (text: string): void => {
    const [key, before] = [text.toLowerCase(), held.size];
    if (held.add(key).size === before) shared.add(key);
  };
  const written = new Set<number>();
  for (const { id, name, ips = [] } of rows) {
    if (name !== undefined) written.add(id);
    for (const text of name === undefined ? ips : [name, ...ips]) hold(addressIn(text) ?? text);
  }
  yield* strides(servers, ({ id, name, gone, ips = [] }) => {
    if (gone === undefined && name !== undefined && !written.has(id)) hold(name);
    if (gone === undefined) for (const ip of ips) hold(ip);
  });
  return {
    isHeld: (text) => held.has(text.toLowerCase()),
    isShared: (text) => shared.has(text.toLowerCase()),
  };
}

/** Whether it could stand in the policy, and looks like no number, range or address: it has a letter, and no colon. */
const isPlain = (name: string | undefined): name is string =>
  name !== undefined && isServerName(name) && /[a-z]/i.test(name);
