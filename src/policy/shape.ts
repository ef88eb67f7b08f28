import { z } from 'zod';
import { nearestIs } from '../nearest.ts';

/** An error in the policy or its inventory: where ("roles[1].allow[0] (line 9)"), and the rule. Never a value. */
export interface Problem {
  place: string;
  rule: string;
}

/** A broken rule, and the path of keys and indexes to it. */
export interface Finding {
  path: readonly PropertyKey[];
  rule: string;
}

/** One message for every way a value can be wrong: it says what is right. */
export function says(rule: string) {
  return { error: (issue: { input?: unknown }) => (issue.input === undefined ? `Missing. ${rule}` : rule) };
}

/** A mapping with exactly these keys. `what` is the subject of the error message. Of unknown keys, each has a line of it. */
export function row<Shape extends z.core.$ZodLooseShape>(shape: Shape, what: string) {
  const known = Object.keys(shape);
  const unknown = (key: string) => `Unknown key.${nearestIs(key, known)} Known here: ${known.join(', ')}.`;
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys.map(unknown).join('\n') : `${what}: ${known.join(', ')}.`,
  });
}

/** A non-empty list. */
export function list<Item extends z.ZodType>(item: Item, rule: string) {
  return z.array(item, says(rule)).min(1, says(rule));
}
