/** What a text says; undefined: it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object: no list, and not null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member of its own that an object has, or a list by its index. */
export function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(key) ? undefined : Reflect.get(value, key);
}

/** What a JSON pointer (RFC 6901) finds in a document; undefined if there is nothing. */
export function pointerTo(pointer: string): (document: unknown) => unknown {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return (document) => keys.reduce(memberOf, document);
}

export const resolvePointer = (document: unknown, pointer: string): unknown => pointerTo(pointer)(document);
