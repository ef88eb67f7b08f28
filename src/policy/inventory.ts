import type { Server } from '../outcome.ts';
import { isTypoOf } from '../text.ts';
import { type Steps, strides } from '../walk.ts';
import { addressIn, globOf } from './pattern.ts';
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

/** Takes a match; whether the search goes on. */
type Visit = (item: number) => boolean;

/** Texts of many items as one: looking through it is one pass of the engine, and not a call for each item. */
interface Searchable {
  /** The texts of the next item. */
  add(texts: readonly string[]): void;
  /** Visits the items with a text that begins so, in order, each once. The answer: whether to go on. */
  beginningWith(part: string, visit: Visit): boolean;
  /** The same with a text that has it anywhere. */
  containing(part: string, visit: Visit): boolean;
}

/** Stands before each text, and in none. */
const border = '\n';

/** How long a block is: a text that grows by many small ones is first put together when it is searched, all at once. */
const blockLength = 65_536;

function searchable(): Searchable {
  const blocks: string[] = [];
  let parts: string[] = [];
  let [length, inParts] = [0, 0];
  let joined: string | undefined;
  /** Where the texts of each item end in all of it. */
  const ends: number[] = [];

  function whole(): string {
    joined ??= blocks.join('') + parts.join('');
    return joined;
  }

  function search(part: string, visit: Visit): boolean {
    const text = whole();
    let from = 0;
    for (let at = 0; at < ends.length; at += 1) {
      const found = text.indexOf(part, from);
      if (found === -1) return true;
      // Places only grow, so that one search walks through the ends once.
      while ((ends[at] ?? text.length) <= found) at += 1;
      if (!visit(at)) return false;
      from = ends[at] ?? text.length;
    }
    return true;
  }

  // A part with a border would be found across two texts.
  const isPart = (part: string): boolean => !part.includes(border);

  return {
    add(texts) {
      for (const text of texts) {
        parts.push(border, text);
        inParts += border.length + text.length;
      }
      ends.push(length + inParts);
      if (inParts < blockLength) return;
      blocks.push(parts.join(''));
      length += inParts;
      [parts, inParts] = [[], 0];
    },
    beginningWith: (part, visit) => !isPart(part) || search(border + part, visit),
    // The empty part is in every text.
    containing: (part, visit) => !isPart(part) || search(part === '' ? border : part, visit),
  };
}
