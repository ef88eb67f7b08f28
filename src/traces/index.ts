import { AsyncLocalStorage } from 'node:async_hooks';
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
import { audible } from './audible.ts';
import { contextOf } from './ids.ts';

export interface TracesOptions {
  /** The collector's, without /v1/traces. */
  url: string;
  version: string;
  role: string;
  log: Log;
}

/** One trace for each invocation. */
export interface Traces {
  observe: Observe;
  /** Sends what waits, for some seconds at most. Never rejects. */
  close(): Promise<void>;
}

interface Span {
  invocationId: string;
  name: string;
  kind: SpanKind;
  ms: number;
  attributes: Attributes;
}

/** How long sending may take, in ms. */
const patience = 3_000;

/** Nothing is registered globally: whoever has `observe` reports, and nobody else. */
export function startTraces({ url, version, role, log }: TracesOptions): Traces {
  /** The ids of a span that is being made, where they are not random ones. */
  let given: SpanContext | undefined;
  const random = new RandomIdGenerator();
  const processor = new BatchSpanProcessor(
    audible(new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: patience }), log),
    { exportTimeoutMillis: patience },
  );
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'panelops', 'service.version': version, 'panelops.role': role }))
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new AlwaysOnSampler(),
    idGenerator: {
      generateTraceId: () => given?.traceId ?? random.generateTraceId(),
      generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('panelops', version);

  /** Only now that it has ended: whoever reports knows how long it took. */
  function add({ invocationId, name, kind, ms, attributes }: Span, isRoot = false): void {
    const context = contextOf(invocationId);
    const end = Date.now();
    const options = { kind, startTime: end - ms, attributes: { 'panelops.invocation': invocationId, ...attributes } };
    given = isRoot ? context : undefined;
    const above = isRoot ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, context);
    tracer.startSpan(name, options, above).end(end);
    given = undefined;
  }
  return {
    observe: observeWith(add),
    async close() {
      // The log has why it fails.
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, delay(patience, undefined, { ref: false })]);
    },
  };
}

function observeWith(add: (span: Span, isRoot?: boolean) => void): Observe {
  const current = new AsyncLocalStorage<string>();
  /** Of what belongs to no invocation, there is no span. */
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
