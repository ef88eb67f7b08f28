import { z } from 'zod';

/** One message for every way a value can be wrong: it says what is right. */
export function says(rule: string) {
  return { error: (issue: { input?: unknown }) => (issue.input === undefined ? `Missing. ${rule}` : rule) };
}

/** A mapping with exactly these keys. `what` is the subject of the error message. */
export function row<Shape extends z.core.$ZodLooseShape>(shape: Shape, what: string) {
  const keys = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? `Unknown key. Known here: ${keys}.` : `${what}: ${keys}.`),
  });
}

/** A non-empty list. */
export function list<Item extends z.ZodType>(item: Item, rule: string) {
  return z.array(item, says(rule)).min(1, says(rule));
}
