import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { canFillDisk, embeddedRedisOf, limitFiles } from './bot.ts';
import type { Random } from './random.ts';
import { leaderOf, type Mode, type Slot, type Stage } from './stage.ts';

type Undo = () => Promise<void>;
type Strike = (stage: Stage, random: Random) => Promise<Undo>;

const none: Undo = () => Promise.resolve();

/** The troubles that silence a ledger in Redis, or whoever writes it. */
export const redisFaults = ['redis frozen', 'redis cut', 'redis killed', 'redis emptied', 'leader frozen'] as const;

const kinds: Readonly<Record<string, Strike>> = {
  'redis frozen': freeze,
  'redis cut': cut,
  'redis killed': kill,
  'redis emptied': empty,
  'disk full': fill,
  'leader frozen': freezeLeader,
};

/** What can go wrong on the machine in this mode. */
export function machineFaults({ ledger, redis, processes }: Mode): string[] {
  return Object.keys(kinds).filter((kind) => {
    if (kind === 'disk full') return canFillDisk;
    if (kind === 'leader frozen') return processes > 1;
    if (kind === 'redis cut' || kind === 'redis killed') return redis === 'server';
    // A ledger that somebody empties is gone: the bot refuses it, which its own tests look at.
    return kind !== 'redis emptied' || ledger === 'file';
  });
}

/** Begins it; answers how to end it. */
export async function strikeMachine(stage: Stage, kind: string, random: Random): Promise<Undo> {
  const strike = kinds[kind];
  if (strike === undefined) throw new Error(`no fault of the machine: ${kind}`);
  const over = stage.story.trouble(kind);
  const undo = await strike(stage, random);
  return async () => {
    await undo();
    over();
  };
}

function freeze({ redis, slots }: Stage): Promise<Undo> {
  if (redis !== undefined) {
    redis.freeze();
    return Promise.resolve(() => Promise.resolve(redis.thaw()));
  }
  const pids = slots.flatMap(({ life }) => (life === undefined ? [] : (embeddedRedisOf(life.pid) ?? [])));
  for (const pid of pids) send(pid, 'SIGSTOP');
  return Promise.resolve(() => {
    for (const pid of pids) send(pid, 'SIGCONT');
    return Promise.resolve();
  });
}

function freezeLeader(stage: Stage, random: Random): Promise<Undo> {
  const { life, name } = leaderOf(stage, random);
  stage.story.tell(`${name} gets SIGSTOP`);
  life?.kill('SIGSTOP');
  return Promise.resolve(() => Promise.resolve(life?.kill('SIGCONT')));
}

async function cut(stage: Stage, random: Random): Promise<Undo> {
  const { way, name } = leaderOf(stage, random);
  stage.story.tell(`${name} is cut off from Redis`);
  await way?.cut();
  return async () => way?.mend();
}

async function kill({ redis }: Stage): Promise<Undo> {
  await redis?.kill();
  return async () => redis?.restart();
}

/** The embedded one is killed and comes back empty; the other one is told to forget. */
async function empty({ redis, slots }: Stage): Promise<Undo> {
  if (redis !== undefined) {
    await flush(redis.port);
    return none;
  }
  for (const { life } of slots) {
    const pid = life && embeddedRedisOf(life.pid);
    if (pid !== undefined) send(pid, 'SIGKILL');
  }
  return none;
}

/** One that is frozen or gone cannot be told anything: then this is nothing. */
async function flush(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(1_000, () => socket.destroy());
  socket.on('error', () => undefined).write('FLUSHALL\r\n');
  socket.once('data', () => socket.destroy());
  // Not once(): that would reject where the connection is refused.
  await new Promise((resolve) => socket.on('close', resolve));
}

/** No file of one process grows any more: either none at all, or not the ledger. */
function fill({ slots }: Stage, random: Random): Promise<Undo> {
  const slot = random.pick(slots);
  const { life } = slot;
  if (life === undefined) return Promise.resolve(none);
  limitFiles(life.pid, random.chance(0.3) ? 0 : largest(slot) + random.between(0, 3_000));
  return Promise.resolve(() => {
    limitFiles(life.pid, 'unlimited');
    return Promise.resolve();
  });
}

const largest = ({ dir }: Slot): number =>
  readdirSync(dir).reduce(
    (most, name) => Math.max(most, statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
