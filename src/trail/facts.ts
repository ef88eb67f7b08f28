import { createHash } from 'node:crypto';
import { defined } from '../defined.ts';
import type { Entry } from '../runs/entry.ts';

/** What the bot runs with: only what may be read by anybody who reads the ledger. */
export interface RunsWith {
  version?: string;
  /** The id of the audit channel. */
  audit?: string;
  panel: string;
  /** The policy's parts by name. */
  policy: object;
}

const digits = 12;

/** A short hash that does not depend on the order of a mapping's keys. */
function hashOf(value: unknown): string {
  const sorted = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
  return createHash('sha256').update(sorted).digest('hex').slice(0, digits);
}

/** As the entry `started` keeps it: names and ids as they are, of everything else a hash. */
export function factsOf({ version, audit, panel, policy }: RunsWith): Record<string, string> {
  const parts = Object.entries(policy).filter(([, part]) => part !== undefined);
  return {
    ...defined({ version, audit }),
    panel: hashOf(panel),
    ...Object.fromEntries(parts.map(([name, part]) => [`policy.${name}`, hashOf(part)])),
  };
}

/** What is not as it was at the start before, by name; nothing at the first. */
export function changedSince(entries: readonly Entry[], facts: Readonly<Record<string, string>>): string[] {
  const last = entries.findLast((entry) => entry.kind === 'started');
  if (last === undefined) return [];
  const names = new Set([...Object.keys(last.facts), ...Object.keys(facts)]);
  return [...names].filter((name) => last.facts[name] !== facts[name]).sort();
}
