import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startConsole } from './console.ts';
import { type SandboxDiscord, startDiscord } from './discord/index.ts';
import { type GuildPlan, type UsualGuild, usualGuild } from './discord/plan.ts';
import { refuseOthersLedger, type Sides, sandboxFolder, stateIn } from './folder.ts';
import { type Page, type PageOptions, startPage } from './page/index.ts';
import { type PanelOptions, startPanel } from './panel/index.ts';

export { guildFor, usualGuild } from './discord/plan.ts';

/** The built page, beside this file's folder. */
const bundle = fileURLToPath(new URL('../../page', import.meta.url));

export interface SandboxOptions extends Sides {
  /** The bot's folder; the sandbox stores its state below it. */
  dataDir: string;
  /** The guild and the panel's servers of a policy of somebody's own; left out: those of the example. */
  own?: { plan: GuildPlan; servers: PanelOptions['servers'] };
  lock(folder: string): Promise<{ release(): Promise<unknown> }>;
  /** The disk refuses writes; `problem` is a clause. */
  onTrouble(problem: string, folder: string): void;
}

export interface Sandbox {
  /** What the bot needs of the sandbox's Discord, and the channel for the trail. */
  discord?: { token: string; guild: string; apiUrl: string; audit: string };
  panel?: { url: string; token: string };
  /** Where its state is. */
  folder: string;
  /** Who is in its Discord. */
  people: GuildPlan['people'];
  note: string;
  /** The sandbox's Discord in the browser; undefined with a real Discord. */
  openPage(plan: Pick<PageOptions, 'bot' | 'port'>): Promise<Page | undefined>;
  /** Executes what people would type, line by line. */
  startConsole(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): void;
  stop(): Promise<void>;
}

/** Starts the requested sides in their stored state, because the ledger refers to it. Throws SandboxUnreadable. */
export async function startSandbox({ dataDir, lock, onTrouble, own, ...sides }: SandboxOptions): Promise<Sandbox> {
  refuseOthersLedger(dataDir, sides);
  const folder = sandboxFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { release } = await lock(folder);
  const kept = (name: 'discord.jsonl' | 'panel.json') => ({
    path: stateIn(dataDir, name),
    onTrouble: (problem: string) => onTrouble(problem, folder),
  });
  const keptDiscord = sides.discord ? kept('discord.jsonl') : undefined;
  const keptPanel = sides.panel ? kept('panel.json') : undefined;
  /** So that the next start need not wait for a sign of life of this process. */
  const giveBack = async (error: unknown): Promise<never> => {
    await release();
    throw error;
  };
  // The page takes no person for granted, and each plan has the three channels.
  const guild = own && { guild: own.plan as UsualGuild };
  const discord = keptDiscord && (await startDiscord({ kept: keptDiscord, ...guild }).catch(giveBack));
  const panel = keptPanel && (await startPanel({ kept: keptPanel, servers: own?.servers }).catch(giveBack));
  return {
    ...(discord === undefined ? {} : { discord: credentialsOf(discord) }),
    ...(panel === undefined ? {} : { panel: { url: panel.url, token: panel.token } }),
    folder,
    people: (own?.plan ?? usualGuild).people,
    note: noteOf(sides),
    openPage: async (plan) => discord && startPage({ discord, panel, bundle, ...plan }),
    startConsole: (input, output) => discord && startConsole(discord, input, output),
    async stop() {
      // Open connections may delay this.
      await Promise.race([Promise.all([discord?.close(), panel?.close()]), delay(1_000)]);
      await release();
    },
  };
}

const credentialsOf = ({ token, apiUrl, guildId, channels }: SandboxDiscord) => ({
  ...{ token, apiUrl, guild: guildId },
  audit: channels.audit,
});

function noteOf({ discord, panel }: Pick<SandboxOptions, 'discord' | 'panel'>): string {
  if (discord && panel) return 'sandbox: nothing here is real';
  return discord ? 'sandbox Discord, real panel' : 'sandbox panel: nothing real is touched';
}
