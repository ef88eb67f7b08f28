import type { Config } from '../config.ts';
import type { StandbyVitals, Vitals } from '../health/vitals.ts';
import { both, type Observe, unobserved } from '../metrics/observe.ts';
import type { Log } from '../outcome.ts';
import type { Policy } from '../policy/schema.ts';
import type { Waits } from '../waits.ts';
import { versionOf } from './package.ts';
import { listening } from './port.ts';

interface Watch {
  observe: Observe;
  url?: string;
  close(): Promise<void>;
}

interface WatchParts {
  /** The bot's, once it runs. */
  vitals(): Vitals | StandbyVitals | undefined;
  waits: Pick<Waits, 'current' | 'step'>;
  log: Log;
}

export async function openWatch(config: Config, parts: WatchParts): Promise<Watch> {
  const health = await openHealth(config, parts);
  const [traces, push] = await Promise.all([openTraces(config, parts.log), openPush(config, parts)]);
  const sent = both(traces?.observe ?? unobserved, push?.observe ?? unobserved);
  return {
    observe: both(health?.observe ?? unobserved, sent),
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
  const [health, { labels }] = await Promise.all([import('../health/index.ts'), import('../app/labels.ts')]);
  return listening('HTTP', port, (at) =>
    health.openHealth({
      host,
      port: at,
      vitals,
      waits: waits.current,
      step: waits.step,
      version: versionOf(),
      ...labels,
    }),
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

async function openPush({ metricsUrl: url }: Config, { vitals, waits, log }: WatchParts) {
  if (url === undefined) return undefined;
  const [{ startPush }, { labels }] = await Promise.all([import('../metrics/push.ts'), import('../app/labels.ts')]);
  return startPush({ url, vitals, waits: waits.current, step: waits.step, version: versionOf(), log, ...labels });
}
