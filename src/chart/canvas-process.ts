/** The process that draws. `index.ts` starts it and sends charts over IPC; it exits with its parent. */
import type { Chart } from './chart.ts';
import { draw, loadEasel } from './draw.ts';

// The parent is told at the first chart.
const loading = loadEasel();
loading.catch(() => undefined);

// The parent sends charts and nothing else.
process.on('message', async (chart: Chart) => {
  try {
    process.send?.({ bytes: draw(await loading, chart) });
  } catch (error) {
    process.send?.({ problem: String(error) });
  }
});
process.once('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches this process too, while the parent still answers.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
