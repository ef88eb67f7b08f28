import { expect, it } from 'vitest';
import type { ListState, Vitals } from '../../src/health/vitals.ts';
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

it.each<[ListState | undefined, string[]]>([
  [undefined, []],
  [{ servers: 2, at: 4_000 }, ['servers 2', 'age_seconds 6', 'refused{reason="odd"} 0', 'refused{reason="failed"} 0']],
  [
    { servers: 2, at: 4_000, refused: 'odd' },
    ['servers 2', 'age_seconds 6', 'refused{reason="odd"} 1', 'refused{reason="failed"} 0'],
  ],
  [{ servers: 0, refused: 'failed' }, ['servers 0', 'refused{reason="odd"} 0', 'refused{reason="failed"} 1']],
])('Of the list of the panel %j, the metrics say what is known', async (list, expected) => {
  const vitals = {
    ...{ role: 'leader', leads: () => true, lastCanary: () => Promise.resolve(undefined), questions: () => 0 },
    ...{ unknown: () => ({ count: 0 }), followUps: () => [], trail: () => undefined, holds: () => [] },
    ...{ lag: () => undefined, panel: () => ({ circuitOpen: false }), inventory: () => list, outbox: () => 0 },
    // The rest of a bot does not matter here.
  } as unknown as Vitals;
  const { read } = createMetrics({ version: '0', commands: [], buttons: [], now: () => 10_000 });
  const { text } = await read({ readiness: { ready: true, parts: {} }, vitals });
  const samples = [...text.matchAll(/^panelops_inventory_(.*)$/gm)].map(([, sample]) => sample);
  expect(samples).toEqual(expect.arrayContaining(expected));
  expect(samples).toHaveLength(expected.length);
});

it('What is not known any more is not said any more', async () => {
  const { read } = createMetrics({ version: '0', commands: [], buttons: [] });
  const state = async (parts: Partial<Record<'redis' | 'ledger', { ok: boolean }>>) => {
    const { text } = await read({ readiness: { ready: true, parts }, vitals: undefined });
    return [...text.matchAll(/^panelops_part_ready\{part="(\w+)"\} (.)$/gm)].map(([, part, value]) => [part, value]);
  };
  expect(await state({ redis: { ok: true }, ledger: { ok: false } })).toEqual([
    ['redis', '1'],
    ['ledger', '0'],
  ]);
  expect(await state({ redis: { ok: false } })).toEqual([['redis', '0']]);
});
