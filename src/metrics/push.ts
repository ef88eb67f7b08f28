import { getNumberFromEnv } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { emptyResource } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { readiness } from '../health/readiness.ts';
import type { Watching } from '../health/vitals.ts';
import type { Log } from '../outcome.ts';
import { endOf, exportTimeout, loggedExport, resourceOf, wayTo } from '../traces/collector.ts';
import { createObserve, type Labels } from './counts.ts';
import { createGauges } from './gauges.ts';
import type { Observe } from './observe.ts';

export interface PushOptions extends Labels, Watching {
  /** The collector's, with its path. */
  url: string;
  log: Log;
}

export interface Push {
  observe: Observe;
  /** Sends what the metrics are at the end, for a few seconds at most. Never rejects. */
  close(): Promise<void>;
}

/** In ms: the usual pause between two pushes, and between which it may be. */
const pause = { usual: 60_000, least: 1_000, most: 3_600_000 };

/** Sends the metrics that a scrape reads, by OTLP. */
export function startPush({ url, version, log, vitals, waits, ...labels }: PushOptions): Push {
  const exporter = new OTLPMetricExporter(wayTo(url));
  const gauges = createGauges(version, Date.now);
  const asked = getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL') ?? pause.usual;
  const interval = Math.min(Math.max(asked, pause.least), pause.most);
  /** At the end nothing is said of the parts: what was closed is not broken. */
  let isOver = false;
  const now = () => (isOver ? undefined : vitals());
  let isFailing = false;
  /** What the bot is like. Where that cannot be read, the counts go without it. */
  async function looked(): Promise<Awaited<ReturnType<typeof gauges>>[]> {
    try {
      const state = await readiness(now() ?? waits.step(), waits.current(), Date.now);
      const found = [await gauges({ readiness: state, vitals: now() })];
      isFailing = false;
      return found;
    } catch (error) {
      if (!isFailing)
        log.warn({ problem: String(error) }, 'the state of the bot cannot be read: only counts are pushed');
      isFailing = true;
      return [];
    }
  }
  const reader = new PeriodicExportingMetricReader({
    exporter: {
      export: loggedExport((metrics, done) => exporter.export(metrics, done), 'metrics', log),
      forceFlush: () => exporter.forceFlush(),
      shutdown: () => exporter.shutdown(),
      selectAggregationTemporality: (type) => exporter.selectAggregationTemporality(type),
    },
    exportIntervalMillis: interval,
    exportTimeoutMillis: Math.min(exportTimeout, interval),
    metricProducers: [
      {
        async collect() {
          const scopeMetrics = await looked();
          return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
        },
      },
    ],
  });
  const provider = new MeterProvider({ resource: resourceOf(version), readers: [reader] });
  return {
    observe: createObserve(provider.getMeter('panelops', version), labels),
    close() {
      isOver = true;
      return endOf(provider);
    },
  };
}
