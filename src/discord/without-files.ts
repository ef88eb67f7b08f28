import { type Card, trusted } from '../card.ts';
import { isAboutFiles } from './errors.ts';

/** The card as Discord may take it after this error: without its files, which it says. Undefined: files were no reason. */
export function withoutFiles({ files = [], ...rest }: Card, error: unknown): Card | undefined {
  return files.length > 0 && isAboutFiles(error) ? { ...rest, body: [...rest.body, missing] } : undefined;
}

const missing = trusted(
  'Its file is missing, because Discord did not take it: the bot may lack **Attach Files** here, or the file is too large.',
);
