import { count, type Markup, md, quote, trusted } from '../card.ts';
import type { Kept, ReadRules } from '../runs/kept.ts';

/** The rules that a change was about to remove. */
export const ofKept = (kept: Kept): Markup =>
  md`Right before it: ${rulesOf(kept)}${trusted(kept.rules === undefined ? ', too large to keep' : '')}.`;

/** The rules read after a change. */
export const ofReadBack = (rules: ReadRules): Markup => md`Right after it: ${rulesOf(rules)}.`;

/** "4 rules on `primary`, SHA-256 `59272dc36646…`", shortened like the hashes of entries. */
const rulesOf = ({ count: rules, interface: name, sha256 }: ReadRules): Markup =>
  md`${trusted(count(rules, 'rule'))} on ${quote(name)}, SHA-256 ${`${sha256.slice(0, 12)}…`}`;
