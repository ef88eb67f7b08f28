import { commandsPage, commandTable } from './commands.ts';
import { replaceBetween } from './markdown.ts';

/** A file that is generated, whole or in part. */
export interface Page {
  path: string;
  text: string;
}

/** What `npm run docs` writes. `read` gives a file of the project's root. */
export const pages = (read: (path: string) => string): Page[] => [
  { path: 'docs/commands.md', text: commandsPage() },
  { path: 'README.md', text: replaceBetween(read('README.md'), 'commands', commandTable()) },
];
