import type { Server } from '../outcome.ts';
import type { ListedServer, Policy } from './schema.ts';

/** The servers that the policy names, found the way people write them. */
export interface Inventory {
  /** In the file's order. */
  all: readonly Server[];
  /** By name (upper and lower case alike) or id. An unlisted id from 1 gives a server without a name; all else nothing. */
  find(text: string): Server | undefined;
  /** What the text may be the beginning of: by name, id and address, at most 25, best first. No text: the first 25. */
  suggest(text: string, may: (server: Server) => boolean): Server[];
}

/** Discord shows no more choices than this. */
const mostSuggestions = 25;

export function inventory(policy: Policy): Inventory {
  const { servers } = policy;
  return {
    all: servers,
    find(text) {
      const wanted = text.trim().toLowerCase();
      const named = servers.find((server) => server.name.toLowerCase() === wanted);
      if (named !== undefined || !/^[1-9]\d*$/.test(wanted)) return named;
      const id = Number(wanted);
      if (!Number.isSafeInteger(id)) return undefined;
      return servers.find((server) => server.id === id) ?? { id };
    },
    suggest(text, may) {
      const wanted = text.trim().toLowerCase();
      return servers
        .map((server) => ({ server, rank: rank(server, wanted) }))
        .filter((each) => each.rank < notAtAll && may(each.server))
        .sort((a, b) => a.rank - b.rank)
        .slice(0, mostSuggestions)
        .map((each) => each.server);
    },
  };
}

const notAtAll = 5;

/** 0 is exactly this server; the larger, the less likely meant. */
function rank(server: ListedServer, wanted: string): number {
  const name = server.name.toLowerCase();
  const id = String(server.id);
  const ips = (server.ips ?? []).map((ip) => ip.toLowerCase());
  if (name === wanted || id === wanted || ips.includes(wanted)) return 0;
  if (name.startsWith(wanted)) return 1;
  if (id.startsWith(wanted)) return 2;
  if (name.includes(wanted)) return 3;
  if (ips.some((ip) => ip.includes(wanted))) return 4;
  return notAtAll;
}
