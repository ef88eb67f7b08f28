import { z } from 'zod';
import { isRecord } from '../json.ts';

/** The rules of a firewall as they were read. `sha256`: of all of them in their order, to compare them. */
const read = { interface: z.string(), count: z.int(), sha256: z.string() };

/** What a change is about to remove. `rules`: each as JSON with its members in order; left out if all is too large. */
export const kept = z.object({ ...read, rules: z.array(z.string()).exactOptional() });
/** The rules that were read right after a change, without themselves. */
export const readRules = z.object(read);

export type Kept = z.infer<typeof kept>;
export type ReadRules = z.infer<typeof readRules>;

export const isSameRules = (a: ReadRules, b: ReadRules): boolean =>
  a.interface === b.interface && a.sha256 === b.sha256;

/** What people look for first. The panel documents no field of a rule, so whatever else it has comes after these. */
const first = ['action', 'direction', 'protocol', 'port', 'source'];
const rankOf = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length);

/** Line breaks, control, bidi and zero-width characters, which could hide or reorder text. */
const invisible = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const visible = (text: string): string =>
  text.replace(invisible, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);

const isPlain = (text: string): boolean => /^[\w.:/*-]+$/.test(text);
const named = (name: string): string => (isPlain(name) ? name : JSON.stringify(name));
const valued = (value: unknown): string =>
  typeof value === 'string' && isPlain(value) ? value : JSON.stringify(value);

/** A line for each rule: its number in the panel's list, from 1, and all that the panel says of it. */
export const ruleLines = (rules: readonly string[]): string[] =>
  rules.map((text, at) => `${at + 1}  ${visible(fieldsOf(text))}`);

function fieldsOf(text: string): string {
  const rule: unknown = JSON.parse(text);
  if (!isRecord(rule)) return text;
  const fields = Object.entries(rule).sort(([a], [b]) => rankOf(a) - rankOf(b));
  return fields.length === 0 ? text : fields.map(([name, value]) => `${named(name)}=${valued(value)}`).join(' ');
}
