import { changes, type Endpoint, type EndpointName, endpoints, type Input } from './endpoints.ts';
import { buildPath } from './url.ts';

/** A request relative to the base URL. */
export interface Request {
  method: Endpoint['method'];
  path: string;
  /** JSON text; null for none. */
  body: string | null;
  change: boolean;
  /** sync=true waits for the hypervisor. */
  sync: boolean;
}

/**
 * Builds the request for an input. Throws a TypeError that names the parameter if the input does not match its schema.
 */
export function buildRequest<E extends EndpointName>(endpoint: E, input: Input<E>): Request {
  const row: Endpoint = endpoints[endpoint];
  const parsed = row.input.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
    throw new TypeError(`${endpoint}: ${problems.join('; ')}`);
  }
  const query = new URLSearchParams();
  for (const name of row.query) {
    const value = parsed.data[name];
    if (value !== undefined) query.set(name, String(value));
  }
  const body = Object.entries(parsed.data).filter(
    ([name]) => !row.query.includes(name) && !row.path.includes(`{${name}}`),
  );
  return {
    method: row.method,
    path: buildPath(row.path, parsed.data) + (query.size > 0 ? `?${query}` : ''),
    body: body.length > 0 ? JSON.stringify(Object.fromEntries(body)) : null,
    change: changes(endpoint, input),
    sync: parsed.data['sync'] === true,
  };
}
