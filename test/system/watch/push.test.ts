import { expect, it, onTestFinished, vi } from 'vitest';
import { answerTo } from '../../helpers/messages.ts';
import { openStage } from '../../helpers/stage.ts';
import { startCollector } from '../../helpers/watch/collector.ts';

it('A bot without HTTP_PORT pushes its metrics, and no more than a scrape has', async () => {
  const [stage, collector] = [await openStage(), await startCollector()];
  onTestFinished(() => stage.stop());
  const env = {
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/v1/metrics`,
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
  };
  const bot = await stage.start(env);
  await answerTo(stage, await stage.discord.type('alice', 'ops', '/power boot server:web-1'), ['ACCEPTED']);
  const pointsOf = (name: string) => {
    const metric = collector.pushes.at(-1)?.find((each) => each.name === name);
    return (metric?.sum ?? metric?.gauge)?.dataPoints;
  };
  await vi.waitFor(
    () => {
      expect(pointsOf('panelops_runs_total')).toMatchObject([
        { attributes: { command: 'power.boot', outcome: 'accepted' }, asDouble: 1 },
      ]);
      expect(pointsOf('panelops_leader')).toMatchObject([{ asDouble: 1 }]);
      expect(pointsOf('process_resident_memory_bytes')).toMatchObject([{ asDouble: expect.any(Number) }]);
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(collector.spans).toEqual([]);
  const pushes = collector.pushes.length;
  expect(await bot.end('SIGTERM')).toMatchObject({ code: 0 });
  expect(collector.pushes.length).toBeGreaterThan(pushes);
  expect(collector.text()).not.toMatch(/web-1|alice/);
  for (const secret of [stage.discord.token, stage.panel.token]) expect(collector.text()).not.toContain(secret);
}, 60_000);
