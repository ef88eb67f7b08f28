import { expect } from 'vitest';

declare module 'vitest' {
  interface Matchers<T> {
    /**
     * What one message shows: its first line, whole; parts of its other lines, in their order; and last, whole and all of
     * them, its rows of buttons, its threads, its files, and for whose eyes only it is. Where none is given, there is none;
     * Details, which is on each change's card, only counts where it is named.
     */
    toShow(state: string, ...more: string[]): T;
  }
}

const said = /^panelops: (.*?)(?: \(edited\))?$/;
const apart = /^(?:\[.+\]|📎 .+|↳ thread .+|\(only \w+ sees this\))$/u;

expect.extend({
  toShow(text: string, state: string, ...more: string[]) {
    const isNamed = more.some((part) => part.includes('[Details]'));
    const told = isNamed ? text : text.replace(/ *\[Details\]/g, '');
    const lines = told.split('\n').map((line) => line.trim().replace(/^│ /, ''));
    const first = lines.findIndex((line) => said.test(line));
    const below = lines.slice(first + 1);
    const body = below.filter((line) => !apart.test(line));
    const missing = more.filter((part) => {
      if (apart.test(part)) return false;
      const at = body.findIndex((line) => line.includes(part));
      body.splice(0, at + 1);
      return at < 0;
    });
    const seen = {
      state: said.exec(lines[first] ?? '')?.[1],
      missing,
      apart: below.filter((line) => apart.test(line)),
    };
    const wanted = { state, missing: [], apart: more.filter((part) => apart.test(part)) };
    return {
      pass: this.equals(seen, wanted),
      message: () => `${this.utils.diff(wanted, seen) ?? 'it shows all of that'}\n\nThe message:\n${text}`,
    };
  },
});
