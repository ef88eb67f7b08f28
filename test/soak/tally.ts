import { isIdleDoubt, matched, sentTo } from './check-panel.ts';
import { type Entry, runsOf } from './entries.ts';
import type { PanelFaults } from './panel-faults.ts';
import type { Counts } from './run.ts';
import type { Stage } from './stage.ts';

/** What happened in one world, in numbers. */
export interface Tally extends Counts {
  runs: number;
  lives: number;
  faults: Map<string, number>;
  outcomes: Map<string, number>;
  /** Unknown outcomes, and those of them for which nothing was ambiguous. */
  unknown: number;
  idle: number;
}

export function tallyOf(
  stage: Stage,
  panel: PanelFaults,
  counts: Counts,
  faults: ReadonlyMap<string, number>,
  entries: readonly Entry[],
): Tally {
  const runs = runsOf(entries);
  const pairs = [...matched(sentTo(stage), runs)];
  const outcomes = new Map<string, number>();
  for (const { outcomes: own } of runs) add(outcomes, own[0]?.outcome ?? 'none yet', 1);
  add(outcomes, 'denied', entries.filter(({ kind }) => kind === 'denied').length);
  const idle = runs.filter((run) =>
    isIdleDoubt(
      stage,
      panel,
      run,
      pairs.filter(([, of]) => of === run).map(([sent]) => sent),
    ),
  );
  return {
    ...counts,
    runs: runs.length,
    lives: stage.slots.reduce((all, { lives }) => all + lives.length, 0),
    faults: new Map(faults),
    outcomes,
    unknown: outcomes.get('unknown') ?? 0,
    idle: idle.length,
  };
}

const add = (to: Map<string, number>, key: string, count: number): void => void to.set(key, (to.get(key) ?? 0) + count);

/** Several worlds as one. */
export function total(tallies: readonly Tally[]): Tally {
  const sum: Tally = {
    commands: 0,
    clicks: 0,
    kills: 0,
    stops: 0,
    runs: 0,
    lives: 0,
    faults: new Map(),
    outcomes: new Map(),
    unknown: 0,
    idle: 0,
  };
  for (const each of tallies) {
    for (const key of ['commands', 'clicks', 'kills', 'stops', 'runs', 'lives', 'unknown', 'idle'] as const) {
      sum[key] += each[key];
    }
    for (const [kind, count] of each.faults) add(sum.faults, kind, count);
    for (const [outcome, count] of each.outcomes) add(sum.outcomes, outcome, count);
  }
  return sum;
}
