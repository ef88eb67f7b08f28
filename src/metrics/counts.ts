import type { Meter } from '@opentelemetry/api';
import { outcomes } from '../outcome.ts';
import type { Observe } from './observe.ts';

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

/** The labels that metrics may have: ids of all commands, and kinds of all buttons. */
export interface Labels {
  commands: readonly string[];
  buttons: readonly string[];
}

/** Counters and histograms of one reader, begun in `meter`. */
export function createObserve(meter: Meter, { commands, buttons }: Labels): Observe {
  const [commandOf, buttonOf] = [among(commands), among(buttons)];
  const histogram = (name: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { description, advice: { explicitBucketBoundaries } });
  const runs = meter.createCounter('panelops_runs_total', {
    description: 'Runs that ended in this process, and commands that have none, by outcome.',
  });
  const acknowledge = histogram(
    'panelops_acknowledge_seconds',
    'From the arrival of a command or click until Discord had its first answer. Discord waits for 3 seconds.',
    answering,
  );
  const finish = histogram(
    'panelops_finish_seconds',
    'From the arrival of a command until it ended, or from Confirm on. Jobs that are followed go on after that.',
    working,
  );
  const requests = meter.createCounter('panelops_panel_requests_total', {
    description:
      'Requests to the panel by HTTP status; one that its API does not document by its class, as 5xx. no-answer: sent, and nothing whole came back; not-sent: nothing left.',
  });
  const requestSeconds = histogram(
    'panelops_panel_request_seconds',
    'How long requests to the panel took, without waiting for the budget.',
    working,
  );
  const alerts = meter.createCounter('panelops_alert_notifications_total', {
    description:
      'Notifications of alerts by the source whose token they have, and what came of them: taken, later (answered with 503), malformed, refused (no token of ours).',
  });
  const cards = histogram(
    'panelops_card_edit_seconds',
    'How long the edit of a card took, with waiting for its turn in the channel.',
    answering,
  );
  // What is no number is not counted, and begins the only series that has no labels: it is there from the start, at 0.
  cards.record(Number.NaN);
  const outcomeOf = among([...outcomes, 'finished', 'failed', 'stopped', 'working']);
  return {
    within: (_id, work) => work(),
    acknowledged(interaction, name, ms) {
      acknowledge.record(ms / 1_000, { interaction, name: (interaction === 'click' ? buttonOf : commandOf)(name) });
    },
    finished({ command, outcome }, ms) {
      // A question ends when somebody confirms it.
      if (outcome !== 'question') finish.record(ms / 1_000, { command: commandOf(command) });
    },
    ended: (command, outcome) => runs.add(1, { command: commandOf(command), outcome: outcomeOf(outcome) }),
    requested(endpoint, status, ms) {
      requests.add(1, { endpoint, status: statusOf(status) });
      requestSeconds.record(ms / 1_000, { endpoint });
    },
    alerted: (source, outcome) => alerts.add(1, { source, outcome }),
    drawn: (_id, ms) => cards.record(ms / 1_000),
  };
}
