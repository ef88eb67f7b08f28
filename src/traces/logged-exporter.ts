import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Log } from '../outcome.ts';
import { pauses } from '../pauses.ts';

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

/**
 * Wraps an exporter: logs once when it begins to fail, and once when it works again. Replaces the text of its errors.
 * After a failure it drops spans for a growing pause.
 */
export function withLogging(exporter: SpanExporter, log: Log): SpanExporter {
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
