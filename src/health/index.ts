import { createMetrics, type MetricsOptions } from '../metrics/index.ts';
import type { Observe } from '../metrics/observe.ts';
import { type Readiness, readiness } from './readiness.ts';
import { type HealthServer, startHealthServer } from './server.ts';
import type { StandbyVitals, Vitals } from './vitals.ts';

export interface HealthOptions extends MetricsOptions {
  host: string;
  port: number;
  /** The bot's vitals, once it runs. */
  vitals(): Vitals | StandbyVitals | undefined;
  /** What the bot waits for: a sentence each. */
  waits(): readonly string[];
  /** What its start is at. */
  step(): string | undefined;
}

/** Health and metrics of this process, by HTTP. */
export interface Health extends HealthServer {
  observe: Observe;
}

/** How long to cache readiness, in ms: frequent probes must not load disk and Redis. */
const fresh = 1_000;

/** Serves immediately: a starting bot is live, but not ready. */
export async function openHealth({ host, port, vitals, waits, step, ...options }: HealthOptions): Promise<Health> {
  const { now = Date.now } = options;
  const metrics = createMetrics(options);
  let asked: { at: number; answer: Promise<Readiness> } | undefined;
  const ready = (): Promise<Readiness> => {
    if (asked === undefined || performance.now() - asked.at > fresh)
      asked = { at: performance.now(), answer: readiness(vitals() ?? step(), waits(), now) };
    return asked.answer;
  };
  const server = await startHealthServer({
    host,
    port,
    readiness: ready,
    metrics: async () => metrics.read({ readiness: await ready(), vitals: vitals() }),
  });
  return { ...server, observe: metrics.observe };
}
