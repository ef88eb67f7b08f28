import type { Config } from '../config.ts';
import type { Watching } from '../health/vitals.ts';
import { type Observe, toAll } from '../metrics/observe.ts';
import type { Log } from '../outcome.ts';
import type { Policy } from '../policy/schema.ts';
import { exitCodes, fail, versionOf } from './host.ts';

interface Watch {
  observe: Observe;
  url?: string;
  close(): Promise<void>;
}

interface WatchParts extends Omit<Watching, 'version'> {
  log: Log;
}

export async function openWatch(config: Config, parts: WatchParts): Promise<Watch> {
  const health = await openHealth(config, parts);
  const [traces, push] = await Promise.all([openTraces(config, parts.log), openPush(config, parts)]);
  return {
    observe: toAll([health, traces, push].flatMap((each) => each?.observe ?? [])),
    url: health?.url,
    async close() {
      await Promise.all([health?.close(), traces?.close(), push?.close()]);
    },
  };
}

/** With the sandbox's Discord, the port belongs to its page. */
async function openHealth(
  { discord, httpPort: port, httpHost: host = '127.0.0.1' }: Config,
  { vitals, waits }: WatchParts,
) {
  if (discord.kind === 'sandbox' || port === undefined) return undefined;
  const [health, { labels }] = await Promise.all([import('../health/index.ts'), import('../app/vitals.ts')]);
  return listening('HTTP', port, (at) =>
    health.openHealth({ host, port: at, vitals, waits, version: versionOf(), ...labels }),
  );
}

/** Of the sandbox, which takes alerts unasked; on any port where the usual one is taken. */
const sandboxed = { port: undefined, host: '127.0.0.1', tokens: [{ name: 'sandbox', token: 'sandbox' }] };
const usualPort = 9099;

/** Where alerts come in. `as`: a source that may send them. */
export async function openAlerts({ alerts, discord }: Config, policy: Policy, { alerted }: Observe, log: Log) {
  const given = alerts ?? (discord.kind === 'sandbox' && policy.alerts !== undefined ? sandboxed : undefined);
  if (given === undefined) return undefined;
  const { startIntake } = await import('../alerts/intake.ts');
  const observe: Parameters<typeof startIntake>[0]['observe'] = (source = 'unknown', outcome) =>
    alerted(source, outcome);
  const intake = await listening(
    'ALERTS',
    given.port,
    (port) => startIntake({ ...given, port, observe, log }),
    usualPort,
  );
  return { ...intake, as: given.tokens[0] };
}

async function openTraces({ tracesUrl: url }: Config, log: Log) {
  if (url === undefined) return undefined;
  const { startTraces } = await import('../traces/index.ts');
  return startTraces({ url, version: versionOf(), log });
}

async function openPush({ metricsUrl: url }: Config, parts: WatchParts) {
  if (url === undefined) return undefined;
  const [{ startPush }, { labels }] = await Promise.all([import('../metrics/push.ts'), import('../app/vitals.ts')]);
  return startPush({ ...parts, ...labels, url, version: versionOf() });
}

type Of = 'HTTP' | 'ALERTS';

const noAddress = (of: Of) => `${of}_HOST: this machine has no such address. Set one that it has, or leave it out.`;

const problems: Readonly<Record<string, (of: Of, port: number) => string>> = {
  EACCES: (of, port) =>
    `${of}_PORT: port ${port} must not be used by this user. Set another, or 0 for any that is free.`,
  EADDRINUSE: (of, port) =>
    `${of}_PORT: port ${port} is taken, by another panelops or another program. Stop that one, set another port, or 0 for any that is free.`,
  EADDRNOTAVAIL: noAddress,
  // fe80::1 without a zone, or with one that is not there.
  EINVAL: noAddress,
};

/**
 * Resolves to what listens on that port; left out, on the usual one, or if that is taken on any. Exits with 78 if the port
 * cannot be used.
 */
export async function listening<T>(
  of: Of,
  port: number | undefined,
  open: (port: number) => Promise<T>,
  usual = 0,
): Promise<T> {
  try {
    return await open(port ?? usual);
  } catch (error) {
    const { code = '', syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
    // Files and other sockets have such errors too.
    const problem = syscall === 'listen' ? problems[code] : undefined;
    if (problem === undefined) throw error;
    return port === undefined ? open(0) : fail(problem(of, port), exitCodes.configuration);
  }
}
