import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { MetricData, ScopeMetrics } from '@opentelemetry/sdk-metrics';
import { partNames, type Readiness } from '../health/readiness.ts';
import {
  type Backlog,
  followUpStates,
  holds,
  lags,
  listRefusals,
  type StandbyVitals,
  type Vitals,
} from '../health/vitals.ts';
import { counter, gauge, labelled } from './points.ts';

/** What a scrape or a push reads. `vitals` is undefined while the bot starts. */
export interface Watched {
  readiness: Readiness;
  vitals: Vitals | StandbyVitals | undefined;
}

/**
 * Reads all gauges. They are no instruments of the SDK: those would go on with values that are not known any more, and
 * stand still for as long as the clock was set back.
 */
export function createGauges(version: string, now: () => number): (watched: Watched) => Promise<ScopeMetrics> {
  const node = createNodeMetrics();
  const labels = { version, node: process.versions.node };
  return async (watched) => {
    const vitals = watched.vitals?.role === 'leader' ? watched.vitals : undefined;
    const lastCanary = await vitals?.lastCanary();
    const metrics = [
      ...node(),
      gauge('panelops_build_info', 'Always 1; the labels say which version runs.', 1, labels),
      ...stateGauges(watched, vitals),
      ...vitalGauges(vitals, lastCanary, now()),
      ...followUpGauges(vitals, now()),
    ];
    return { scope: { name: 'panelops', version }, metrics: metrics.filter(({ dataPoints }) => dataPoints.length > 0) };
  };
}

/** What works, and what does not. */
function stateGauges({ readiness, vitals: of }: Watched, vitals: Vitals | undefined): MetricData[] {
  const [reasons, lag, list] = [vitals?.holds(), vitals?.lag(), vitals?.inventory()];
  return [
    gauge('panelops_ready', 'Whether /readyz says that the bot can serve.', Number(readiness.ready)),
    gauge(
      'panelops_leader',
      'Whether this process leads: it alone acts. Of all processes, one does.',
      of && Number(vitals?.leads() ?? false),
    ),
    labelled('panelops_part_ready', 'Whether a part works that the bot needs.', ['part', partNames], (part) =>
      toNumber(readiness.parts[part]?.ok),
    ),
    labelled('panelops_changes_held', 'Whether changes are refused, by reason.', ['reason', holds], (reason) =>
      toNumber(reasons?.includes(reason)),
    ),
    labelled(
      'panelops_trail_behind',
      'Whether the audit channel is behind while changes go on, by reason.',
      ['reason', lags],
      (reason) => toNumber(vitals && lag?.reason === reason),
    ),
    labelled(
      'panelops_inventory_refused',
      "Whether the panel's last list of servers was not taken. odd: it waits for somebody's word; failed: it was not read.",
      ['reason', listRefusals],
      (reason) => toNumber(list && list.refused === reason),
    ),
  ];
}

/** Gauges with one value each. */
function vitalGauges(vitals: Vitals | undefined, lastCanary: number | undefined, now: number): MetricData[] {
  const [panel, list] = [vitals?.panel(), vitals?.inventory()];
  return [
    gauge(
      'panelops_follow_ups_canary_age_seconds',
      'Since a worker took the canary job, due every 15 s.',
      ageOf(lastCanary, now),
    ),
    gauge('panelops_questions_open', 'Questions that wait for Confirm.', vitals?.questions()),
    gauge('panelops_outbox_entries', 'Outcomes in memory that the ledger could not take yet.', vitals?.outbox()),
    gauge('panelops_panel_budget_limit', "The panel's limit of requests a minute, if it tells one.", panel?.limit),
    gauge('panelops_panel_budget_remaining', 'What is left of that limit this minute.', panel?.remaining),
    gauge(
      'panelops_inventory_servers',
      "Servers of the panel's list, where the policy takes them from it.",
      list?.servers,
    ),
    gauge('panelops_inventory_age_seconds', 'How old that list is.', ageOf(list?.at, now)),
    gauge(
      'panelops_panel_circuit_open',
      'Whether a 401 or a lock-out holds back requests to the panel.',
      toNumber(panel?.circuitOpen),
    ),
    ...backlogGauges(
      vitals?.unknown(),
      now,
      ['panelops_unknown_outcomes', 'Runs with an unknown outcome of which nobody has said what happened.'],
      ['panelops_unknown_outcomes_oldest_seconds', 'How long ago the oldest of them ended.'],
    ),
    ...backlogGauges(
      vitals?.trail(),
      now,
      ['panelops_trail_backlog_entries', 'Entries of the ledger that are not in the audit channel.'],
      ['panelops_trail_backlog_oldest_seconds', 'How long ago the oldest of them was recorded.'],
    ),
  ];
}

function followUpGauges(vitals: Vitals | undefined, now: number): MetricData[] {
  const followed = vitals?.followUps();
  const since = (state: string) => followed?.filter((each) => each.state === state).map((each) => each.since);
  const oldest = (state: string) => since(state)?.reduce((a, b) => Math.min(a, b), now);
  return [
    labelled(
      'panelops_follow_ups',
      'Jobs of the panel that are followed. unseen: nobody has looked yet; late: longer than usual; blind: looks fail; unreadable: the panel offers no look.',
      ['state', followUpStates],
      (state) => since(state)?.length,
    ),
    labelled(
      'panelops_follow_ups_oldest_seconds',
      'How long ago the oldest job began that is followed.',
      ['state', followUpStates],
      (state) => ageOf(oldest(state), now),
    ),
  ];
}

const backlogGauges = (
  backlog: Backlog | undefined,
  now: number,
  entries: readonly [string, string],
  age: readonly [string, string],
): MetricData[] => [gauge(...entries, backlog?.count), gauge(...age, backlog && ageOf(backlog.oldest ?? now, now))];

/** The age in seconds; 0 if the clock was set back. */
const ageOf = (since: number | undefined, now: number): number | undefined =>
  since === undefined ? undefined : Math.max(0, now - since) / 1_000;

const toNumber = (value: boolean | undefined): number | undefined => (value === undefined ? undefined : Number(value));

/** Metrics of the process, under the names that Prometheus's clients give them. The delays are those since the last call. */
function createNodeMetrics(): () => MetricData[] {
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
