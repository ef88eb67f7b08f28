import { createHash } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { forThis } from '../../helpers/lives.ts';
import { asks, ended, presses, runOf, typed } from '../../helpers/messages.ts';
import { openStage, type Stage } from '../../helpers/stage.ts';
import { type SeenSpan, startCollector } from '../../helpers/watch/collector.ts';

const ownStage = (): Promise<Stage> => forThis(openStage({ panel: { powerMs: 100 } }));

/** Sends what waits twice a second. */
const often = { OTEL_BSP_SCHEDULE_DELAY: '500' };

/** By the id that card and ledger show, without asking anybody. */
const digestOf = (invocation: string): string => createHash('sha256').update(`panelops ${invocation}`).digest('hex');

const untilSpans = (spans: readonly SeenSpan[], names: readonly string[]): Promise<void> =>
  vi.waitFor(() => expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining([...names])), {
    timeout: 20_000,
    interval: 50,
  });

it('A command is one trace, from the interaction to the panel to its card, across Confirm and a restart', async () => {
  const [stage, collector] = [await ownStage(), await startCollector()];
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...often };
  const first = await stage.start(env);
  const card = await asks(stage, '/firewall flush server:web-1 reason:"nobody may read this"');
  await untilSpans(collector.spans, ['firewall.flush', 'acknowledge', 'panel firewall', 'card']);
  await first.end('SIGTERM');
  await stage.start(env);
  await presses(stage, card, 'Confirm');
  const invocation = runOf(await ended(stage, card));
  await untilSpans(collector.spans, ['confirm', 'panel firewallRules']);

  const digest = digestOf(invocation);
  const spans = collector.spans.filter(({ traceId }) => traceId === digest.slice(0, 32));
  const root = spans.filter(({ parentSpanId }) => !parentSpanId);
  expect(root).toHaveLength(1);
  expect(root[0]).toMatchObject({
    name: 'firewall.flush',
    spanId: digest.slice(32, 48),
    attributes: {
      'panelops.invocation': invocation,
      'panelops.command': 'firewall.flush',
      'panelops.outcome': 'question',
    },
  });
  const below = spans.filter((span) => span !== root[0]);
  expect([...new Set(below.map(({ parentSpanId }) => parentSpanId))]).toEqual([digest.slice(32, 48)]);
  expect(below.find(({ name }) => name === 'confirm')?.attributes).toMatchObject({ 'panelops.outcome': 'succeeded' });
  expect(below.find(({ name }) => name === 'panel firewallRules')?.attributes).toEqual({
    'panelops.invocation': invocation,
    'panelops.endpoint': 'firewallRules',
    'panelops.status': '201',
  });
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'panelops' });
  expect(collector.text()).not.toMatch(/web-1|alice|nobody may read this/);
  for (const secret of [stage.discord.token, stage.panel.token]) expect(collector.text()).not.toContain(secret);
}, 60_000);

it('What is followed belongs to the trace of the command that began it, and metrics go to the same collector', async () => {
  const [stage, collector] = [await ownStage(), await startCollector()];
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRIC_EXPORT_INTERVAL: '1000', ...often };
  const bot = await stage.start(env);
  const card = await typed(stage, '/power boot server:web-1', ['FINISHED']);
  await untilSpans(collector.spans, ['power.boot', 'panel powerBoot', 'panel look']);
  const trace = digestOf(runOf(card)).slice(0, 32);
  const look = collector.spans.find(({ name }) => name === 'panel look');
  expect(look?.traceId).toBe(trace);

  const pointsOf = (name: string) => {
    const metric = collector.pushes.at(-1)?.find((each) => each.name === name);
    return (metric?.sum ?? metric?.gauge)?.dataPoints;
  };
  const boot = { attributes: { command: 'power.boot', outcome: 'accepted' }, asDouble: 1 };
  await expect.poll(() => pointsOf('panelops_runs_total'), { timeout: 20_000 }).toMatchObject([boot]);
  expect(pointsOf('panelops_leader')).toMatchObject([{ asDouble: 1 }]);
  expect(pointsOf('process_resident_memory_bytes')).toMatchObject([{ asDouble: expect.any(Number) }]);
  const pushes = collector.pushes.length;
  expect(await bot.end('SIGTERM')).toMatchObject({ code: 0 });
  expect(collector.pushes.length).toBeGreaterThan(pushes);
  expect(collector.text()).not.toMatch(/web-1|alice/);
}, 60_000);
