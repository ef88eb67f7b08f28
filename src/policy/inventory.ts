import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Server } from '../outcome.ts';
import type { ListedServer, Policy } from './schema.ts';

/** The servers in the policy, searchable the way people type them. */
export interface Inventory {
  /** In the order of the file. */
  all: readonly Server[];
  /**
   * By name (case-insensitive), id, or address in any spelling. An unlisted id of 1 or more gives a server without a
   * name; anything else undefined, also an address of several servers: the bot does not guess.
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
      if (named !== undefined) return named;
      const address = addressIn(wanted);
      if (address !== undefined) {
        const [holder, another] = servers.filter((server) => addressesOf(server).includes(address));
        return another === undefined ? holder : undefined;
      }
      if (!/^[1-9]\d*$/.test(wanted)) return undefined;
      const id = Number(wanted);
      if (!Number.isSafeInteger(id)) return undefined;
      return servers.find((server) => server.id === id) ?? { id };
    },
    suggest(text, may) {
      const typed = text.trim().toLowerCase();
      const wanted = addressIn(typed) ?? typed;
      return servers
        .map((server) => ({ server, rank: rank(server, wanted) }))
        .filter((each) => each.rank < notAtAll && may(each.server))
        .sort((a, b) => a.rank - b.rank)
        .slice(0, mostSuggestions)
        .map((each) => each.server);
    },
  };
}

/** A whole address in its one spelling: IPv4-mapped IPv6 is IPv4. Undefined for anything else. */
function addressIn(text: string): string | undefined {
  const plain = /^\[.+\]$/.test(text) ? text.slice(1, -1) : text;
  // ipaddr.js takes more than addresses, such as 0x7f.1 and a zone.
  return isIP(plain) === 0 || plain.includes('%') ? undefined : ipaddr.process(plain).toString();
}

const addressesOf = ({ ips = [] }: ListedServer): string[] => ips.flatMap((ip) => addressIn(ip) ?? []);

const notAtAll = 5;

/** 0 is an exact match; larger is less likely. */
function rank(server: ListedServer, wanted: string): number {
  const name = server.name.toLowerCase();
  const id = String(server.id);
  const ips = addressesOf(server);
  if (name === wanted || id === wanted || ips.includes(wanted)) return 0;
  if (name.startsWith(wanted)) return 1;
  if (id.startsWith(wanted)) return 2;
  if (name.includes(wanted)) return 3;
  if (ips.some((ip) => ip.includes(wanted))) return 4;
  return notAtAll;
}
