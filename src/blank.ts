/** Characters that draw nothing although Unicode calls them letters or symbols: an empty Braille cell, a null note, two blank hieroglyphs. */
const drawnBlank = '\\u2800\\u{1D159}\\u{13441}\\u{13442}';

const nothing = new RegExp(`^[\\p{White_Space}\\p{C}\\p{Default_Ignorable_Code_Point}\\p{M}${drawnBlank}]*$`, 'u');

/** Whether people see nothing of a text: no required text may be so. A mark needs a letter to stand on. */
export const isBlank = (text: string): boolean => nothing.test(text);

const unseen = new RegExp(
  `(?![ \\t\\r\\n])[\\p{White_Space}\\p{C}\\p{Default_Ignorable_Code_Point}${drawnBlank}]`,
  'gu',
);

/** Where the first character is that nobody sees or types: zero-width, a no-break space, a mark of direction. -1: nowhere. */
export const firstUnseen = (text: string): number => text.search(unseen);

/** Without these; a space of another kind becomes one. */
export const withoutUnseen = (text: string): string =>
  text.replace(unseen, (each) => (/\p{White_Space}/u.test(each) ? ' ' : ''));
