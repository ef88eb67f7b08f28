import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { usualGuild } from './discord/plan.ts';
import { SandboxUnreadable } from './unreadable.ts';

/** Where the state of the sandbox's Discord and panel is stored, beside the bot's ledger. */
export const sandboxFolder = (dataDir: string): string => join(dataDir, 'sandbox');

/** A file in that folder. */
export const stateIn = (dataDir: string, name: 'discord.jsonl' | 'panel.json'): string =>
  join(sandboxFolder(dataDir), name);

/** Which sides the sandbox provides, and the real guild if Discord is real. */
export interface Sides {
  discord: boolean;
  panel: boolean;
  guild?: string;
  /** Where the ledger of a real bot would be. With nothing set at all, its .env may just be lost. */
  realDir?: string;
}

const elsewhere =
  'For the real bot, run this with its environment, in the folder of its .env. For the sandbox, set another DATA_DIR.';

/** Throws SandboxUnreadable if the folder has another guild's ledger, or one without the state that goes with it. */
export function refuseOthersLedger(dataDir: string, sides: Sides): void {
  const { discord, panel, guild = usualGuild.id, realDir } = sides;
  for (const dir of [dataDir, ...(realDir === undefined ? [] : [realDir])]) {
    const other = ledgersIn(dir)
      .map((file) => otherGuildIn(file, guild))
      .find((each) => each !== undefined);
    if (other !== undefined)
      throw new SandboxUnreadable(
        dir,
        `this folder holds the ledger of a real guild (${other}), and the sandbox does not touch it`,
        elsewhere,
      );
  }
  const ledgers = ledgersIn(dataDir);
  const files = [...(discord ? ['discord.jsonl' as const] : []), ...(panel ? ['panel.json' as const] : [])];
  const missing = files.find((name) => !existsSync(stateIn(dataDir, name)));
  if (missing !== undefined && ledgers.some((file) => statSync(file).size > 0))
    throw new SandboxUnreadable(
      dataDir,
      `this folder holds a ledger, but not the state that the sandbox keeps beside its own (sandbox/${missing}); it may be that of a real bot, and the sandbox does not touch it`,
      elsewhere,
    );
}

const ledgersIn = (dir: string): string[] =>
  existsSync(dir)
    ? readdirSync(dir)
        .filter((name) => /^ledger.*\.jsonl$/.test(name))
        .map((name) => join(dir, name))
    : [];

const chunk = 1 << 20;
/** The longest beginning of a member `guild` that a chunk may end with. */
const overlap = 40;

/** Looks at the text alone: the ledger may be large, damaged, or of another version. */
function otherGuildIn(file: string, guild: string): string | undefined {
  const other = new RegExp(`"guild":"(?!${guild}")(\\d+)"`);
  const bytes = Buffer.alloc(chunk);
  const handle = openSync(file, 'r');
  try {
    let text = '';
    for (let size = readSync(handle, bytes); size > 0; size = readSync(handle, bytes)) {
      text = text.slice(-overlap) + bytes.toString('latin1', 0, size);
      const [, found] = other.exec(text) ?? [];
      if (found !== undefined) return found;
    }
    return undefined;
  } finally {
    closeSync(handle);
  }
}
