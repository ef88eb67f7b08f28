import { createHash } from 'node:crypto';
import type { Endpoint } from './endpoint.ts';
import { paginate } from './paging.ts';
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

/** A read that real panels have and the document lacks: all servers. */
export const list: Endpoint[] = [
  {
    method: 'GET',
    url: '/servers',
    answer: ({ query }, { state, url }) => ({
      status: 200,
      body: paginate(state.servers.map(simple), query, `${url()}/servers`),
    }),
  },
];
