/** What Discord may change or drop: spaces, marks, controls; and planes to which each Unicode release adds emoji. */
const unstable = /[\s\ufffd\p{M}\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u{10000}-\u{10ffff}]+/gu;

const withoutUnstable = (text: string): string => text.normalize('NFD').replace(unstable, '');

/** Whether a message still has the text that was posted, but for what Discord, or a new Unicode, may change. */
export const isSameText = (content: string, text: string): boolean =>
  content === text || withoutUnstable(content) === withoutUnstable(text);
