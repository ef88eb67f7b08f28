import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import type { Log } from '../outcome.ts';
import { tunnelAgent } from '../proxy.ts';
import { pauses } from '../waits.ts';

/** The timeout of an export, in ms. */
export const exportTimeout = 5_000;

/** How an exporter reaches the collector: through its proxy where it has one. */
export function wayTo(url: string): { url: string; timeoutMillis: number; httpAgentOptions?: () => Agent } {
  const agent = tunnelAgent(url);
  return {
    ...{ url, timeoutMillis: exportTimeout },
    ...(agent === undefined ? {} : { httpAgentOptions: () => agent }),
  };
}

/** Of this process: several may push to one collector. */
const instance = randomUUID();

/** Whose traces and metrics these are. */
export const resourceOf = (version: string): Resource =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        ...{ 'service.name': 'panelops', 'service.version': version },
        'service.instance.id': instance,
      }),
    )
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
    .merge(detectResources({ detectors: [envDetector] }));

/** Sends what is left, for a few seconds at most. Never rejects: the exporter logs why it fails. */
export async function endOf(provider: { shutdown(): Promise<void> }): Promise<void> {
  const sent = provider.shutdown().catch(() => undefined);
  await Promise.race([sent, delay(exportTimeout, undefined, { ref: false })]);
}

/** Of an exporter. */
interface ExportResult {
  code: number;
  error?: Error;
}
type Export<Sent> = (sent: Sent, done: (result: ExportResult) => void) => void;

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

/** In ms, after an export that failed. */
const patience = { first: 5_000, most: 300_000 };

/**
 * Logs once when `send` begins to fail, and once when it works again. Traces that come in a growing pause after that are
 * dropped; metrics come seldom, and the next ones have what these had.
 */
export function loggedExport<Sent>(send: Export<Sent>, what: 'traces' | 'metrics', log: Log): Export<Sent> {
  let isFailing = false;
  let growing = pauses(patience);
  let pausedUntil = 0;
  const hear = ({ code, error }: ExportResult): ExportResult => {
    const fails = code !== 0;
    const problem = problemOf(error);
    if (fails && !isFailing) log.warn({ problem }, `${what} cannot be sent`);
    if (!fails && isFailing) log.info({}, `sending ${what} works again`);
    if (!fails) growing = pauses(patience);
    pausedUntil = fails && what === 'traces' ? performance.now() + growing.next().value : 0;
    isFailing = fails;
    return fails ? { code, error: new Error(problem) } : { code };
  };
  return (sent, done) => {
    if (performance.now() < pausedUntil) return done({ code: 1, error: new Error('the collector failed just now') });
    send(sent, (result) => {
      done(hear(result));
    });
  };
}
