/** Takes a match; whether the search goes on. */
type Visit = (item: number) => boolean;

/** Texts of many items as one: looking through it is one pass of the engine, and not a call for each item. */
export interface Searchable {
  /** The texts of the next item. */
  add(texts: readonly string[]): void;
  /** Visits the items with a text that begins so, in order, each once. The answer: whether to go on. */
  beginningWith(part: string, visit: Visit): boolean;
  /** The same with a text that has it anywhere. */
  containing(part: string, visit: Visit): boolean;
}

/** Stands before each text, and in none. */
const border = '\n';

/** How long a block is: a text that grows by many small ones is first put together when it is searched, all at once. */
const blockLength = 65_536;

export function searchable(): Searchable {
  const blocks: string[] = [];
  let parts: string[] = [];
  let [length, inParts] = [0, 0];
  let joined: string | undefined;
  /** Where the texts of each item end in all of it. */
  const ends: number[] = [];

  function whole(): string {
    joined ??= blocks.join('') + parts.join('');
    return joined;
  }

  function search(part: string, visit: Visit): boolean {
    const text = whole();
    let from = 0;
    for (let at = 0; at < ends.length; at += 1) {
      const found = text.indexOf(part, from);
      if (found === -1) return true;
      // Places only grow, so that one search walks through the ends once.
      while ((ends[at] ?? text.length) <= found) at += 1;
      if (!visit(at)) return false;
      from = ends[at] ?? text.length;
    }
    return true;
  }

  // A part with a border would be found across two texts.
  const isPart = (part: string): boolean => !part.includes(border);

  return {
    add(texts) {
      for (const text of texts) {
        parts.push(border, text);
        inParts += border.length + text.length;
      }
      ends.push(length + inParts);
      if (inParts < blockLength) return;
      blocks.push(parts.join(''));
      length += inParts;
      [parts, inParts] = [[], 0];
    },
    beginningWith: (part, visit) => !isPart(part) || search(border + part, visit),
    // The empty part is in every text.
    containing: (part, visit) => !isPart(part) || search(part === '' ? border : part, visit),
  };
}
