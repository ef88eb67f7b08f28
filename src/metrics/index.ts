import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { outcomes } from '../outcome.ts';
import { createGauges, type Watched } from './gauges.ts';
import type { Observe } from './observe.ts';

export interface MetricsOptions {
  version: string;
  /** The allowed label values: ids of all commands, and kinds of all buttons. */
  commands: readonly string[];
  buttons: readonly string[];
  now?(): number;
}

export interface Metrics {
  observe: Observe;
  read(watched: Watched): Promise<{ type: string; text: string }>;
}

/** In seconds: Discord waits for 3. */
const answering = [0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 5];
/** In seconds: a request may take 45, and ten servers go one after the other. */
const working = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600];

/** Restricts a label to a closed list, so that nobody outside can create series. */
const among =
  (known: readonly string[]) =>
  (text: string): string =>
    known.includes(text) ? text : 'other';

/** The statuses that the panel documents, and the two ends of a request without a status. */
const statuses = ['200', '201', '204', '401', '404', '409', '422', '429', 'no-answer', 'not-sent'];

/** Maps any other status to its class, such as 5xx: the panel could send hundreds of them. */
function statusOf(status: string): string {
  if (statuses.includes(status)) return status;
  return /^[1-5]\d\d$/.test(status) ? `${status[0]}xx` : 'other';
}

/** Metrics of one process, in a registry of their own. */
export function createMetrics({ version, commands, buttons, now = Date.now }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'panelops_build_info',
    help: 'Always 1; the labels say which version runs.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.versions.node }, 1);
  const gauges = createGauges(registers, now);
  return {
    observe: createObserve(registers, among(commands), among(buttons)),
    async read(watched) {
      await gauges.take(watched);
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}

type Label = (text: string) => string;

function createObserve(registers: Registry[], commandOf: Label, buttonOf: Label): Observe {
  const runs = new Counter({
    name: 'panelops_runs_total',
    help: 'Runs that ended in this process, and commands that have none, by outcome.',
    labelNames: ['command', 'outcome'],
    registers,
  });
  const acknowledge = new Histogram({
    name: 'panelops_acknowledge_seconds',
    help: 'From the arrival of a command or click until Discord had its first answer. Discord waits for 3 seconds.',
    labelNames: ['interaction', 'name'],
    buckets: answering,
    registers,
  });
  const finish = new Histogram({
    name: 'panelops_finish_seconds',
    help: 'From the arrival of a command until it ended, or from Confirm on. Jobs that are followed go on after that.',
    labelNames: ['command'],
    buckets: working,
    registers,
  });
  const requests = new Counter({
    name: 'panelops_panel_requests_total',
    help: 'Requests to the panel by HTTP status; one that its API does not document by its class, as 5xx. no-answer: sent, and nothing whole came back; not-sent: nothing left.',
    labelNames: ['endpoint', 'status'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'panelops_panel_request_seconds',
    help: 'How long requests to the panel took, without waiting for the budget.',
    labelNames: ['endpoint'],
    buckets: working,
    registers,
  });
  const alerts = new Counter({
    name: 'panelops_alert_notifications_total',
    help: 'Notifications of alerts by the source whose token they have, and what came of them: taken, later (answered with 503), malformed, refused (no token of ours).',
    labelNames: ['source', 'outcome'],
    registers,
  });
  const cards = new Histogram({
    name: 'panelops_card_edit_seconds',
    help: 'How long the edit of a card took, with waiting for its turn in the channel.',
    buckets: answering,
    registers,
  });
  const outcomeOf = among([...outcomes, 'finished', 'failed', 'stopped', 'working']);
  return {
    within: (_id, work) => work(),
    acknowledged(interaction, name, ms) {
      acknowledge.observe({ interaction, name: (interaction === 'click' ? buttonOf : commandOf)(name) }, ms / 1_000);
    },
    finished({ command, outcome }, ms) {
      // A question ends when somebody confirms it.
      if (outcome !== 'question') finish.observe({ command: commandOf(command) }, ms / 1_000);
    },
    ended: (command, outcome) => runs.inc({ command: commandOf(command), outcome: outcomeOf(outcome) }),
    requested(endpoint, status, ms) {
      requests.inc({ endpoint, status: statusOf(status) });
      requestSeconds.observe({ endpoint }, ms / 1_000);
    },
    alerted: (source, outcome) => alerts.inc({ source, outcome }),
    drawn: (_id, ms) => cards.observe(ms / 1_000),
  };
}
