import module from 'node:module';
import { join } from 'node:path';
import { makeFolders } from '../ledger/try-folder.ts';

/**
 * Keeps what is loaded from now on compiled for the next start, from Node 22.8 on. Beside the ledger, in a folder for the bot
 * alone: whoever may write there decides what the bot runs.
 */
export async function keepCompiled(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'compiled');
  // The types are those of the oldest Node.
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  if (enableCompileCache === undefined) return;
  // Without the folder, a start takes longer, and that is all.
  await makeFolders(folder).then(
    () => enableCompileCache(folder),
    () => undefined,
  );
}
