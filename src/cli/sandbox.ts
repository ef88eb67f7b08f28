import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { App } from '../app.ts';
import { type Config, realSettingsIn } from '../config.ts';
import { lockFolder } from '../ledger/lock.ts';
import type { Policy } from '../policy/schema.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { PageOptions } from '../sandbox/page/index.ts';
import type { Host } from './host.ts';
import { ignoreLostOutput } from './log.ts';
import { endOnSignals } from './signals.ts';
import { listening } from './watch.ts';

/** Starts the sides that the configuration takes from the sandbox. Loads the sandbox only then. */
export async function startSandbox(
  { discord, panel, dataDir }: Config,
  env: NodeJS.ProcessEnv,
  log: Logger,
  policy: Policy,
): Promise<Sandbox | undefined> {
  if (discord.kind === 'real' && panel.kind === 'real') return undefined;
  const sandbox = await import('../sandbox/index.ts');
  const isOwn = !policy.roles.some(({ role }) => sandbox.usualGuild.roles.some(({ id }) => id === role));
  return sandbox.startSandbox({
    ...(isOwn ? { own: { plan: sandbox.guildFor(policy.roles, policy.channels), servers: policy.servers } } : {}),
    ...sidesOf({ discord, panel, dataDir }, env),
    dataDir,
    lock: (folder) => lockFolder(folder, { onWait: (words) => log.warn({}, words) }),
    onTrouble: (problem, folder) =>
      log.warn({ problem, folder }, 'the sandbox cannot write its state; if it is killed now, it forgets it'),
  });
}

/** Throws SandboxUnreadable if the sandbox would not start in this folder. */
export async function trySandbox(config: Config, env: NodeJS.ProcessEnv): Promise<void> {
  if (config.discord.kind === 'real' && config.panel.kind === 'real') return;
  const { refuseOthersLedger } = await import('../sandbox/folder.ts');
  refuseOthersLedger(config.dataDir, sidesOf(config, env));
}

const sidesOf = (
  { discord, panel, dataDir }: Pick<Config, 'discord' | 'panel' | 'dataDir'>,
  env: NodeJS.ProcessEnv,
) => ({
  discord: discord.kind === 'sandbox',
  panel: panel.kind === 'sandbox',
  ...(discord.kind === 'real' ? { guild: discord.guild } : {}),
  // Unset, DATA_DIR is a folder in ./data here, and ./data for a real bot.
  ...(realSettingsIn(env).every((name) => name === 'POLICY_FILE') && env['DATA_DIR'] === undefined
    ? { realDir: dirname(dataDir) }
    : {}),
});

/** `panelops sandbox`: the sandbox without a bot, for one that is set up on it as on the real Discord and panel. */
export async function serveSandbox({ cwd, stdout }: Host): Promise<void> {
  ignoreLostOutput();
  const { ending } = endOnSignals();
  const { startSandbox: start } = await import('../sandbox/index.ts');
  const sandbox = await start({
    ...{ discord: true, panel: true, dataDir: join(cwd(), 'data', 'sandbox-alone') },
    lock: (folder) => lockFolder(folder, { onWait: (words) => stdout.write(`${words}\n`) }),
    onTrouble: (problem) => stdout.write(`The sandbox cannot write its state: ${problem}.\n`),
  });
  ending.push(() => sandbox.stop());
  const bot = { entries: () => [], followUps: async () => [], trail: true as const, alerts: undefined };
  const page = await listening('HTTP', undefined, (port) => sandbox.openPage({ bot, port }), usualPort);
  ending.push(() => Promise.resolve(page?.close()));
  stdout.write(`${wayToSetUp(sandbox)}\nopen ${page?.url}\n`);
  sandbox.startConsole(process.stdin, process.stdout);
}

const wayToSetUp = ({
  discord,
  panel,
}: Sandbox): string => `This is the sandbox without a bot. In another terminal, in the same
folder, type:

  export DISCORD_API_URL=${discord?.apiUrl}
  npm run setup
  npm start

What setup asks for:

  the bot's token:
    ${discord?.token}
  the panel's address:
    ${panel?.url}
  the panel's API token:
    ${panel?.token}
`;

/** The page's, unless another is taken or configured. */
const usualPort = 8137;

/** The sandbox's Discord in the browser. `app` returns the bot once it runs; `alerts`: where it takes them. */
export function openPage(
  { httpPort, redisUrl }: Config,
  sandbox: Sandbox | undefined,
  app: () => App | undefined,
  alerts: PageOptions['bot']['alerts'],
) {
  const bot = {
    entries: () => app()?.entries() ?? [],
    followUps: async () => (await app()?.followUps()) ?? [],
    trail: true as const,
    alerts,
    ...(redisUrl === undefined ? { killRedis: () => app()?.killRedis?.() } : {}),
  };
  return sandbox && listening('HTTP', httpPort, (port) => sandbox.openPage({ bot, port }), usualPort);
}
