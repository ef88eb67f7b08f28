import { writeFileSync } from 'node:fs';
import { pages } from './pages.ts';

// npm runs this in the project's root.
for (const { path, text } of pages()) writeFileSync(path, text);
