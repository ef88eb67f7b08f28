/** What a JSON pointer (RFC 6901) finds in a document; undefined if there is nothing. */
export function pointerTo(pointer: string): (document: unknown) => unknown {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return (document) => keys.reduce(memberOf, document);
}

export const resolvePointer = (document: unknown, pointer: string): unknown => pointerTo(pointer)(document);

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(key) ? undefined : Reflect.get(value, key);
}
