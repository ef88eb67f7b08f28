import { alternately, type Group, sound } from './group.ts';
import { change, paced, read, type Task } from './load.ts';
import { figureOf, quantile, told } from './numbers.ts';
import type { Row } from './table.ts';
import { subject } from './throughput.ts';

const perSecond = 5;
const sliceMs = 10_000;
/** What a card may take longer than the bare client's answer, in ms. */
const goals = { read: 2, change: 5, p99: 15 };

const why =
  'a change is two entries that are on disk before its request and its card go on, a connection of its own, and a card that is drawn twice. It takes a disk that syncs faster, or less work for each command';

/** From what a person does to the card that says how it ended, where panel and Discord answer at once. */
export const click: Group = async (extent, closing, say) => {
  const { runs, share } = extent;
  const bare = await subject(extent, closing, (stage) => stage.bare());
  const ours = await subject(extent, closing, (stage) => stage.panelops());
  const p99s = { bare: [] as number[], ours: [] as number[] };
  const rowOf = async (what: string, task: Task, goal: number): Promise<Row> => {
    const median = (who: keyof typeof p99s, load: typeof bare) => async (): Promise<number> => {
      const { final } = sound(await paced(load, task, perSecond, sliceMs * share), what);
      p99s[who].push(quantile(final, 0.99));
      say(`${what}, ${who}: p50 ${quantile(final, 0.5).toFixed(1)}, p99 ${quantile(final, 0.99).toFixed(1)} ms`);
      return quantile(final, 0.5);
    };
    p99s.bare = [];
    p99s.ours = [];
    const figures = await alternately(runs, { bare: median('bare', bare), ours: median('ours', ours) });
    const more = figureOf(figures.ours.map((each, run) => each - (figures.bare[run] ?? Number.NaN)));
    const late = figureOf(p99s.ours.map((each, run) => each - (p99s.bare[run] ?? Number.NaN)));
    return {
      what: `${what}, 5/s: from the click to the final card`,
      baseline: `bare: p50 ${told(figureOf(figures.bare), ' ms')}, p99 ${told(figureOf(p99s.bare), ' ms')}`,
      ours: `p50 ${told(figureOf(figures.ours), ' ms')}, p99 ${told(figureOf(p99s.ours), ' ms')}: ${told(more, ' ms')} and ${told(late, ' ms')} more`,
      goal: `≤ ${goal} ms more, p99 ≤ ${goals.p99} ms more`,
      isMet: more.median <= goal && late.median <= goals.p99,
      why,
    };
  };
  return [await rowOf('a read', read, goals.read), await rowOf('a change', change, goals.change)];
};
