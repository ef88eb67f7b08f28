import { alternately, type Extent, type Group, rate, sound } from './group.ts';
import { change, closed, createLoad, type Load, read, type Task } from './load.ts';
import { figureOf, ratioOf, told } from './numbers.ts';
import type { Closing } from './processes.ts';
import { startRedis } from './redis.ts';
import { openStage, type Stage } from './stage.ts';

const inFlight = 32;
const none = (): Promise<number> => Promise.resolve(Number.NaN);
const sliceMs = 4_000;

/** A bot on a stage of its own, warmed up. */
export async function subject(
  closing: Closing,
  start: (stage: Stage) => Promise<unknown>,
  tasks: readonly Task[] = [read, change],
): Promise<Load> {
  const stage = await openStage(closing);
  await start(stage);
  const load = createLoad(stage.discord);
  for (const task of tasks) sound(await closed(load, task, 8, 700), 'warming up');
  return load;
}

/** How much is answered in a second when 32 always wait. */
export const throughput: Group = async ({ runs, share }: Extent, closing, say) => {
  const bare = await subject(closing, (stage) => stage.bare());
  const ours = await subject(closing, (stage) => stage.panelops());
  const redis = await startRedis(closing);
  const shared =
    redis === undefined
      ? undefined
      : await subject(closing, (stage) => stage.panelops({ LEDGER: 'redis', REDIS_URL: redis }), [change]);
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
  const least = 'bare discord.js: reply, one request, one edit';
  const row = (what: string, mine: number[], theirs: number[], goal: number) => {
    const ratio = ratioOf(mine, theirs);
    const baseline = `${least}: ${told(figureOf(theirs), '/s')}`;
    return {
      what,
      baseline,
      ours: told(figureOf(mine), '/s'),
      ratio,
      goal: `≥ × ${goal}`,
      isMet: ratio.median >= goal,
    };
  };
  return [
    row('reads, 32 in flight', reads.ours, reads.bare, 0.8),
    row('changes, 32 in flight, file ledger, with fsync', changes.file, changes.bare, 0.5),
    ...(shared === undefined
      ? []
      : [row('changes, 32 in flight, Redis ledger, appendfsync always', changes.redis, changes.bare, 0.5)]),
  ];
};
