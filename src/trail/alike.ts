/**
 * White space, combining marks, what is no character or private; and all of the higher planes: an emoji of this year
 * was none last year.
 */
const uncertain =
  /[\s\ufffd\p{M}\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u{10000}-\u{10ffff}]+/gu;

const reduced = (text: string): string => text.normalize('NFD').replace(uncertain, '');

/**
 * Whether a message says what it was posted to say, but for what Discord may leave out of a text, and what an earlier
 * release of the bot, or of Unicode, took for a character.
 */
export const isAlike = (content: string, text: string): boolean =>
  content === text || reduced(content) === reduced(text);
