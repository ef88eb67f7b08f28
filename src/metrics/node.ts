import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { MetricData } from '@opentelemetry/sdk-metrics';
import { counter, gauge } from './points.ts';

/** Metrics of the process, under the names that Prometheus's clients give them. The delays are those since the last call. */
export function createNodeMetrics(): () => MetricData[] {
  const delay = monitorEventLoopDelay();
  delay.enable();
  return () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const [longest, p99] = [delay.max, delay.percentile(99)];
    delay.reset();
    return [
      counter('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.', (user + system) / 1e6),
      gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', rss),
      gauge(
        'process_start_time_seconds',
        'Start time of the process since unix epoch in seconds.',
        performance.timeOrigin / 1_000,
      ),
      gauge('process_open_fds', 'Number of open file descriptors.', ofLinux(openFiles)),
      gauge('process_max_fds', 'Maximum number of open file descriptors.', ofLinux(mostFiles)),
      gauge('nodejs_heap_size_used_bytes', 'Process heap size used from Node.js in bytes.', heapUsed),
      gauge('nodejs_eventloop_lag_max_seconds', 'The maximum recorded event loop delay.', longest / 1e9),
      gauge('nodejs_eventloop_lag_p99_seconds', 'The 99th percentile of the recorded event loop delays.', p99 / 1e9),
    ];
  };
}

/** Without the one that reads the list. */
const openFiles = (): number => readdirSync('/proc/self/fd').length - 1;

function mostFiles(): number | undefined {
  const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return most === undefined ? undefined : Number(most);
}

/** Undefined where there is no /proc. */
function ofLinux(read: () => number | undefined): number | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
