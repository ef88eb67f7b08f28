/** A text as Discord reads it: what is markup, with `▮` where code stood, and the codes. */
export interface Reading {
  outside: string;
  code: string[];
}

const escaped = /\\[^\p{L}\p{N}\s]/uy;
const block = /```(?:[\w+\-.#]+\n)?\n*([^\n][\s\S]*?)\n*```/y;
const inline = /(`+)([\s\S]*?[^`])\1(?!`)/y;

/** Reads a text from its start, code first as Discord does. A backtick that closes nothing stays in `outside`. */
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
