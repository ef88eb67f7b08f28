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
  const tiers = grouping((tier) => `tier:${tier}`);
  const groups = grouping((group) => `group:${group}`);
  const families = grouping((stem) => `${stem}*`);
  yield* strides(all, (server) => {
    if (server.gone) return;
    tiers.place(server.tier, server);
    groups.place(server.group, server);
    families.place(stemOf(server), server);
  });

  function serversOf(text: string, most?: number): readonly ListedServer[] | undefined {
    const typed = text.trim().toLowerCase();
    const [, kind, name = ''] = kinds.exec(typed) ?? [];
    if (kind !== undefined) return (kind === 'tier' ? tiers : groups).byKey.get(`${kind}:${name}`)?.servers ?? [];
    return isGlob(typed) ? fitting(typed, most) : undefined;
  }

  return {
    serversOf,
    *beginningWith(text, most) {
      const typed = text.trim().toLowerCase();
      if (isGlob(typed)) yield { text: typed, servers: serversOf(typed, most) ?? [] };
      const isMeant = (key: string): boolean =>
        key.startsWith(typed) || (typed !== '' && key.startsWith(typed, key.indexOf(':') + 1));
      for (const { byKey } of [tiers, groups, families])
        for (const [key, selector] of byKey) if (isMeant(key) && !(isGlob(typed) && key === typed)) yield selector;
    },
  };
}

/** Names that differ in the number at their end are a family: `web-*`. */
function stemOf({ name }: ListedServer): string | undefined {
  const stem = name?.replace(/\d+$/, '');
  return stem === name || stem === '' ? undefined : stem;
}

type Group = Selector & { servers: ListedServer[] };

/** Servers by what they share, as it is written and, as people type it, by its selector in lower case; in the order of the file. */
function grouping(textOf: (shared: string | number) => string) {
  const [known, byKey] = [new Map<string | number, Group>(), new Map<string, Group>()];
  return {
    byKey,
    place(shared: string | number | undefined, server: ListedServer): void {
      if (shared === undefined) return;
      let group = known.get(shared);
      if (group === undefined) {
        const text = textOf(shared);
        group = byKey.get(text.toLowerCase()) ?? { text, servers: [] };
        known.set(shared, group);
        byKey.set(text.toLowerCase(), group);
      }
      group.servers.push(server);
    },
  };
}
