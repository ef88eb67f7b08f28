import { expect, it } from 'vitest';
import { createMetrics } from '../../src/metrics/index.ts';
import { toAll } from '../../src/metrics/observe.ts';
import { startPush } from '../../src/metrics/push.ts';
import type { Log } from '../../src/outcome.ts';
import { startCollector } from '../helpers/watch/collector.ts';

const labels = { version: '1.0.0', commands: ['power.boot'], buttons: ['confirm'] };
const parts = { ...labels, vitals: () => undefined, waits: { current: () => [], step: () => undefined } };

function logInto(lines: string[]): Log {
  const write = (facts: object, message: string) => lines.push(`${message} ${JSON.stringify(facts)}`);
  return { debug: write, info: write, warn: write, error: write };
}

it('A collector is told at the end what a scrape tells, under the same names', async () => {
  const [collector, lines] = [await startCollector(), [] as string[]];
  const push = startPush({ ...parts, url: `${collector.url}/v1/metrics`, log: logInto(lines) });
  const scraped = createMetrics(labels);
  const { ended, requested, acknowledged } = toAll([push.observe, scraped.observe]);
  for (const outcome of ['accepted', 'accepted', 'unknown']) ended('power.boot', outcome);
  requested('powerBoot', '200', 2_000);
  acknowledged('click', 'confirm', 40);
  await push.close();
  const [metrics = []] = collector.pushes;
  const metric = (name: string) => metrics.find((each) => each.name === name);
  expect(metric('panelops_runs_total')?.sum?.dataPoints).toMatchObject([
    { attributes: { command: 'power.boot', outcome: 'accepted' }, asDouble: 2 },
    { attributes: { command: 'power.boot', outcome: 'unknown' }, asDouble: 1 },
  ]);
  expect(metric('panelops_acknowledge_seconds')?.histogram?.dataPoints).toMatchObject([
    {
      attributes: { interaction: 'click', name: 'confirm' },
      count: 1,
      explicitBounds: expect.arrayContaining([0.05, 5]),
    },
  ]);
  expect(metric('panelops_card_edit_seconds')?.histogram?.dataPoints).toMatchObject([{ count: 0 }]);
  expect(metric('panelops_ready')?.gauge?.dataPoints).toMatchObject([{ asDouble: 0 }]);
  expect(collector.resources).toMatchObject([
    { 'service.name': 'panelops', 'service.version': '1.0.0', 'service.instance.id': expect.any(String) },
  ]);
  const { text } = await scraped.read({ readiness: { ready: false, parts: {} }, vitals: undefined });
  const named = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  expect(metrics.map(({ name }) => name).toSorted()).toEqual(named.toSorted());
  expect(lines).toEqual([]);
});

it('A collector that takes no metrics does not hold up the end, and the log says so', async () => {
  const [collector, lines] = [await startCollector(), [] as string[]];
  const push = startPush({ ...parts, url: `${collector.url}/elsewhere`, log: logInto(lines) });
  await push.close();
  expect(lines).toEqual(['metrics cannot be sent {"problem":"The collector answers 404."}']);
});

it('At the end nothing is said of the parts of the bot, which are closed by then', async () => {
  const collector = await startCollector();
  let asked = 0;
  const vitals = () => {
    asked += 1;
    return undefined;
  };
  await startPush({ ...parts, vitals, url: `${collector.url}/v1/metrics`, log: logInto([]) }).close();
  expect(asked).toBe(0);
  expect(collector.pushes[0]?.map(({ name }) => name)).toContain('panelops_ready');
});

it('What the bot counted is pushed, too, while its state cannot be read, and the log says so', async () => {
  const [collector, lines] = [await startCollector(), [] as string[]];
  const current = () => {
    throw new Error('EIO');
  };
  const push = startPush({
    ...parts,
    waits: { ...parts.waits, current },
    url: `${collector.url}/v1/metrics`,
    log: logInto(lines),
  });
  push.observe.ended('power.boot', 'accepted');
  await push.close();
  expect(collector.pushes[0]?.map(({ name }) => name)).toContain('panelops_runs_total');
  expect(lines).toEqual(['the state of the bot cannot be read: only counts are pushed {"problem":"Error: EIO"}']);
});
