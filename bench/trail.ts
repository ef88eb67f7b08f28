import { setTimeout as delay } from 'node:timers/promises';
import { alternately, type Group, rate, sound } from './group.ts';
import { change, closed } from './load.ts';
import { figureOf, ratioOf, told } from './numbers.ts';
import { audited } from './stage.ts';
import { subject } from './throughput.ts';

/** Of each slice, in ms: five stand for the ten minutes of the goal. */
const sliceMs = 8_000;
const patience = 30_000;

const why =
  'posting shares the processor of the process with the changes: each entry becomes a line, and each message is sealed and sent.';

/** Changes with an audit channel, whose limit is Discord's: five messages in five seconds. */
export const trail: Group = async (extent, closing, say) => {
  const { runs, share } = extent;
  const without = await subject(extent, closing, (stage) => stage.panelops(), [change]);
  const posting = await subject(extent, closing, (stage) => stage.panelops(audited), [change]);
  const per = (load: typeof without, what: string) => async (): Promise<number> => {
    const figure = rate(sound(await closed(load, change, 32, sliceMs * share), what));
    say(`${what}: ${Math.round(figure)} a second`);
    return figure;
  };
  const rates = await alternately(runs, {
    without: per(without, 'without'),
    posting: per(posting, 'with an audit channel'),
  });
  const seconds = await untilStill(posting);
  say(`the trail stands still after ${seconds.toFixed(1)} s`);
  const ratio = ratioOf(rates.posting, rates.without);
  return [
    {
      what: `audit channel on, changes for ${Math.round((runs * sliceMs * share) / 1000)} s, 32 in flight`,
      baseline: `without: ${told(figureOf(rates.without), '/s')}`,
      ours: `${told(figureOf(rates.posting), '/s')}; backlog 0 after ${seconds.toFixed(1)} s`,
      ratio,
      goal: 'as without (≥ × 0.9); backlog 0 within 10 s',
      isMet: ratio.median >= 0.9 && seconds <= 10,
      why,
      note: 'shortened from ten minutes',
    },
  ];
};

/** How many seconds it takes until nothing more is posted. */
async function untilStill(load: Awaited<ReturnType<typeof subject>>): Promise<number> {
  const from = performance.now();
  let last = -1;
  let since = from;
  while (performance.now() - from < patience && performance.now() - since < 4_000) {
    const { messages } = await load.trail();
    if (messages !== last) since = performance.now();
    last = messages;
    await delay(250);
  }
  return (since - from) / 1000;
}
