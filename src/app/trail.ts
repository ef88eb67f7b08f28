import { setTimeout as delay } from 'node:timers/promises';
import { damageCard } from '../cards/render/index.ts';
import type { Checked, TrailTrouble } from '../command.ts';
import { defined } from '../defined.ts';
import { openAuditChannel } from '../discord/audit-channel.ts';
import type { Bot } from '../discord/bot.ts';
import { type Ledger, LedgerMissing, Refused } from '../ledger/ledger.ts';
import { CheckStopped } from '../outcome.ts';
import type { Parts } from '../run/parts.ts';
import type { Kind } from '../runs/entry.ts';
import { contradicts } from '../runs/findings.ts';
import { factsOf } from '../trail/facts.ts';
import { createTrail, type TrailPost } from '../trail/index.ts';
import { botOf, createLife } from '../trail/life.ts';
import { latest, postedIn } from '../trail/reader.ts';
import { createChecker } from './checker.ts';
import { watchDamage } from './damage.ts';
import { alarmOf } from './duties.ts';
import type { AppOptions } from './options.ts';
import type { Closing } from './store.ts';

interface Surroundings {
  ledger: Ledger;
  bot: Pick<Bot, 'trail' | 'messages'>;
  processId: string;
  /** The lease of what one process does at a time; `ttl` in ms. Without others, this one always has it. */
  isLeader(name: string, ttl?: number): () => Promise<boolean>;
}

/** The ledger, as it is posted to the audit channel. */
export interface TrailPart {
  trail: Parts['trail'];
  /** Records the stop, and has it posted if Discord answers in time. */
  stop(): Promise<void>;
}

/** How long a stop may take for its last lines, and after what time a start that could not be recorded is tried again, in ms. */
const farewell = 3_000;
const retry = 1_000;
/** How long a start waits until the channel is read, in ms. Without that nothing may change. */
const firstRead = 3_000;
/** How long a process posts without asking again, in ms. */
const lease = 10_000;

/** Records that this process is up, with what; where there is an audit channel, everything goes there from now on. */
export async function startTrail(options: AppOptions, around: Surroundings, closing: Closing): Promise<TrailPart> {
  const { discord, panel, policy, version, audit, log } = options;
  const { ledger, processId } = around;
  const post = postOf(options, around);
  const facts = factsOf({
    ...defined({ version, audit }),
    panel: panel.url,
    policy,
  });
  if (options.newLedger !== true) await refuseLost(options, around);
  const life = createLife({ ledger, bot: botOf(discord.token), processId, facts, log });
  const end = async (): Promise<void> => {
    await life.end(post?.reach());
    await post?.close();
  };
  let ending: Promise<unknown> | undefined;
  const stop = async (): Promise<void> => {
    ending ??= Promise.race([end(), delay(farewell)]);
    await ending;
  };
  closing.push(stop);
  if (!(await life.begin())) {
    const timer = setInterval(() => void life.begin().then((begun) => begun && clearInterval(timer)), retry);
    closing.push(() => Promise.resolve(clearInterval(timer)));
  }
  if (post !== undefined) await Promise.race([post.begin(), delay(firstRead, undefined, { ref: false })]);
  const check = checkOf(options, around, closing);
  const damage = watchDamage({
    ...{ ledger, log, messages: around.bot.messages, alarm: alarmOf(policy, { audit, guild: discord.guild }) },
    elsewhere: audit === undefined ? [] : [audit],
    card: damageCard,
  });
  return {
    trail: {
      troubles: () => [damage.trouble(), contradictionIn(ledger), post?.trouble()].flatMap((each) => each ?? []),
      verify: () => damage.judge(check),
      acknowledge: (findings, why, actor, place) => acknowledge(ledger, { findings: [...findings], why, actor, place }),
    },
    stop,
  };
}

function postOf(options: AppOptions, { ledger, bot, isLeader }: Surroundings): TrailPost | undefined {
  const { discord, log, intervals } = options;
  if (bot.trail === undefined) return undefined;
  return createTrail({
    ...bot.trail,
    ledger,
    bot: botOf(discord.token),
    isLeader: isLeader(`trail:${bot.trail.channel.id}`, lease),
    ...defined({ intervals: intervals?.trail }),
    log,
  });
}

/** Over a connection of its own: it holds up no line of the trail. */
function checkOf(options: AppOptions, { bot }: Surroundings, closing: Closing): () => Promise<Checked> {
  const { discord, dataDir, ledger, redisUrl, log } = options;
  const id = bot.trail?.channel.id;
  const channel = id === undefined ? undefined : openAuditChannel({ ...discord, channel: id });
  const place = { dataDir, ...(ledger === 'redis' && redisUrl !== undefined ? { redisUrl } : {}) };
  const checker = createChecker(place, channel, options.checker);
  closing.push(checker.close);
  return async () => {
    try {
      return await checker.check();
    } catch (error) {
      if (error instanceof CheckStopped)
        log.error({ why: error.why, problem: String(error.cause ?? '') }, 'the ledger was not checked to its end');
      throw error;
    }
  };
}

/** How far back the channel of an empty ledger is looked through for a trail, in pages of a hundred. */
const lookedThrough = 10;

/** A ledger that is empty where it once was not must not be taken for a new one. */
async function refuseLost({ dataDir, ledger: kind, log }: AppOptions, { ledger, bot }: Surroundings): Promise<void> {
  const channel = bot.trail?.channel;
  if (channel === undefined || ledger.entries().length > 0) return;
  const messages = await latest(channel, 1, lookedThrough).catch((error: unknown) => {
    // Nothing may change before it was read, and what it has is found then.
    log.warn(
      { problem: String(error) },
      'the audit channel cannot be read: it is not known whether there was a ledger',
    );
    return [];
  });
  const last = postedIn(messages).at(-1);
  if (last !== undefined)
    throw new LedgerMissing(kind === 'redis' ? 'The Redis of REDIS_URL' : dataDir, channel.id, last.to);
}

/** Not even another channel, or none, makes that go away. */
function contradictionIn(ledger: Pick<Ledger, 'findings'>): TrailTrouble | undefined {
  const open = ledger.findings().find(({ found, acknowledged }) => acknowledged === undefined && contradicts(found));
  if (open === undefined) return undefined;
  const { channel, seq } = open.found;
  return {
    reason: 'trail-contradicted',
    words: `<#${channel}> has entries that the ledger does not have (finding no. ${seq}).`,
  };
}

type Acknowledgement = Pick<Kind<'acknowledged'>, 'findings' | 'why' | 'actor' | 'place'>;

async function acknowledge(ledger: Pick<Ledger, 'append'>, { place, ...of }: Acknowledgement): Promise<boolean> {
  const { guild, channel, parent } = place;
  try {
    await ledger.append([{ kind: 'acknowledged', ...of, place: { guild, channel, ...defined({ parent }) } }]);
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}
