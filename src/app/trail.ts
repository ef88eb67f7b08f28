import { setTimeout as delay } from 'node:timers/promises';
import type { AppOptions } from '../app.ts';
import type { Bot } from '../discord/bot.ts';
import { openTrailDesk } from '../discord/trail-desk.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readFiles, readStream } from '../ledger/reading.ts';
import { connectRedis, type RedisHandle } from '../redis/connect.ts';
import type { Parts } from '../run/parts.ts';
import { check } from '../trail/check.ts';
import { factsOf } from '../trail/facts.ts';
import { createTrail, type TrailPost } from '../trail/index.ts';
import { botOf, createLife } from '../trail/life.ts';
import { trailMemory } from '../trail/memory.ts';
import { asides, type Closing } from './store.ts';

interface Surroundings {
  ledger: Ledger;
  bot: Pick<Bot, 'trail'>;
  connection: RedisHandle;
  url: string;
  owner: string;
}

/** The ledger, as it is told of in the audit channel. */
export interface Telling {
  /** Whatever is recorded through this one is posted. */
  ledger: Ledger;
  trail: Parts['trail'];
  /** Records the stop, and has it posted if Discord answers in time. */
  stop(): Promise<void>;
}

/** How long a stop may take for its last lines, and after what time a start that could not be recorded is tried again, in ms. */
const lastWords = 3_000;
const again = 1_000;
/** How long a start waits until the channel is read, in ms. Without that nothing may change. */
const firstRead = 3_000;

/** Records that this process is up, with what; where there is an audit channel, everything goes there from now on. */
export async function tell(options: AppOptions, around: Surroundings, closing: Closing): Promise<Telling> {
  const { discord, panel, policy, version, audit, log } = options;
  const { ledger: kept, owner } = around;
  const self = botOf(discord.token);
  const post = postOf(options, around, closing);
  const ledger: Ledger = post === undefined ? kept : heard(kept, post);
  const facts = factsOf({
    ...(version === undefined ? {} : { version }),
    ...(audit === undefined ? {} : { audit }),
    panel: panel.url,
    policy,
  });
  const life = createLife({ ledger, bot: self, owner, facts, log });
  const end = async (): Promise<void> => {
    await life.end(post?.reach());
    await post?.close();
  };
  let ending: Promise<unknown> | undefined;
  const stop = async (): Promise<void> => {
    ending ??= Promise.race([end(), delay(lastWords)]);
    await ending;
  };
  closing.push(stop);
  if (!(await life.begin())) {
    const timer = setInterval(() => void life.begin().then((begun) => begun && clearInterval(timer)), again);
    closing.push(() => Promise.resolve(clearInterval(timer)));
  }
  if (post !== undefined) await Promise.race([post.begin(), delay(firstRead, undefined, { ref: false })]);
  return {
    ledger,
    trail: { trouble: () => post?.trouble(), words: () => post?.words(), verify: verifyOf(options, around) },
    stop,
  };
}

/** The same ledger; the trail hears of what is recorded. */
const heard = (ledger: Ledger, post: TrailPost): Ledger => ({
  ...ledger,
  async append(entries) {
    const recorded = await ledger.append(entries);
    post.wake();
    return recorded;
  },
});

function postOf(options: AppOptions, around: Surroundings, closing: Closing): TrailPost | undefined {
  const { discord, log, intervals } = options;
  const { ledger, bot, connection, url } = around;
  if (bot.trail === undefined) return undefined;
  const worker = connectRedis(url, asides(log), 'forWorker');
  closing.push(() => worker.close());
  return createTrail({
    ...bot.trail,
    ledger,
    redis: { producer: connection.redis, worker: worker.redis },
    bot: botOf(discord.token),

    ...(options.ledger === 'redis' ? {} : { memory: trailMemory(options.dataDir, log) }),
    ...(intervals?.trail === undefined ? {} : { intervals: intervals.trail }),
    log,
  });
}

/** One check at a time, which all share who ask meanwhile, over a connection of its own: it holds up no line of the trail. */
function verifyOf(
  { ledger, dataDir, discord }: AppOptions,
  { bot, connection }: Surroundings,
): Parts['trail']['verify'] {
  const read = () => (ledger === 'redis' ? readStream(connection.redis) : readFiles(dataDir));
  const channel = bot.trail?.channel;
  const place = channel === undefined ? undefined : { id: channel, desk: openTrailDesk({ ...discord, channel }) };
  let running: ReturnType<typeof check> | undefined;
  return () => {
    running ??= check(read, place).finally(() => {
      running = undefined;
    });
    return running;
  };
}
