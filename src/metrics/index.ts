import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { createObserve, type Labels } from './counts.ts';
import { createGauges, type Watched } from './gauges.ts';
import type { Observe } from './observe.ts';

export interface MetricsOptions extends Labels {
  version: string;
  now?(): number;
}

export interface Metrics {
  observe: Observe;
  read(watched: Watched): Promise<{ type: string; text: string }>;
}

/** Reads when it is asked. */
class Scrape extends MetricReader {
  protected onForceFlush(): Promise<void> {
    return Promise.resolve();
  }
  protected onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** Without timestamps, without labels from the resource or the library, and without target_info. */
const serializer = new PrometheusSerializer('', false, undefined, true, true);

/** Metrics of one process, for scrapes. Pushes have their own: each hears of every delay of the event loop. */
export function createMetrics({ version, now = Date.now, ...labels }: MetricsOptions): Metrics {
  const reader = new Scrape();
  const meter = new MeterProvider({ readers: [reader] }).getMeter('panelops', version);
  const gauges = createGauges(version, now);
  return {
    observe: createObserve(meter, labels),
    async read(watched) {
      const [read, { resourceMetrics }] = await Promise.all([gauges(watched), reader.collect()]);
      const text = serializer.serialize({
        ...resourceMetrics,
        scopeMetrics: [read, ...resourceMetrics.scopeMetrics],
      });
      return { type: 'text/plain; version=0.0.4; charset=utf-8', text };
    },
  };
}
