import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { type Attributes, ROOT_CONTEXT, type SpanContext, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  RandomIdGenerator,
} from '@opentelemetry/sdk-trace-node';
import type { Observe } from '../metrics/observe.ts';
import type { Log } from '../outcome.ts';
import { endOf, exportTimeout, loggedExport, resourceOf, wayTo } from './collector.ts';

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

/** Starts tracing. Registers nothing globally: only users of `observe` report. */
export function startTraces({ url, version, log }: TracesOptions): Traces {
  /** The ids for the next span, instead of random ones. */
  let nextContext: SpanContext | undefined;
  const random = new RandomIdGenerator();
  const exporter = new OTLPTraceExporter(wayTo(`${url}/v1/traces`));
  const processor = new BatchSpanProcessor(
    {
      export: loggedExport((spans, done) => exporter.export(spans, done), 'traces', log),
      shutdown: () => exporter.shutdown(),
      forceFlush: () => exporter.forceFlush(),
    },
    { exportTimeoutMillis: exportTimeout },
  );
  const provider = new NodeTracerProvider({
    resource: resourceOf(version),
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
    close: () => endOf(provider),
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
    alerted: () => undefined,
    requested: (endpoint, status, ms) =>
      addHere({
        ...{ name: `panel ${endpoint}`, kind: SpanKind.CLIENT, ms },
        attributes: { 'panelops.endpoint': endpoint, 'panelops.status': status },
      }),
    drawn: (invocationId, ms) => add({ invocationId, name: 'card', kind: SpanKind.CLIENT, ms, attributes: {} }),
  };
}

/**
 * The trace and the root span of an invocation. Both derive from its id, so that several processes, and a card that is
 * edited hours later, share one trace without passing anything on.
 */
function contextOf(invocationId: string): SpanContext {
  const digest = createHash('sha256').update(`panelops ${invocationId}`).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48), traceFlags: TraceFlags.SAMPLED };
}
