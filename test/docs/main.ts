import { writeFileSync } from 'node:fs';
import { commandsPage } from './commands.ts';

// npm runs this in the project's root.
writeFileSync('docs/commands.md', commandsPage());
