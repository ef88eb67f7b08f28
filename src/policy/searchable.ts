/** Takes a match; whether the search goes on. */
type Visit = (item: number) => boolean;

/** Texts of many items as one: looking through it is one pass of the engine, and not a call for each item. */
interface Searchable {
  /** Visits the items with a text that begins so, in order, each once. The answer: whether to go on. */
  beginningWith(part: string, visit: Visit): boolean;
  /** The same with a text that has it anywhere. */
  containing(part: string, visit: Visit): boolean;
}

/** Stands before each text, and in none. */
const border = '\n';

/** The texts of each item. */
export function searchable(items: readonly (readonly string[])[]): Searchable {
  let joined = '';
  /** Where the texts of each item end in `joined`. */
  const ends = new Uint32Array(items.length);
  for (const [at, texts] of items.entries()) {
    for (const text of texts) joined += border + text;
    ends[at] = joined.length;
  }

  function search(part: string, visit: Visit): boolean {
    let from = 0;
    for (let at = 0; at < ends.length; at += 1) {
      const found = joined.indexOf(part, from);
      if (found === -1) return true;
      // Places only grow, so that one search walks through the ends once.
      while ((ends[at] ?? joined.length) <= found) at += 1;
      if (!visit(at)) return false;
      from = ends[at] ?? joined.length;
    }
    return true;
  }

  // A part with a border would be found across two texts.
  const isPart = (part: string): boolean => !part.includes(border);

  return {
    beginningWith: (part, visit) => !isPart(part) || search(border + part, visit),
    // The empty part is in every text.
    containing: (part, visit) => !isPart(part) || search(part === '' ? border : part, visit),
  };
}
