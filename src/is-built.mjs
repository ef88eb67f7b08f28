// Exits 0 when what was built is newer than everything it was built from, and 1 when `npm run build` has something to do.
import { readdirSync, statSync } from 'node:fs';

const root = new URL('..', import.meta.url);
/** The page is built last. */
const last = new URL('dist/page/index.html', root);

/** Milliseconds; 0 where there is no such file. */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** A folder counts, too: what was removed from it leaves no other trace. */
const below = (name) => {
  const folder = new URL(`${name}/`, root);
  return [folder, ...readdirSync(folder, { recursive: true }).map((path) => new URL(path, folder))];
};

const sources = [
  ...['src', 'commands'].flatMap(below),
  ...['package-lock.json', 'tsconfig.json'].map((name) => new URL(name, root)),
];
process.exit(changedAt(last) > Math.max(...sources.map(changedAt)) ? 0 : 1);
