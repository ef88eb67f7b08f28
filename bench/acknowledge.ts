import { alternately, type Group, sound } from './group.ts';
import { change, type Load, paced } from './load.ts';
import { figureOf, quantile, ratioOf, told } from './numbers.ts';
import { type Closing, closeAll, helper } from './processes.ts';
import type { Row } from './table.ts';
import { subject } from './throughput.ts';

const perSecond = 100;
/** Of each slice: short ones, so that a slow moment of the machine meets both subjects. */
const sliceMs = 4_000;
const most = 1.2;

const why =
  'the median is a millisecond more, of which the record of the card takes half. What is late waits for that record, too. A change writes up to three lines to the file of cards, one write at a time, each through a thread, and a record also waits for the write before it: at the p99 it takes two to four times as long as one write. With DATA_DIR in memory the p99 is half, and still many times that of the bare handler, which needs no thread: half is the disk, the rest are turns of threads. Sixteen threads instead of four are not clearly better. Collections of garbage are no part of it: on a quiet machine the loop is never held longer than 30 ms, and 6 ms at the p99 of its delays. It takes a first answer that does not wait for a record, or a record that does not wait for the lines before it';

/** How long people wait for the first answer, while a hundred a second type a change. */
export const acknowledge: Group = async (extent, closing, say) => {
  const { runs, share } = extent;
  const bare = await subject(extent, closing, (stage) => stage.bare(), [change]);
  const ours = await subject(extent, closing, (stage) => stage.panelops(), [change]);
  const rowOf = async (what: string): Promise<Row> => {
    const p99 = (load: Load, who: string) => async (): Promise<number> => {
      const { acknowledged } = sound(await paced(load, change, perSecond, sliceMs * share), what);
      const figure = quantile(acknowledged, 0.99);
      say(`${what}, ${who}: p50 ${quantile(acknowledged, 0.5).toFixed(1)}, p99 ${figure.toFixed(1)} ms`);
      return figure;
    };
    const figures = await alternately(runs, { bare: p99(bare, 'bare'), ours: p99(ours, 'panelops') });
    const ratio = ratioOf(figures.ours, figures.bare);
    return {
      what,
      baseline: `a bare handler that replies ${told(figureOf(figures.bare), ' ms')}`,
      ours: `p99 ${told(figureOf(figures.ours), ' ms')}`,
      ratio,
      goal: `≤ × ${most}`,
      isMet: ratio.median <= most,
      why,
    };
  };
  const quiet = await rowOf('acknowledge writes, 100/s');
  const busy: Closing = [];
  try {
    for (let count = 0; count < 2; count += 1) await helper('busy', busy);
    return [quiet, await rowOf('acknowledge writes, 100/s, beside two busy processes')];
  } finally {
    await closeAll(busy);
  }
};
