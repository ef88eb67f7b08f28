/** What an object has, without the members that may be undefined: those become optional. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the members that are undefined: to be spread where an optional member must be absent rather than undefined. */
export function defined<T extends object>(members: T): Defined<T> {
  // What is left of T after the filter is what Defined says; a mapped type cannot be followed through it.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}
