/**
 * Characters that Discord may change or drop: white space, combining marks, control and private characters, and all
 * supplementary planes, because each release of Unicode adds emoji there.
 */
const unstable = /[\s\ufffd\p{M}\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u{10000}-\u{10ffff}]+/gu;

const withoutUnstable = (text: string): string => text.normalize('NFD').replace(unstable, '');

/**
 * Whether a message still has the text that was posted. Ignores what Discord may drop, and characters that an earlier
 * release of the bot or of Unicode classified differently.
 */
export const isSameText = (content: string, text: string): boolean =>
  content === text || withoutUnstable(content) === withoutUnstable(text);
