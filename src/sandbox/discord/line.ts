import { ClientRefusal } from './refusal.ts';

/** A typed slash command: the words of its name, and the text of its options. */
export interface TypedLine {
  words: string[];
  options: Map<string, string>;
}

const PART = /([\p{L}\p{N}_'-]+):(?:"((?:[^"\\]|\\.)*)"(?=\s|$)|(\S*))|(\S+)/gu;

/** Parses `/firewall flush server:web-1 reason:"two words"`. Inside quotes `\"` is a quotation mark. */
export function parseLine(line: string): TypedLine {
  const words: string[] = [];
  const options = new Map<string, string>();
  for (const [, name, quoted, bare, word] of line.trim().slice(1).matchAll(PART)) {
    if (name === undefined) {
      if (options.size > 0)
        throw new ClientRefusal(`${word}: put a value with spaces in quotes, as in reason:"two words".`);
      words.push(word ?? '');
    } else if (quoted === undefined && bare?.startsWith('"')) {
      throw new ClientRefusal(`${name}: the quotation mark is not closed, or text follows it.`);
    } else if (options.has(name)) {
      throw new ClientRefusal(`${name}: this option is given twice.`);
    } else {
      options.set(name, quoted?.replace(/\\(["\\])/g, '$1') ?? bare ?? '');
    }
  }
  return { words, options };
}
