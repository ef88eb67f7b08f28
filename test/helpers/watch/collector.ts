import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

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

/** OTLP over HTTP in JSON, as far as tests read it. */
const body = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

export interface Collector {
  /** Without /v1/traces. */
  url: string;
  spans: SeenSpan[];
  resources: Readonly<Record<string, unknown>>[];
  /** Everything received, in order. */
  text(): string;
  /** Answers with 503 from now on, or not any more. */
  refuse(isRefusing: boolean): void;
}

/** A receiver of OTLP over HTTP, closed with the test. */
export async function startCollector(): Promise<Collector> {
  const came: string[] = [];
  let isRefusing = false;
  const collector: Omit<Collector, 'url'> = {
    spans: [],
    resources: [],
    text: () => came.join('\n'),
    refuse(is) {
      isRefusing = is;
    },
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.url !== '/v1/traces' || isRefusing) return void response.writeHead(isRefusing ? 503 : 404).end();
    const sent = Buffer.concat(chunks).toString();
    came.push(sent);
    for (const { resource, scopeSpans } of body.parse(JSON.parse(sent)).resourceSpans) {
      collector.resources.push(resource.attributes);
      collector.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen on TCP');
  return { ...collector, url: `http://127.0.0.1:${address.port}` };
}
