/** Characters that draw nothing although Unicode calls them letters or symbols: an empty Braille cell, a null note, two blank hieroglyphs. */
const drawnBlank = '\\u2800\\u{1D159}\\u{13441}\\u{13442}';

const nothing = new RegExp(`^[\\p{White_Space}\\p{C}\\p{Default_Ignorable_Code_Point}\\p{M}${drawnBlank}]*$`, 'u');

/** Whether people see nothing of a text: no required text may be so. A mark needs a letter to stand on. */
export const isBlank = (text: string): boolean => nothing.test(text);
