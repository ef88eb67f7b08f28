import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Whether a new file would be in or below a folder, by whatever path: `..` behind a link, a bind mount. */
export async function isInside(folder: string, file: string): Promise<boolean> {
  const outer = await stat(folder).catch(() => undefined);
  const real = await realpath(dirname(file)).catch(() => undefined);
  if (outer === undefined || real === undefined) return false;
  for (let at = real; ; at = dirname(at)) {
    const { ino, dev } = await stat(at);
    if (ino === outer.ino && dev === outer.dev) return true;
    if (at === dirname(at)) return false;
  }
}
