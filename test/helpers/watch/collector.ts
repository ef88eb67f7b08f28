import { createServer } from 'node:http';
import { z } from 'zod';
import { listening } from '../tcp.ts';

const text = z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue);
const attributes = z
  .array(z.object({ key: z.string(), value: z.union([text, z.unknown()]) }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));

const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes,
});
export type SeenSpan = z.infer<typeof span>;

const points = <Value extends z.ZodRawShape>(value: Value) =>
  z.object({ dataPoints: z.array(z.object({ attributes, ...value })) });
const metric = z.object({
  name: z.string(),
  gauge: points({ asDouble: z.number() }).optional(),
  sum: points({ asDouble: z.number() })
    .extend({ isMonotonic: z.literal(true) })
    .optional(),
  histogram: points({ count: z.number(), explicitBounds: z.array(z.number()) }).optional(),
});

const resource = z.object({ attributes });
/** OTLP over HTTP in JSON, as far as tests read it. */
const body = z.object({
  resourceSpans: z.array(z.object({ resource, scopeSpans: z.array(z.object({ spans: z.array(span) })) })).default([]),
  resourceMetrics: z
    .array(z.object({ resource, scopeMetrics: z.array(z.object({ metrics: z.array(metric) })) }))
    .default([]),
});

export interface Collector {
  /** Without /v1/traces and /v1/metrics. */
  url: string;
  spans: SeenSpan[];
  /** Those of each push, in order. */
  pushes: z.infer<typeof metric>[][];
  resources: Readonly<Record<string, unknown>>[];
  /** Everything received, in order. */
  text(): string;
}

/** A receiver of OTLP over HTTP, closed with the test. */
export async function startCollector(): Promise<Collector> {
  const came: string[] = [];
  const collector: Omit<Collector, 'url'> = {
    spans: [],
    pushes: [],
    resources: [],
    text: () => came.join('\n'),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (!['/v1/traces', '/v1/metrics'].includes(request.url ?? '')) return void response.writeHead(404).end();
    const sent = Buffer.concat(chunks).toString();
    came.push(sent);
    const { resourceSpans, resourceMetrics } = body.parse(JSON.parse(sent));
    for (const { resource, scopeMetrics } of resourceMetrics) {
      collector.resources.push(resource.attributes);
      collector.pushes.push(scopeMetrics.flatMap(({ metrics }) => metrics));
    }
    for (const { resource, scopeSpans } of resourceSpans) {
      collector.resources.push(resource.attributes);
      collector.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const port = await listening(server);
  return { ...collector, url: `http://127.0.0.1:${port}` };
}
