import { z } from 'zod';

/** One rule for every way a value can be wrong, so that the message says what is right. */
export function says(rule: string) {
  return { error: (issue: { input?: unknown }) => (issue.input === undefined ? `Missing. ${rule}` : rule) };
}

/** A mapping with these keys and no other. `what` begins the sentence that names them. */
export function row<Shape extends z.core.$ZodLooseShape>(shape: Shape, what: string) {
  const keys = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? `Unknown key. Known here: ${keys}.` : `${what}: ${keys}.`),
  });
}

/** A list of at least one. */
export function list<Item extends z.ZodType>(item: Item, rule: string) {
  return z.array(item, says(rule)).min(1, says(rule));
}
