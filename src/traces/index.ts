import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Attributes, ROOT_CONTEXT, type SpanContext, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  RandomIdGenerator,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import type { Observe } from '../metrics/observe.ts';
import type { Log } from '../outcome.ts';
import { tunnelAgent } from '../proxy.ts';
import { pauses } from '../waits.ts';

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

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** Error codes for failures that the exporter identifies only by its message. */
const withoutCode: Readonly<Record<string, string>> = {
  'Export failed with retryable status': 'The collector is busy: it answers 429, 502, 503 or 504.',
  'Request timed out': 'The collector does not answer in time.',
};

/** Describes the cause without the exporter's message, which may hold any text of the collector. */
function problemOf(error: Error | undefined): string {
  const code = error !== undefined && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `The collector answers ${code}.`;
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return `The collector gives no answer: ${code}.`;
  return withoutCode[error?.message ?? ''] ?? 'The cause is not known.';
}

/** In ms: spans are sent every five seconds. */
const patience = { first: 5_000, most: 300_000 };

/** Logs once when the exporter begins to fail, and once when it works again; drops spans for a growing pause. */
function withLogging(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false;
  let growing = pauses(patience);
  let pausedUntil = 0;
  const hear = ({ code, error }: ExportResult): ExportResult => {
    const fails = code !== 0;
    const problem = problemOf(error);
    if (fails && !isFailing) log.warn({ problem }, 'traces cannot be sent');
    if (!fails && isFailing) log.info({}, 'sending traces works again');
    if (!fails) growing = pauses(patience);
    pausedUntil = fails ? performance.now() + growing.next().value : 0;
    isFailing = fails;
    return fails ? { code, error: new Error(problem) } : { code };
  };
  return {
    export(spans, done) {
      if (performance.now() < pausedUntil) return done({ code: 1, error: new Error('the collector failed just now') });
      exporter.export(spans, (result) => {
        done(hear(result));
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
