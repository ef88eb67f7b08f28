import module from 'node:module';
import { join } from 'node:path';
import type { Reload } from '../app/reload.ts';
import type { App, Standby } from '../app.ts';
import { waysOf } from '../check/ways.ts';
import type { Config, Flags } from '../config.ts';
import { folderProblem } from '../ledger/kept-out.ts';
import { makeFolder, makeFolders, tryFolder } from '../ledger/try-folder.ts';
import type { Log } from '../outcome.ts';
import type { Policy } from '../policy/schema.ts';
import { createWaits } from '../waits.ts';
import { calendarsIn } from './calendars.ts';
import { type Configured, configure, sandboxed } from './configure.ts';
import { stopOnFault } from './fault.ts';
import { examplePolicy, exitCodes, fail, type Host, Stop, versionOf } from './host.ts';
import { ignoreLostOutput, openLog } from './log.ts';
import { openPage, startSandbox, trySandbox } from './sandbox.ts';
import { endOnSignals, onHangup } from './signals.ts';
import { openAlerts, openWatch } from './watch.ts';

type RealDiscord = Omit<Extract<Config['discord'], { kind: 'real' }>, 'kind'>;
type RealPanel = Omit<Extract<Config['panel'], { kind: 'real' }>, 'kind'>;

/** A side as configured, or the sandbox's. */
function sideOf<T>(configured: ({ kind: 'real' } & T) | { kind: 'sandbox' }, sandboxed: T | undefined): T {
  if (configured.kind === 'real') return configured;
  if (sandboxed === undefined) throw new Error('the sandbox was started without this side');
  return sandboxed;
}

const valid = 'The configuration is valid. panelops check also tries Discord, the panel and Redis.\n';
const validForSandbox = 'It would start, with the sandbox in place of what is not configured.\n';

/** Whether anything is kept in DATA_DIR. */
const usesFolder = ({ ledger, discord, panel }: Config): boolean =>
  ledger === 'file' || discord.kind === 'sandbox' || panel.kind === 'sandbox';

/** `panelops start --check`: exits with 78 if the bot would not start with this configuration. */
export async function checkConfiguration(host: Host, flags: Flags): Promise<void> {
  const { config, warnings } = configure(host, flags);
  const sandbox = sandboxed(config, host.cwd());
  for (const warning of [...sandbox, ...warnings]) host.stdout.write(`${warning}\n`);
  const unfit = usesFolder(config) ? await tryFolder(config.dataDir) : undefined;
  if (unfit !== undefined) fail(folderProblem(unfit), exitCodes.configuration);
  await trySandbox(config, host.env);
  host.stdout.write(sandbox.length > 0 ? validForSandbox : valid);
}

const stopAsRefused = (problem: string): never =>
  stopOnFault(
    new Stop(
      `Discord refused the bot: ${problem}. Check DISCORD_TOKEN, and in the developer portal the bot's intents.`,
      exitCodes.refused,
    ),
  );

/** Starts the bot; it runs until a signal or a fault ends the process. */
export async function start(host: Host, flags: Flags): Promise<void> {
  ignoreLostOutput();
  const configured = configure(host, flags);
  const { ending, stopping } = endOnSignals();
  const hangup = onHangup();
  const { config, warnings } = configured;
  const lines = openLog(config.logLevel);
  const waits = createWaits(lines);
  const { log } = waits;
  for (const warning of warnings) log.warn({}, warning);
  const ways = waysOf(config);
  if (ways !== undefined) log.info({ ways }, 'a proxy is in use');
  if (usesFolder(config)) {
    await makeFolder(config.dataDir);
    await keepCompiled(config.dataDir);
  }
  // Loaded late, so that an invalid configuration is reported at once.
  const { startApp } = await import('../app.ts');
  const sandbox = await startSandbox(config, host.env, lines, configured.policy);
  ending.push(() => Promise.resolve(sandbox?.stop()));
  const discord = sideOf<RealDiscord>(config.discord, sandbox?.discord);
  const panel = sideOf<RealPanel>(config.panel, sandbox?.panel);

  const bot: { app?: App; standby?: Standby | undefined } = {};
  // Before the bot, which would have to stop again if a port is taken.
  const watch = await openWatch(config, { vitals: () => (bot.app ?? bot.standby)?.vitals, waits, log });
  ending.push(() => watch.close());
  const alerts = await openAlerts(config, configured.policy, watch.observe, log);
  ending.push(() => Promise.resolve(alerts?.close()));
  const page = await openPage(config, sandbox, () => bot.app, alerts?.as && { url: alerts.url, ...alerts.as });
  ending.push(() => Promise.resolve(page?.close()));
  const isExample = config.policyFile === examplePolicy;
  const calendars = sandbox?.discord && calendarsIn(sandbox);
  const within = (policy: Policy): Policy => calendars?.within(policy, isExample) ?? policy;
  const app = await startApp({
    discord: { ...discord, register: config.register === 'on-start' },
    panel,
    tryPanel: config.panel.kind === 'real',
    sandboxed: config.discord.kind === 'sandbox',
    policy: within(configured.policy),
    ...(calendars === undefined ? {} : { onCall: calendars }),
    dataDir: config.dataDir,
    audit: discord.audit,
    newLedger: config.newLedger,
    ...{ redisUrl: config.redisUrl, alerts, version: versionOf(), ledger: config.ledger, stopping },
    note: sandbox?.note ?? '',
    shell: { socket: config.shellSocket },
    observe: watch.observe,
    log,
    waits,
    onRefused: stopAsRefused,
    onStandby(standby) {
      bot.standby = standby;
      hangup(standby && (() => reload(configured, standby, within, log)));
    },
    onTaken: (problem) => stopOnFault(new Stop(problem, exitCodes.fault)),
  });
  bot.app = app;
  hangup(() => reload(configured, app, within, log));
  ending.push(app.stop);
  const urls = { discord: discord.apiUrl, panel: panel.url, page: page?.url, health: watch.url, alerts: alerts?.url };
  sayReady(app, await app.ready, urls);
  if (page === undefined || config.quiet) return;
  process.stdout.write(`open ${page.url}\n`);
  sandbox?.startConsole(process.stdin, process.stdout);
}

/** Keeps what is loaded compiled for the next start, from Node 22.8 on; in a folder that only the bot may write. */
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

/** Reads the configuration again and applies what may change while the bot runs. Applies nothing if there is a problem. */
function reload(
  { reread }: Pick<Configured, 'reread'>,
  app: Reload,
  within: (policy: Policy) => Policy,
  log: Log,
): void {
  const { config, policy, warnings, restart, problems: wrong } = reread();
  if (policy === undefined || wrong.length > 0) {
    const problems = wrong.map(({ what, rule }) => `${what}: ${rule}`);
    log.error({ problems }, 'the configuration was read again and is wrong: the previous one stays in force');
    app.refuseConfiguration(problems);
    return;
  }
  for (const warning of warnings) log.warn({}, warning);
  if (restart.length > 0)
    log.warn({ variables: restart }, 'these variables changed: that needs a restart; until then the old values apply');
  const { panel } = config;
  const changed = app.reconfigure({
    policy: within(policy),
    ...(panel.kind === 'real' ? { panelToken: panel.token } : {}),
  });
  const outcome =
    changed.length === 0 ? 'nothing that can change without a restart has changed' : 'in force from now on';
  log.info({ changed }, `the configuration was read again: ${outcome}`);
}

function sayReady(
  app: App,
  state: Awaited<App['ready']>,
  { discord, panel, ...at }: Record<'discord' | 'panel' | 'page' | 'health' | 'alerts', string | undefined>,
): void {
  const ready = {
    version: versionOf(),
    discord: discord ?? 'https://discord.com/api',
    panel: { url: panel, state },
    redis: app.redis ?? 'embedded',
    ...at,
  };
  process.stdout.write(`ready ${JSON.stringify(ready)}\n`);
}
