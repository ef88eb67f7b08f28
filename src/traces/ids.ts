import { createHash } from 'node:crypto';
import { type SpanContext, TraceFlags } from '@opentelemetry/api';

/**
 * The trace and the root span of an invocation. Both derive from its id, so that several processes, and a card that is
 * edited hours later, share one trace without passing anything on.
 */
export function contextOf(invocationId: string): SpanContext {
  const digest = createHash('sha256').update(`panelops ${invocationId}`).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48), traceFlags: TraceFlags.SAMPLED };
}
