import type { Config } from '../config.ts';
import type { StandbyVitals, Vitals } from '../health/vitals.ts';
import { both, type Observe, unobserved } from '../metrics/observe.ts';
import type { Log } from '../outcome.ts';
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
  const [health, traces] = [await openHealth(config, parts), await openTraces(config, parts.log)];
  return {
    observe: both(health?.observe ?? unobserved, traces?.observe ?? unobserved),
    url: health?.url,
    async close() {
      await Promise.all([health?.close(), traces?.close()]);
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
  return listening(
    'HTTP',
    port,
    health.openHealth({ host, port, vitals, waits: waits.current, step: waits.step, version: versionOf(), ...labels }),
  );
}

export async function openAlerts({ alerts }: Config, { alerted }: Observe, log: Log) {
  if (alerts === undefined) return undefined;
  const { startIntake } = await import('../alerts/intake.ts');
  const observe: Parameters<typeof startIntake>[0]['observe'] = (source = 'unknown', outcome) =>
    alerted(source, outcome);
  return listening('ALERTS', alerts.port, startIntake({ ...alerts, observe, log }));
}

async function openTraces({ tracesUrl: url }: Config, log: Log) {
  if (url === undefined) return undefined;
  const { startTraces } = await import('../traces/index.ts');
  return startTraces({ url, version: versionOf(), log });
}
