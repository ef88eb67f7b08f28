import { type Steps, strides } from '../walk.ts';
import type { Inventory } from './inventory.ts';
import type { ListedServer } from './server.ts';

/** What people type for several servers: `tier:staging`, `group:2`, or a glob of names such as `web-*`. */
export interface Selectors {
  /**
   * The listed servers that it stands for, in the order of the file. Undefined if the text is no selector. Of a glob that
   * more than `most` fit, the first of them.
   */
  serversOf(text: string, most?: number): readonly ListedServer[] | undefined;
  /** Selectors that begin with what is typed, or whose tier does; a typed glob is the first. */
  beginningWith(typed: string, most?: number): Iterable<Selector>;
}

export interface Selector {
  text: string;
  servers: readonly ListedServer[];
}

const kinds = /^(tier|group):\s*(.*)$/i;
const isGlob = (text: string): boolean => /[*?]/.test(text);

export function* selectors({ all, fitting }: Pick<Inventory, 'all' | 'fitting'>): Steps<Selectors> {
  const [tiers, groups, families]: [Groups, Groups, Groups] = [new Map(), new Map(), new Map()];
  yield* strides(all, (server) => {
    if (server.gone) return;
    if (server.tier !== undefined) place(tiers, `tier:${server.tier}`, server);
    if (server.group !== undefined) place(groups, `group:${server.group}`, server);
    const family = familyOf(server);
    if (family !== undefined) place(families, family, server);
  });

  function serversOf(text: string, most?: number): readonly ListedServer[] | undefined {
    const typed = text.trim().toLowerCase();
    const [, kind, name = ''] = kinds.exec(typed) ?? [];
    if (kind !== undefined) return (kind === 'tier' ? tiers : groups).get(`${kind}:${name}`)?.servers ?? [];
    return isGlob(typed) ? fitting(typed, most) : undefined;
  }

  return {
    serversOf,
    *beginningWith(text, most) {
      const typed = text.trim().toLowerCase();
      if (isGlob(typed)) yield { text: typed, servers: serversOf(typed, most) ?? [] };
      const isMeant = (key: string): boolean =>
        key.startsWith(typed) || (typed !== '' && key.startsWith(typed, key.indexOf(':') + 1));
      for (const all of [tiers, groups, families])
        for (const [key, selector] of all) if (isMeant(key) && !(isGlob(typed) && key === typed)) yield selector;
    },
  };
}

/** Names that differ in the number at their end are a family: `web-*`. */
function familyOf({ name }: ListedServer): string | undefined {
  const stem = name?.replace(/\d+$/, '');
  return stem === undefined || stem === name || stem === '' ? undefined : `${stem}*`;
}

/** By selector in lower case, in the order of the file. */
type Groups = Map<string, Selector & { servers: ListedServer[] }>;

function place(groups: Groups, text: string, server: ListedServer): void {
  const key = text.toLowerCase();
  const group = groups.get(key);
  if (group === undefined) groups.set(key, { text, servers: [server] });
  else group.servers.push(server);
}
