import { expect, it } from 'vitest';
import { createMetrics } from '../../src/metrics/index.ts';

it('The panel makes few series, whatever status it answers', async () => {
  const { observe, read } = createMetrics({ version: '0', commands: [], buttons: [] });
  for (let status = 100; status < 1_000; status += 1) observe.requested('firewall', String(status), 1);
  for (const status of ['no-answer', 'not-sent']) observe.requested('firewall', status, 1);
  const { text } = await read({ readiness: { ready: true, parts: {} }, vitals: undefined });
  const named = [...text.matchAll(/^panelops_panel_requests_total\{.*status="([^"]+)"\} (\d+)$/gm)];
  expect(named.map(([, status, count]) => `${status}: ${count}`).toSorted()).toEqual([
    ...['1xx: 100', '200: 1', '201: 1', '204: 1', '2xx: 97', '3xx: 100', '401: 1', '404: 1', '409: 1', '422: 1'],
    ...['429: 1', '4xx: 95', '5xx: 100', 'no-answer: 1', 'not-sent: 1', 'other: 400'],
  ]);
});
