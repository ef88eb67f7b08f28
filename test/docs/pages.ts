import { commandsPage } from './commands.ts';

/** A file that is generated, whole or in part. */
export interface Page {
  path: string;
  text: string;
}

/** What `npm run docs` writes. */
export const pages = (): Page[] => [{ path: 'docs/commands.md', text: commandsPage() }];
