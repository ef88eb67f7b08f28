import { createHash } from 'node:crypto';
import { type Endpoint, serverOf } from './endpoint.ts';
import { paginate } from './paging.ts';
import { withOffset } from './periods.ts';
import type { Server } from './servers.ts';

/** As real panels list them, with a secret that a reader must leave alone. */
const simple = ({ id, name, hypervisorId, suspended = false, protected: isProtected }: Server) => ({
  id,
  uuid: createHash('sha256').update(String(id)).digest('hex').slice(0, 32),
  name,
  hypervisorId,
  suspended,
  protected: isProtected,
  settings: { encryptedPassword: 'sandbox-server-password' },
});

const dayMs = 86_400_000;

/** One a night at 2:00 UTC, for a week. */
function backupsOf({ id: serverId, backups }: Server, now: Date) {
  if (Object.keys(backups).length === 0) return [];
  const last = Math.floor((now.getTime() - 7_200_000) / dayMs) * dayMs + 7_200_000;
  return [0, 1, 2, 3, 4, 5, 6].map((ago) => {
    const at = last - ago * dayMs;
    return {
      id: Math.floor(at / dayMs),
      serverId,
      restoring: false,
      complete: true,
      created: withOffset(new Date(at)),
    };
  });
}

/** Reads that real panels have and the document lacks: all servers, and the backups of one. */
export const list: Endpoint[] = [
  {
    method: 'GET',
    url: '/backups/server/:serverId',
    answer(request, world) {
      return { status: 200, body: { data: backupsOf(serverOf(request, world), world.now()) } };
    },
  },
  {
    method: 'GET',
    url: '/servers',
    answer: ({ query }, { state, url }) => ({
      status: 200,
      body: paginate(state.servers.map(simple), query, `${url()}/servers`),
    }),
  },
];
