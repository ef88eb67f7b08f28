import { AsyncLocalStorage } from 'node:async_hooks';
import type { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Attributes, ROOT_CONTEXT, type SpanContext, SpanKind, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  RandomIdGenerator,
} from '@opentelemetry/sdk-trace-node';
import type { Observe } from '../metrics/observe.ts';
import type { Log } from '../outcome.ts';
import { tunnelAgent } from '../proxy.ts';
import { contextOf } from './ids.ts';
import { withLogging } from './logged-exporter.ts';

export interface TracesOptions {
  /** The collector's base URL, without /v1/traces. */
  url: string;
  version: string;
  log: Log;
}

/** One trace for each invocation. */
export interface Traces {
  observe: Observe;
  /** Sends the remaining spans, for a few seconds at most. Never rejects. */
  close(): Promise<void>;
}

interface Span {
  invocationId: string;
  name: string;
  kind: SpanKind;
  ms: number;
  attributes: Attributes;
}

/** The timeout of an export, in ms. */
const exportTimeout = 5_000;

/** Through its proxy where the collector has one. */
function proxied(url: string): { httpAgentOptions?: () => Agent } {
  const agent = tunnelAgent(url);
  return agent === undefined ? {} : { httpAgentOptions: () => agent };
}

/** Starts tracing. Registers nothing globally: only users of `observe` report. */
export function startTraces({ url, version, log }: TracesOptions): Traces {
  /** The ids for the next span, instead of random ones. */
  let nextContext: SpanContext | undefined;
  const random = new RandomIdGenerator();
  const processor = new BatchSpanProcessor(
    withLogging(new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: exportTimeout, ...proxied(url) }), log),
    { exportTimeoutMillis: exportTimeout },
  );
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'panelops', 'service.version': version }))
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new AlwaysOnSampler(),
    idGenerator: {
      generateTraceId: () => nextContext?.traceId ?? random.generateTraceId(),
      generateSpanId: () => nextContext?.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('panelops', version);

  /** Adds a span that has already ended, because reports come with their duration. */
  function add({ invocationId, name, kind, ms, attributes }: Span, isRoot = false): void {
    const context = contextOf(invocationId);
    const end = Date.now();
    const options = { kind, startTime: end - ms, attributes: { 'panelops.invocation': invocationId, ...attributes } };
    nextContext = isRoot ? context : undefined;
    const above = isRoot ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, context);
    tracer.startSpan(name, options, above).end(end);
    nextContext = undefined;
  }
  return {
    observe: observeWith(add),
    async close() {
      // The exporter logs why it fails.
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, delay(exportTimeout, undefined, { ref: false })]);
    },
  };
}

function observeWith(add: (span: Span, isRoot?: boolean) => void): Observe {
  const current = new AsyncLocalStorage<string>();
  /** Adds a span, unless it belongs to no invocation. */
  const addHere = (span: Omit<Span, 'invocationId'>): void => {
    const invocationId = current.getStore();
    if (invocationId !== undefined) add({ invocationId, ...span });
  };
  return {
    within: (invocationId, work) => current.run(invocationId, work),
    acknowledged: (interaction, name, ms) =>
      addHere({
        ...{ name: 'acknowledge', kind: SpanKind.CLIENT, ms },
        attributes: interaction === 'command' ? { 'panelops.command': name } : { 'panelops.button': name },
      }),
    finished({ invocationId, command, outcome, by }, ms) {
      const isRoot = by === 'typed';
      const attributes = { 'panelops.command': command, 'panelops.outcome': outcome };
      add({ invocationId, name: isRoot ? command : 'confirm', kind: SpanKind.SERVER, ms, attributes }, isRoot);
    },
    ended: () => undefined,
    requested: (endpoint, status, ms) =>
      addHere({
        ...{ name: `panel ${endpoint}`, kind: SpanKind.CLIENT, ms },
        attributes: { 'panelops.endpoint': endpoint, 'panelops.status': status },
      }),
    drawn: (invocationId, ms) => add({ invocationId, name: 'card', kind: SpanKind.CLIENT, ms, attributes: {} }),
  };
}
