import { readdirSync, statSync } from 'node:fs';

/** Milliseconds; 0 where there is no such file. */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** A folder counts, too: what was removed from it leaves no other trace. */
const below = (folder) => [folder, ...readdirSync(folder, { recursive: true }).map((path) => new URL(path, folder))];

/** Whether what was built is newer than everything it was built from. */
export function isBuilt() {
  const root = new URL('..', import.meta.url);
  const sources = [
    ...['src/', 'commands/'].flatMap((name) => below(new URL(name, root))),
    ...['package-lock.json', 'tsconfig.json'].map((name) => new URL(name, root)),
  ];
  // The page is built last.
  return changedAt(new URL('dist/page/index.html', root)) > Math.max(...sources.map(changedAt));
}
