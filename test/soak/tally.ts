import { isIdleDoubt, matched, sentTo } from './check-panel.ts';
import { type Entry, runsOf } from './entries.ts';
import type { PanelFaults } from './panel-faults.ts';
import type { Stage } from './stage.ts';

/** What happened in one world, in numbers: of each thing, how often. */
export interface Tally {
  /** Deeds and lives. `unknown, nothing ambiguous`: see isIdleDoubt. */
  counts: ReadonlyMap<string, number>;
  faults: ReadonlyMap<string, number>;
  outcomes: ReadonlyMap<string, number>;
}

export const idle = 'unknown, nothing ambiguous';

export function tallyOf(
  stage: Stage,
  panel: PanelFaults,
  { deeds, faults }: Record<'deeds' | 'faults', ReadonlyMap<string, number>>,
  entries: readonly Entry[],
): Tally {
  const runs = runsOf(entries);
  const pairs = [...matched(sentTo(stage), runs)];
  const sentBy = (run: (typeof runs)[number]) => pairs.filter(([, of]) => of === run).map(([sent]) => sent);
  const words = runs.map(({ outcomes }) => outcomes[0]?.outcome ?? 'none yet');
  const denials = entries.filter(({ kind }) => kind === 'denied').map(({ kind }) => kind);
  return {
    counts: new Map([
      ...deeds,
      ['runs', runs.length],
      ['lives of the bot', stage.slots.reduce((all, { lives }) => all + lives.length, 0)],
      [idle, runs.filter((run) => isIdleDoubt(stage, panel, run, sentBy(run))).length],
    ]),
    faults,
    outcomes: sum([...words, ...denials].map((word) => new Map([[word, 1]]))),
  };
}

export function sum(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const [key, count] of all.flatMap((each) => [...each])) found.set(key, (found.get(key) ?? 0) + count);
  return found;
}
