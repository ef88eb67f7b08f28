/** A text as Discord parses it: `outside` with `▮` in place of code, and the code. */
export interface Reading {
  outside: string;
  code: string[];
}

const escaped = /\\[^\p{L}\p{N}\s]/uy;
const block = /```(?:[\w+\-.#]+\n)?\n*([^\n][\s\S]*?)\n*```/y;
const inline = /(`+)([\s\S]*?[^`])\1(?!`)/y;

/** Emphasis as Discord's parser (simple-markdown) finds it: it ignores code in between. */
const stress: readonly (readonly [mark: string, form: RegExp])[] = [
  ['**', /\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y],
  ['__', /__((?:\\[\s\S]|[^\\])+?)__(?!_)/y],
  ['~~', /~~([\s\S]+?)~~(?!_)/y],
  ['||', /\|\|([\s\S]+?)\|\|/y],
  ['_', /_((?:__|\\[\s\S]|[^\\_])+?)_\b/y],
];

/** Reads a text from its start, as Discord does. A backtick that closes nothing stays in `outside`. */
export function readMarkdown(text: string): Reading {
  const code: string[] = [];
  let outside = '';
  for (let at = 0; at < text.length; ) {
    const matched = (form: RegExp): RegExpExecArray | null => {
      form.lastIndex = at;
      return form.exec(text);
    };
    const literal = matched(escaped);
    const found = literal ?? matched(block) ?? matched(inline);
    const stressed = found === null ? stress.find(([, form]) => matched(form) !== null) : undefined;
    if (stressed !== undefined) {
      const [mark, form] = stressed;
      const [whole = '', inner = ''] = matched(form) ?? [];
      const reading = readMarkdown(inner);
      outside += `${mark}${reading.outside}${mark}`;
      code.push(...reading.code);
      at += whole.length;
      continue;
    }
    if (found === null) outside += text[at];
    else if (found === literal) outside += found[0];
    else {
      outside += '▮';
      code.push(found[2] ?? found[1] ?? '');
    }
    at += found?.[0].length ?? 1;
  }
  return { outside, code };
}
