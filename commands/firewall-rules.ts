import { createHash } from 'node:crypto';
import type { Kept } from '../src/command.ts';
import type { NetworkInterface } from './options.ts';

/** In bytes, some 1,200 rules: an entry of the ledger is one line, and each is read and hashed at a start. */
const maxKept = 128 * 1024;
/** The panel documents no field of a rule. What lies deeper than this is no rule that a person could read. */
const maxDepth = 20;

/** Rules as the panel listed them. They themselves are left out where they are too large to keep. */
export function keptOf(rules: readonly unknown[], networkInterface: NetworkInterface): Kept {
  let isDeep = false;
  /** JSON with its members in order: the same rule gives the same text. */
  const textOf = (value: unknown, depth = 0): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (depth === maxDepth) {
      isDeep = true;
      return '…';
    }
    if (Array.isArray(value)) return `[${value.map((each) => textOf(each, depth + 1)).join(',')}]`;
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${textOf(member, depth + 1)}`).join(',')}}`;
  };
  const texts = rules.map((rule) => textOf(rule));
  const all = texts.join('\n');
  const isKept = !isDeep && Buffer.byteLength(all) <= maxKept;
  return {
    interface: networkInterface,
    count: rules.length,
    sha256: createHash('sha256').update(all).digest('hex'),
    ...(isKept ? { rules: texts } : {}),
  };
}
