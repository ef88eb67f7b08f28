import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StateFile } from './file.ts';
import { SandboxUnreadable } from './unreadable.ts';

/** Where the state of the sandbox's Discord and panel is stored, beside the bot's ledger. */
export const sandboxFolder = (dataDir: string): string => join(dataDir, 'sandbox');

/**
 * A file in that folder, which exists and is locked. Throws SandboxUnreadable if it is missing and the ledger has
 * entries: the bot would take the empty channel for a deleted trail, and an old job for a new one with the same id.
 */
export function stateFileIn(
  dataDir: string,
  name: 'discord.jsonl' | 'panel.json',
  onTrouble: StateFile['onTrouble'],
): StateFile {
  const path = join(sandboxFolder(dataDir), name);
  const isLedger = (file: string): boolean => /^ledger.*\.jsonl$/.test(file) && statSync(join(dataDir, file)).size > 0;
  if (!existsSync(path) && readdirSync(dataDir).some(isLedger)) {
    throw new SandboxUnreadable(path, 'it is missing, and the ledger is not');
  }
  return { path, onTrouble };
}
