import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Log } from '../outcome.ts';

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** Failures to which the exporter gives no code, by its own words for them. */
const withoutCode: Readonly<Record<string, string>> = {
  'Export failed with retryable status': 'The collector is busy: it answers 429, 502, 503 or 504.',
  'Request timed out': 'The collector does not answer in time.',
};

/** The cause in words of ours: the exporter's error has the collector's text in it, which may hold anything. */
function problemOf(error: Error | undefined): string {
  const code = error !== undefined && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `The collector answers ${code}.`;
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return `The collector gives no answer: ${code}.`;
  return withoutCode[error?.message ?? ''] ?? 'The cause is not known.';
}

/**
 * The same exporter; the log has one line when it begins to fail, and one when it works again. Errors it gives on are in
 * words of ours.
 */
export function audible(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false;
  const hear = ({ code, error }: ExportResult): ExportResult => {
    const fails = code !== 0;
    const problem = problemOf(error);
    if (fails && !isFailing) log.warn({ problem }, 'traces cannot be sent');
    if (!fails && isFailing) log.info({}, 'traces are sent again');
    isFailing = fails;
    return fails ? { code, error: new Error(problem) } : { code };
  };
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        done(hear(result));
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
