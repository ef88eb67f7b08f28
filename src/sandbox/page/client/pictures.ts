const avatars = new URL('./pictures/avatars.svg', import.meta.url).href;

/** The server's picture, at the left. */
export const guildPicture = new URL('./pictures/icon.svg', import.meta.url).href;

/** A person's picture by first letter, from the page's own origin. */
export function avatarOf(name: string, bot = false): string {
  const [letter = ''] = name.toLowerCase();
  return `${avatars}#${bot ? 'bot' : /[a-z]/.test(letter) ? letter : 'other'}`;
}
