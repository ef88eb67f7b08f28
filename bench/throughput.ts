import { alternately, type Extent, type Group, rate, sound } from './group.ts';
import { change, closed, createLoad, type Load, read, type Task } from './load.ts';
import { figureOf, ratioOf, told } from './numbers.ts';
import type { Closing } from './processes.ts';
import { startRedis } from './redis.ts';
import { openStage, type Stage } from './stage.ts';

const inFlight = 32;
const none = (): Promise<number> => Promise.resolve(Number.NaN);
const sliceMs = 3_000;

/** How long each task warms a bot up, in ms: a process compiles what it runs for its first thousands of commands. */
const warmUpMs = 5_000;

/** Why a goal is missed, and what it would take. */
const whyReads =
  'the processor of one process; a third of it is HTTP to Discord and panel, and a tenth is garbage; of the decision, the card and what the panel answers no function takes a fiftieth. It takes a lighter queue of requests to Discord than that of discord.js';
const whyChanges =
  'the processor of one process; beside the bare work a change has a connection of its own, two entries judged, sealed and synced, and a card on disk: looks at files, writes and syncs take an eighth, garbage a tenth, its cards a fourteenth, and no other part of the bot a twentieth. It takes less work for each command in many small parts';

/** A bot on a stage of its own, warmed up. */
export async function subject(
  { share }: Extent,
  closing: Closing,
  start: (stage: Stage) => Promise<unknown>,
  tasks: readonly Task[] = [read, change],
): Promise<Load> {
  const stage = await openStage(closing);
  await start(stage);
  const load = createLoad(stage.discord);
  for (const task of tasks) sound(await closed(load, task, inFlight, warmUpMs * share), 'warming up');
  return load;
}

/** How much is answered in a second when 32 always wait. */
export const throughput: Group = async (extent, closing, say) => {
  const { runs, share } = extent;
  const bare = await subject(extent, closing, (stage) => stage.bare());
  const ours = await subject(extent, closing, (stage) => stage.panelops());
  const redis = await startRedis(closing);
  const shared =
    redis === undefined
      ? undefined
      : await subject(extent, closing, (stage) => stage.panelops({ LEDGER: 'redis', REDIS_URL: redis }), [change]);
  const per = (load: Load, task: Task, what: string) => async (): Promise<number> => {
    const figure = rate(sound(await closed(load, task, inFlight, sliceMs * share), what));
    say(`${what}: ${Math.round(figure)} a second`);
    return figure;
  };
  const reads = await alternately(runs, { bare: per(bare, read, 'bare reads'), ours: per(ours, read, 'reads') });
  const changes = await alternately(runs, {
    bare: per(bare, change, 'bare changes'),
    file: per(ours, change, 'changes, file'),
    redis: shared === undefined ? none : per(shared, change, 'changes, Redis'),
  });
  const least = 'bare discord.js: an answer, one request, one edit,';
  const row = (what: string, mine: number[], theirs: number[], goal: number, why: string) => {
    const ratio = ratioOf(mine, theirs);
    const baseline = `${least} ${told(figureOf(theirs), '/s')}`;
    const isMet = ratio.median >= goal;
    return { what, baseline, ours: told(figureOf(mine), '/s'), ratio, goal: `≥ × ${goal}`, isMet, why };
  };
  return [
    row('reads, 32 in flight', reads.ours, reads.bare, 0.8, whyReads),
    row('changes, 32 in flight, file ledger, with fsync', changes.file, changes.bare, 0.5, whyChanges),
    ...(shared === undefined
      ? []
      : [
          row('changes, 32 in flight, Redis ledger, appendfsync always', changes.redis, changes.bare, 0.35, whyChanges),
        ]),
  ];
};
