import { Gauge, type Registry } from 'prom-client';
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

/** What a scrape reads. `vitals` is undefined while the bot starts. */
export interface Watched {
  readiness: Readiness;
  vitals: Vitals | StandbyVitals | undefined;
}

/** Gauges that are set at each scrape. */
export function createGauges(registers: Registry[], now: () => number) {
  const gauge = gaugesIn(registers);
  const takeVitals = vitalGauges(gauge, now);
  const ready = gauge('panelops_ready', 'Whether /readyz says that the bot can serve.');
  const leader = gauge('panelops_leader', 'Whether this process leads: it alone acts. Of all processes, one does.');
  const parts = labelled(
    registers,
    'panelops_part_ready',
    'Whether a part works that the bot needs.',
    'part',
    partNames,
  );
  const followUps = labelled(
    registers,
    'panelops_follow_ups',
    'Jobs of the panel that are followed. unseen: nobody has looked yet; late: longer than usual; blind: looks fail; unreadable: the panel offers no look.',
    'state',
    followUpStates,
  );
  const followUpAges = labelled(
    registers,
    'panelops_follow_ups_oldest_seconds',
    'How long ago the oldest job began that is followed.',
    'state',
    followUpStates,
  );
  const held = labelled(registers, 'panelops_changes_held', 'Whether changes are refused, by reason.', 'reason', holds);
  const behind = labelled(
    registers,
    'panelops_trail_behind',
    'Whether the audit channel is behind while changes go on, by reason.',
    'reason',
    lags,
  );
  const refused = labelled(
    registers,
    'panelops_inventory_refused',
    "Whether the panel's last list of servers was not taken. odd: it waits for somebody's word; failed: it was not read.",
    'reason',
    listRefusals,
  );
  return {
    async take({ readiness, vitals: of }: Watched): Promise<void> {
      const vitals = of?.role === 'leader' ? of : undefined;
      ready(Number(readiness.ready));
      leader(of && Number(vitals?.leads() ?? false));
      parts((part) => toNumber(readiness.parts[part]?.ok));
      takeVitals(vitals, await vitals?.lastCanary());
      const reasons = vitals?.holds();
      held((reason) => toNumber(reasons?.includes(reason)));
      const lag = vitals?.lag();
      behind((reason) => toNumber(vitals && lag?.reason === reason));
      const list = vitals?.inventory();
      refused((reason) => toNumber(list && list.refused === reason));
      const followed = vitals?.followUps();
      const since = (state: string) => followed?.filter((each) => each.state === state).map((each) => each.since);
      const oldest = (state: string) => since(state)?.reduce((a, b) => Math.min(a, b), now());
      followUps((state) => since(state)?.length);
      followUpAges((state) => ageOf(oldest(state), now()));
    },
  };
}

type Set = (value: number | undefined) => void;

/** Gauges with one value each. */
function vitalGauges(gauge: ReturnType<typeof gaugesIn>, now: () => number) {
  const canary = gauge('panelops_follow_ups_canary_age_seconds', 'Since a worker took the canary job, due every 15 s.');
  const questions = gauge('panelops_questions_open', 'Questions that wait for Confirm.');
  const outbox = gauge('panelops_outbox_entries', 'Outcomes in memory that the ledger could not take yet.');
  const limit = gauge('panelops_panel_budget_limit', "The panel's limit of requests a minute, if it tells one.");
  const remaining = gauge('panelops_panel_budget_remaining', 'What is left of that limit this minute.');
  const servers = gauge(
    'panelops_inventory_servers',
    "Servers of the panel's list, where the policy takes them from it.",
  );
  const listAge = gauge('panelops_inventory_age_seconds', 'How old that list is.');
  const circuit = gauge('panelops_panel_circuit_open', 'Whether a 401 or a lock-out holds back requests to the panel.');
  const unknown = backlogGauges(
    gauge,
    ['panelops_unknown_outcomes', 'Runs with an unknown outcome of which nobody has said what happened.'],
    ['panelops_unknown_outcomes_oldest_seconds', 'How long ago the oldest of them ended.'],
  );
  const trail = backlogGauges(
    gauge,
    ['panelops_trail_backlog_entries', 'Entries of the ledger that are not in the audit channel.'],
    ['panelops_trail_backlog_oldest_seconds', 'How long ago the oldest of them was recorded.'],
  );
  return (vitals: Vitals | undefined, lastCanary: number | undefined): void => {
    const panel = vitals?.panel();
    canary(ageOf(lastCanary, now()));
    questions(vitals?.questions());
    outbox(vitals?.outbox());
    limit(panel?.limit);
    remaining(panel?.remaining);
    circuit(toNumber(panel?.circuitOpen));
    const list = vitals?.inventory();
    servers(list?.servers);
    listAge(ageOf(list?.at, now()));
    unknown(vitals?.unknown(), now());
    trail(vitals?.trail(), now());
  };
}

/** The age in seconds; 0 if the clock was set back. */
const ageOf = (since: number | undefined, now: number): number | undefined =>
  since === undefined ? undefined : Math.max(0, now - since) / 1_000;

const toNumber = (value: boolean | undefined): number | undefined => (value === undefined ? undefined : Number(value));

/** A gauge with one value. An unknown value gets no sample, because 0 would be a claim. */
const gaugesIn =
  (registers: Registry[]) =>
  (name: string, help: string): Set => {
    const gauge = new Gauge({ name, help, registers });
    gauge.remove();
    return (value) => (value === undefined ? gauge.remove() : gauge.set(value));
  };

function backlogGauges(gauge: ReturnType<typeof gaugesIn>, entries: [string, string], age: [string, string]) {
  const [count, oldest] = [gauge(...entries), gauge(...age)];
  return (backlog: Backlog | undefined, now: number): void => {
    count(backlog?.count);
    oldest(backlog && ageOf(backlog.oldest ?? now, now));
  };
}

/** A gauge with one label, of a closed list of values. */
function labelled<Value extends string>(
  registers: Registry[],
  name: string,
  help: string,
  label: string,
  values: readonly Value[],
) {
  const gauge = new Gauge({ name, help, labelNames: [label], registers });
  return (of: (value: Value) => number | undefined): void => {
    gauge.reset();
    for (const value of values) {
      const known = of(value);
      if (known !== undefined) gauge.set({ [label]: value }, known);
    }
  };
}
