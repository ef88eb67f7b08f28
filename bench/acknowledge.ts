import { alternately, type Group, sound } from './group.ts';
import { change, keystroke, type Load, paced, read, type Task } from './load.ts';
import { figureOf, quantile, ratioOf, told } from './numbers.ts';
import { type Closing, closeAll, helper } from './processes.ts';
import type { Row } from './table.ts';
import { subject } from './throughput.ts';

const perSecond = 100;
/** Of each slice: short ones, so that a slow moment of the machine meets all subjects. */
const sliceMs = 4_000;

const why =
  'of 400 answers in a slice the p99 is the fourth slowest, which is a collection of garbage or a slow moment of the machine: see the spread. A first answer itself waits for the policy and for the record of its card, 0.3 ms more than the bare one. It takes less work for each command, and so less garbage';

/** How long people wait for the first answer, while a hundred a second type. */
export const acknowledge: Group = async (extent, closing, say) => {
  const { runs, share } = extent;
  const bare = await subject(extent, closing, (stage) => stage.bare());
  const ours = await subject(extent, closing, (stage) => stage.panelops());
  const p99 = (load: Load, task: Task, what: string) => async (): Promise<number> => {
    const { acknowledged } = sound(await paced(load, task, perSecond, sliceMs * share), what);
    const figure = quantile(acknowledged, 0.99);
    say(`${what}: p50 ${quantile(acknowledged, 0.5).toFixed(1)}, p99 ${figure.toFixed(1)} ms`);
    return figure;
  };
  const quiet = await alternately(runs, {
    bare: p99(bare, change, 'bare'),
    reads: p99(ours, read, 'reads'),
    writes: p99(ours, change, 'writes'),
    keystrokes: p99(ours, keystroke, 'autocomplete'),
  });
  const busy: Closing = [];
  try {
    for (let count = 0; count < 2; count += 1) await helper('busy', busy);
    const loaded = await alternately(runs, {
      bare: p99(bare, change, 'bare, busy machine'),
      writes: p99(ours, change, 'writes, busy machine'),
    });
    const row = (what: string, mine: number[], theirs: number[], goal: number): Row => {
      const ratio = ratioOf(mine, theirs);
      const baseline = `a bare handler that replies: p99 ${told(figureOf(theirs), ' ms')}`;
      const isMet = ratio.median <= goal;
      const note = `${runs} slices of ${(sliceMs * share) / 1000} s`;
      return {
        what,
        baseline,
        ours: `p99 ${told(figureOf(mine), ' ms')}`,
        ratio,
        goal: `≤ × ${goal}`,
        isMet,
        why,
        note,
      };
    };
    return [
      row('acknowledge reads, 100/s', quiet.reads, quiet.bare, 1.5),
      row('acknowledge writes, 100/s', quiet.writes, quiet.bare, 1.2),
      row('autocomplete, 100/s', quiet.keystrokes, quiet.bare, 1.5),
      row('acknowledge writes, two other busy processes', loaded.writes, loaded.bare, 1.2),
    ];
  } finally {
    await closeAll(busy);
  }
};
