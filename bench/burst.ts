import { alternately, type Group, sound } from './group.ts';
import { change, paced } from './load.ts';
import { figureOf, told } from './numbers.ts';
import { subject } from './throughput.ts';

const why =
  'first answers go before all other work, and what is left is the processor of one process: see the changes with 32 in flight.';

/** A thousand people type a change within one second. */
export const burst: Group = async (extent, closing, say) => {
  const { runs, share } = extent;
  const bare = await subject(extent, closing, (stage) => stage.bare());
  const ours = await subject(extent, closing, (stage) => stage.panelops());
  const finals: number[] = [];
  const slowest = (load: typeof bare, what: string, all?: number[]) => async (): Promise<number> => {
    const { acknowledged, final } = sound(await paced(load, change, 1_000 * share, 1_000), what);
    all?.push(Math.max(...final) / 1000);
    say(
      `${what}: acknowledged within ${Math.round(Math.max(...acknowledged))} ms, final within ${Math.round(Math.max(...final))} ms`,
    );
    return Math.max(...acknowledged) / 1000;
  };
  const figures = await alternately(runs, { bare: slowest(bare, 'bare'), ours: slowest(ours, 'panelops', finals) });
  const [acknowledged, final] = [figureOf(figures.ours), figureOf(finals)];
  return [
    {
      what: `${1_000 * share} changes in one second`,
      baseline: `bare: acknowledged within ${told(figureOf(figures.bare), ' s')}`,
      ours: `acknowledged within ${told(acknowledged, ' s')}, final within ${told(final, ' s')}, none lost`,
      goal: 'acknowledged < 0.2 s, final < 1.5 s, none lost',
      isMet: acknowledged.median < 0.2 && final.median < 1.5,
      why,
    },
  ];
};
