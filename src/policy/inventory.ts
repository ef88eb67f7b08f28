import type { Server } from '../outcome.ts';
import type { ListedServer, Policy } from './schema.ts';

/** The servers in the policy, searchable the way people type them. */
export interface Inventory {
  /** In the order of the file. */
  all: readonly Server[];
  /**
   * By name (case-insensitive) or id. An unlisted id of 1 or more gives a server without a name; anything else
   * undefined.
   */
  find(text: string): Server | undefined;
  /** Completions by name, id or address, at most 25, best first. Empty text: the first 25. */
  suggest(text: string, may: (server: Server) => boolean): Server[];
}

/** The most choices that Discord shows. */
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

/** 0 is an exact match; larger is less likely. */
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
