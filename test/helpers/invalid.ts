/** An INVALID card that names the option alone: "`until:22`: a time …" is "`until`: a time …". */
export const withoutValue = (card: string): string => card.replace(/(│ `[\w-]+):[^`]*`: /, '$1`: ');
