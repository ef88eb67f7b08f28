import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RedisServer, startRedisServer } from '../helpers/redis-server.ts';
import { environmentFor } from '../helpers/stage.ts';
import { openSurroundings, type Surroundings } from '../helpers/surroundings.ts';
import { openRelay } from '../helpers/tcp.ts';
import { type End, type Life, settled, startLife } from './bot.ts';
import { type Entry, entriesInFolder, entriesInRedis } from './entries.ts';
import type { Random } from './random.ts';
import { newStory, type Story } from './story.ts';
import { lastLine } from './words.ts';

/** Ms from SIGTERM to the end: 20 seconds for what is under way, 10 for the rest, and a slow machine. */
const longestStop = 45_000;

/** What a world is made of. */
export interface Mode {
  ledger: 'file' | 'redis';
  /** The embedded one, or a redis-server. */
  redis: 'embedded' | 'server';
  processes: 1 | 2 | 3;
  audit: boolean;
  tls: boolean;
}

/** A place for a process of the bot, which has one life after another there. */
export interface Slot {
  name: string;
  dir: string;
  env: Record<string, string>;
  /** To the redis-server. */
  way?: Awaited<ReturnType<typeof openRelay>>;
  life?: Life;
  lives: Life[];
  /** Ends that nobody asked for. */
  surprises: { end: End; wasReady: boolean; words: string }[];
}

/** One world: Discord, panel, Redis and the processes of the bot. */
export interface Stage extends Surroundings {
  mode: Mode;
  redis?: RedisServer;
  slots: Slot[];
  story: Story;
  /** All of the ledger. Rejects while it cannot be read. */
  entries(): Promise<Entry[]>;
  close(): Promise<void>;
}

/** Opens a world in which no bot lives yet. */
export async function openStage(mode: Mode, random: Random): Promise<Stage> {
  const story = newStory();
  const around = await openSurroundings({
    discord: { limits: random.chance(0.5) ? { posts: false } : {} },
    panel: {
      restoreMs: random.between(1_000, 8_000),
      powerMs: random.between(50, 2_000),
      requestsPerMinute: 6_000,
      ...(mode.tls && { tls: true }),
    },
  });
  const { discord, panel } = around;
  const redis = mode.redis === 'server' ? await startRedisServer() : undefined;
  const top = mkdtempSync(join(tmpdir(), 'panelops-soak-'));
  if (panel.ca !== undefined) writeFileSync(join(top, 'ca.pem'), panel.ca);
  const slots: Slot[] = [];
  for (let n = 1; n <= mode.processes; n += 1) {
    const dir = join(top, `bot-${n}`);
    mkdirSync(dir);
    const way = redis && (await openRelay(redis.port));
    const env = {
      ...environmentFor(around, dir),
      ...{ LOG_LEVEL: 'debug', LEDGER: mode.ledger, HOME: top, TMPDIR: top },
      ...(panel.ca !== undefined && { PANEL_CA_FILE: join(top, 'ca.pem') }),
      ...(mode.audit && { AUDIT_CHANNEL_ID: discord.channels.audit }),
      ...(way && { REDIS_URL: way.url }),
    };
    slots.push({ name: `bot ${n}`, dir, env, ...(way && { way }), lives: [], surprises: [] });
  }
  const [first] = slots;
  if (first === undefined) throw new Error('a world has at least one process');
  return {
    ...{ mode, discord, panel, slots, story },
    ...(redis && { redis }),
    entries: async () =>
      mode.ledger === 'redis' && redis !== undefined ? entriesInRedis(redis.port) : entriesInFolder(first.dir),
    async close() {
      for (const { life } of slots) life?.kill('SIGKILL');
      await Promise.all(slots.map(({ life }) => life?.ended));
      await Promise.all(slots.map(({ way }) => way?.cut()));
      await redis?.stop();
      await around.close();
      rmSync(top, { recursive: true, force: true });
    },
  };
}

/** Begins a life where there is none, and waits until it serves or is over. */
export async function start(stage: Stage, slot: Slot): Promise<void> {
  if (slot.life !== undefined) return;
  const { story } = stage;
  const life = startLife(slot.env, slot.dir);
  slot.life = life;
  slot.lives.push(life);
  story.tell(`${slot.name} starts, process ${life.pid}`);
  void life.ended.then((end) => {
    story.tell(`${slot.name} ended with ${end}`);
    if (slot.life !== life) return;
    delete slot.life;
    slot.surprises.push({ end, wasReady: life.isReady(), words: lastLine(life.stderr()) });
    story.trouble('death')();
  });
  await settled(life);
  if (life.isReady()) story.tell(`${slot.name} serves`);
}

/** Where the process lives that acts. Of two, one was frozen or cut off, and does not know yet of the other. */
export const leaderOf = ({ slots }: Stage, random: Random): Slot => {
  const serving = slots.filter(({ life }) => life?.isReady());
  return random.pick(serving.length > 0 ? serving : slots);
};

/** Ends the life, if there is one, and waits for it; answers how it ended. */
export async function end(stage: Stage, slot: Slot, signal: 'SIGKILL' | 'SIGTERM'): Promise<End | undefined> {
  const { life } = slot;
  if (life === undefined) return undefined;
  delete slot.life;
  const over = stage.story.trouble('death');
  stage.story.tell(`${slot.name} gets ${signal}`);
  life.kill(signal);
  // One that is frozen would not hear of it.
  life.kill('SIGCONT');
  // One that does not stop in time shows as killed.
  const late = setTimeout(() => life.kill('SIGKILL'), longestStop);
  const how = await life.ended;
  clearTimeout(late);
  over();
  return how;
}
