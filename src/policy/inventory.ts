import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isTypoOf } from '../nearest.ts';
import type { Server } from '../outcome.ts';
import { type Steps, strides } from '../walk.ts';
import { globOf } from './pattern.ts';
import { type Searchable, searchable } from './searchable.ts';
import type { ListedServer } from './server.ts';

/** The servers in the policy, searchable the way people type them. Prepared once: a look-up reads no other server. */
export interface Inventory {
  /** In the order of the file. */
  all: readonly ListedServer[];
  byId(id: number): ListedServer | undefined;
  /**
   * By name (case-insensitive), id, both as "web-1 (101)", or address in any spelling. An unlisted id of 1 or more gives a
   * server without a name; anything else undefined, also a name with the id of another server.
   */
  find(text: string): Server | undefined;
  /** Completions by name, id or address, at most 25, best first. `may` is asked only of those that fit. */
  suggest(text: string, may: (server: ListedServer) => boolean): Server[];
  /** Those with a name that fits the glob, in the order of the file; it ends once they are more than `most`. */
  fitting(glob: string, most?: number): ListedServer[];
  /** Those that the panel calls so although that cannot be typed, then those that a mistyped name may have meant: at most three. */
  near(text: string, may: (server: ListedServer) => boolean): Server[];
}

const mostNear = 3;

/** The most choices that Discord shows. */
const mostSuggestions = 25;

/** `isStrict`: a server that is not listed is held to every tier. */
export function* inventory(servers: readonly ListedServer[], isStrict = false): Steps<Inventory> {
  const ids = new Map<number, number>();
  const [names, addresses] = [new Map<string, number>(), new Map<string, number>()];
  const [nameText, idText, addressText] = [searchable(), searchable(), searchable()];
  let count = 0;
  yield* strides(servers, ({ id, name, gone, ips }) => {
    const place = count;
    count += 1;
    ids.set(id, place);
    idText.add(gone ? none : [String(id)]);
    const typed = name === undefined || gone ? none : [name.toLowerCase()];
    for (const each of typed) names.set(each, place);
    nameText.add(typed);
    const own = ips === undefined ? none : ips.flatMap((ip) => addressIn(ip) ?? []);
    for (const each of own) addresses.set(each, place);
    addressText.add(own);
  });

  const at = (place: number | undefined): ListedServer | undefined =>
    place === undefined ? undefined : servers[place];
  /** By name and id together. */
  function both(wanted: string): ListedServer | undefined {
    const [, name = '', id] = /^(\S+) \((\d+)\)$/.exec(wanted) ?? [];
    const server = at(names.get(name));
    return server?.id === Number(id) ? server : undefined;
  }

  /** Places of those that are exactly meant, in the order of the file. */
  function exactly(wanted: string): number[] {
    const [named, known] = [names.get(wanted), ids.get(idIn(wanted) ?? 0)];
    return [named ?? [], known ?? [], addresses.get(wanted) ?? []].flat().sort((a, b) => a - b);
  }

  return {
    all: servers,
    byId: (id) => at(ids.get(id)),
    find(text) {
      const wanted = text.trim().toLowerCase();
      const named = at(names.get(wanted)) ?? both(wanted);
      if (named !== undefined) return named;
      const address = addressIn(wanted);
      if (address !== undefined) return at(addresses.get(address));
      const id = idIn(wanted);
      return id === undefined || !Number.isSafeInteger(id) ? undefined : (at(ids.get(id)) ?? unlisted(id, isStrict));
    },
    suggest(text, may) {
      const typed = text.trim().toLowerCase();
      const wanted = addressIn(typed) ?? both(typed)?.name?.toLowerCase() ?? typed;
      const found: Server[] = [];
      const seen = new Uint8Array(servers.length);
      /** Whether there is room for more. */
      const take = (place: number): boolean => {
        const server = servers[place];
        if (server === undefined || seen[place] === 1) return true;
        seen[place] = 1;
        if (may(server)) found.push(server);
        return found.length < mostSuggestions;
      };
      // Until one of them has no room left.
      void (
        exactly(wanted).every(take) &&
        nameText.beginningWith(wanted, take) &&
        idText.beginningWith(wanted, take) &&
        nameText.containing(wanted, take) &&
        addressText.containing(wanted, take)
      );
      return found;
    },
    fitting: fittingIn(servers, nameText),
    near: nearIn(servers, names),
  };
}

const nearIn =
  (servers: readonly ListedServer[], names: ReadonlyMap<string, number>): Inventory['near'] =>
  (text, may) => {
    const typed = text.trim().toLowerCase();
    const called = servers.filter((each) => !each.gone && each.called?.toLowerCase() === typed && may(each));
    const found: Server[] = called.slice(0, mostNear);
    for (const [name, place] of names) {
      if (found.length === mostNear) break;
      const server = isTypoOf(typed, name) ? servers[place] : undefined;
      if (server !== undefined && may(server)) found.push(server);
    }
    return found;
  };

/** Only names that have the longest piece of the glob are compared with all of it. */
const fittingIn =
  (servers: readonly ListedServer[], names: Searchable): Inventory['fitting'] =>
  (glob, most = Number.POSITIVE_INFINITY) => {
    const fits = globOf(glob);
    const found: ListedServer[] = [];
    names.containing(longestPiece(glob.toLowerCase()), (place) => {
      const server = servers[place];
      if (server?.name !== undefined && fits(server.name)) found.push(server);
      return found.length <= most;
    });
    return found;
  };

const none: readonly string[] = [];

const longestPiece = (glob: string): string =>
  glob.split(/[*?]+/).reduce((longest, piece) => (piece.length > longest.length ? piece : longest));

const idIn = (text: string): number | undefined => (/^[1-9]\d*$/.test(text) ? Number(text) : undefined);

const unlisted = (id: number, isStrict: boolean): Server => (isStrict ? { id, heldTo: 'every' } : { id });

/** A whole address in its one spelling: IPv4-mapped IPv6 is IPv4. Undefined for anything else. */
export function addressIn(text: string): string | undefined {
  const plain = /^\[.+\]$/.test(text) ? text.slice(1, -1) : text;
  const version = isIP(plain);
  // IPv4 has one spelling. ipaddr.js takes more than addresses, such as 0x7f.1 and a zone.
  if (version === 4) return plain;
  return version === 0 || plain.includes('%') ? undefined : ipaddr.process(plain).toString();
}
