import { alternately, type Group, sound } from './group.ts';
import { change, type Load, paced, read, type Task } from './load.ts';
import { figureOf, quantile, told } from './numbers.ts';
import type { Row } from './table.ts';
import { subject } from './throughput.ts';

const perSecond = 5;
const sliceMs = 6_000;
/** What a card may take longer than the bare client's answer, in ms. */
const goals = { read: 2, change: 5, p99: 15 };

const whyRead =
  'it keeps nothing on disk. Of 150 reads in all slices the p99 is the second slowest, so that two moments of the machine decide it. It takes longer slices on a quiet one';
const whyChange =
  'a change is two entries that are on disk before its request and its card go on, a connection of its own, and a card that is drawn twice. It takes a disk that syncs faster, or less work for each command';

/** From what a person does to the card that says how it ended, where panel and Discord answer at once. */
export const click: Group = async (extent, closing, say) => {
  const { runs, share } = extent;
  const bare = await subject(extent, closing, (stage) => stage.bare());
  const ours = await subject(extent, closing, (stage) => stage.panelops());
  const rowOf = async (what: string, task: Task, goal: number, why: string): Promise<Row> => {
    const all = { bare: [] as number[], ours: [] as number[] };
    const median = (who: keyof typeof all, load: Load) => async (): Promise<number> => {
      const { final } = sound(await paced(load, task, perSecond, sliceMs * share), what);
      all[who].push(...final);
      return quantile(final, 0.5);
    };
    const figures = await alternately(runs, { bare: median('bare', bare), ours: median('ours', ours) });
    const more = figureOf(figures.ours.map((each, run) => each - (figures.bare[run] ?? Number.NaN)));
    // Of all slices together: in one are too few.
    const [slow, slowest] = [quantile(all.bare, 0.99), quantile(all.ours, 0.99)];
    const late = slowest - slow;
    say(`${what}: ${told(more, ' ms')} more, p99 ${late.toFixed(1)} ms more`);
    return {
      what: `${what}, 5/s: from the click to the final card`,
      baseline: `bare p50 ${told(figureOf(figures.bare), ' ms')}, p99 ${slow.toFixed(1)} ms`,
      ours: `${told(more, ' ms')} more, p99 ${late.toFixed(1)} ms more: p50 ${told(figureOf(figures.ours), ' ms')}, p99 ${slowest.toFixed(1)} ms`,
      goal: `≤ ${goal} ms more, p99 ≤ ${goals.p99} ms more`,
      isMet: more.median <= goal && late <= goals.p99,
      why,
    };
  };
  return [await rowOf('a read', read, goals.read, whyRead), await rowOf('a change', change, goals.change, whyChange)];
};
