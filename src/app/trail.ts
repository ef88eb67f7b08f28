import { setTimeout as delay } from 'node:timers/promises';
import type { Card } from '../card.ts';
import type { Alarm } from '../cards/due.ts';
import type { Messages } from '../cards/messages.ts';
import { damageCard } from '../cards/render/index.ts';
import type { Checked, TrailTrouble } from '../command.ts';
import { openAuditChannel } from '../discord/audit-channel.ts';
import type { Bot } from '../discord/bot.ts';
import type { Backlog } from '../health/vitals.ts';
import { type Ledger, LedgerMissing, Refused } from '../ledger/ledger.ts';
import { CheckStopped, type Log } from '../outcome.ts';
import type { LivePolicy } from '../policy/live.ts';
import { bySeq, type Entries } from '../runs/entries.ts';
import type { Kind } from '../runs/entry.ts';
import { contradicts } from '../runs/findings.ts';
import type { Parts } from '../shell/parts.ts';
import { createTrail, type TrailPost } from '../trail/index.ts';
import { botOf, createLifecycle, type Lifecycle } from '../trail/lifecycle.ts';
import { latest, postedIn } from '../trail/position.ts';
import { type Seals, sealKeyOf } from '../trail/seals.ts';
import { every } from '../waits.ts';
import { createChecker } from './checker.ts';
import { alarmOf } from './duties.ts';
import type { AppOptions } from './options.ts';
import type { Closing } from './store.ts';

interface Surroundings {
  ledger: Ledger;
  bot: Pick<Bot, 'trail' | 'messages'>;
  processId: string;
  seals: Seals;
  policy: Pick<LivePolicy, 'current'>;
  /** What the bot runs with, as the ledger keeps it. */
  facts(): Record<string, string>;
}

export interface TrailPart {
  trail: Parts['trail'];
  /** What the bot runs with, as the ledger keeps it. */
  facts(): Record<string, string>;
  /** Records what came of reading the configuration again. Never rejects. */
  reconfigured: Lifecycle['reconfigured'];
  /** Entries that are not in the audit channel; undefined: there is none, or that is not known. */
  backlog(): Backlog | undefined;
  /** Records the stop, and posts it if Discord answers in time. */
  stop(): Promise<void>;
}

/** How long a stop waits to post the last lines, and the delay before retrying to record the start, in ms. */
const stopPatience = 3_000;
const retry = 1_000;
/** How long startup waits for the channel to be read, in ms. Until it is, changes are refused. */
const firstRead = 3_000;

/** Records the start and the configuration; where there is an audit channel, posts every entry from now on. */
export async function startTrail(options: AppOptions, around: Surroundings, closing: Closing): Promise<TrailPart> {
  const { discord, audit, log } = options;
  const { ledger, processId } = around;
  const post = postOf(options, around);
  const isRequired = (): boolean => around.policy.current().auditChannel === 'required';
  const { facts } = around;
  // Whoever waited for the lead has recorded the start with it.
  const begun = options.ledger === 'redis';
  const lifecycle = createLifecycle({ ledger, bot: botOf(discord.token), processId, facts: facts(), begun, log });
  const end = async (): Promise<void> => {
    await lifecycle.end(post?.reach());
    await post?.close();
  };
  let ending: Promise<unknown> | undefined;
  const stop = async (): Promise<void> => {
    ending ??= Promise.race([end(), delay(stopPatience)]);
    await ending;
  };
  closing.push(stop);
  await lifecycle.begin();
  closing.push(every(retry, lifecycle.retry));
  if (post !== undefined) await Promise.race([post.begin(), delay(firstRead, undefined, { ref: false })]);
  const check = checkOf(options, around, closing);
  const damage = watchDamage({
    ...{
      ledger,
      log,
      messages: around.bot.messages,
      alarm: () => alarmOf(around.policy.current(), { audit, guild: discord.guild, ledger, seals: around.seals }),
    },
    elsewhere: audit === undefined ? [] : [audit],
    card: damageCard,
  });
  return {
    trail: {
      channel: audit,
      troubles: () =>
        [damage.trouble(), contradictionIn(ledger), isRequired() ? post?.trouble() : undefined].flatMap(
          (each) => each ?? [],
        ),
      lag: () => (isRequired() ? undefined : post?.trouble()),
      verify: () => damage.judge(check),
      acknowledge: (findings, why, actor, place) => acknowledge(around, { findings: [...findings], why, actor, place }),
    },
    facts,
    reconfigured: lifecycle.reconfigured,
    backlog: () => post?.backlog(),
    stop,
  };
}

function postOf(options: AppOptions, { ledger, bot, seals }: Surroundings): TrailPost | undefined {
  const { discord, log, intervals } = options;
  if (bot.trail === undefined) return undefined;
  return createTrail({
    ...bot.trail,
    ledger,
    bot: botOf(discord.token),
    seals,
    intervals: intervals?.trail,
    log,
  });
}

/** On its own connection, so that checking does not delay the trail. */
function checkOf(options: AppOptions, { bot }: Surroundings, closing: Closing): () => Promise<Checked> {
  const { discord, dataDir, ledger, redisUrl, log } = options;
  const id = bot.trail?.channel.id;
  const sealKey = sealKeyOf(discord.token);
  const channel = id === undefined ? undefined : { ...openAuditChannel({ ...discord, channel: id }), sealKey };
  const place = { dataDir, ...(ledger === 'redis' && redisUrl !== undefined ? { redisUrl } : {}) };
  const checker = createChecker(place, channel, options.checker);
  closing.push(checker.close);
  return async () => {
    try {
      return await checker.check();
    } catch (error) {
      if (error instanceof CheckStopped)
        log.error({ why: error.why, problem: String(error.cause ?? '') }, 'ledger check stopped before its end');
      throw error;
    }
  };
}

/** How far back to look for a trail if the ledger is empty, in pages of 100 messages. */
const lookbackPages = 10;

/** An empty ledger with a trail is a lost one: do not start a new one silently. */
export async function refuseLost(
  { dataDir, ledger: kind, log }: AppOptions,
  { ledger, bot }: Pick<Surroundings, 'ledger' | 'bot'>,
): Promise<void> {
  const channel = bot.trail?.channel;
  if (channel === undefined || ledger.entries().length > 0) return;
  const messages = await latest(channel, 1, lookbackPages).catch((error: unknown) => {
    // Changes wait until the channel has been read, which finds the trail.
    log.warn({ problem: String(error) }, 'audit channel cannot be read; whether it has a trail is unknown');
    return [];
  });
  const last = postedIn(messages).at(-1);
  if (last !== undefined)
    throw new LedgerMissing(kind === 'redis' ? 'The Redis of REDIS_URL' : dataDir, channel.id, last.to);
}

/** Another channel, or none, does not settle it either. */
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

async function acknowledge(
  { ledger, seals }: Pick<Surroundings, 'ledger' | 'seals'>,
  { place: { guild, channel, parent }, ...of }: Acknowledgement,
): Promise<boolean> {
  const entry = { kind: 'acknowledged' as const, ...of, place: { guild, channel, parent } };
  try {
    await ledger.append([{ ...entry, seal: seals.of(entry, ledger.entries()) }]);
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

interface DamageParts {
  ledger: Pick<Ledger, 'head' | 'entries'>;
  messages: Pick<Messages, 'reply'>;
  /** Whom to ping, and where; in their order, these channels where that one is not there. */
  alarm(): Alarm | undefined;
  elsewhere: readonly string[];
  card(damage: NonNullable<Checked['problem']>): Card;
  log: Log;
}

/** Holds what checks read against what this process has of the ledger. Only a check that finds it whole settles it. */
function watchDamage({ ledger, messages, elsewhere, card, log, ...parts }: DamageParts) {
  let damage: Checked['problem'];
  let isTold = false;

  async function report(damaged: NonNullable<Checked['problem']>): Promise<void> {
    const alarm = parts.alarm();
    if (alarm === undefined || isTold) return;
    isTold = true;
    const pings = alarm.roles.map((id) => `&${id}`);
    for (const channel of new Set([alarm.channel, ...elsewhere])) {
      const posted = await messages.reply({ channel }, card(damaged), pings).catch(() => undefined);
      if (posted !== undefined) return;
    }
    // The next check tries again.
    isTold = false;
    log.error({}, 'nobody could be told in Discord that the ledger is broken');
  }

  return {
    /** The same, with what this process knows better than the ledger as it lies there. */
    async judge(check: () => Promise<Checked>): Promise<Checked> {
      const before = ledger.head().seq;
      const checked = await check();
      const problem = checked.problem ?? differenceOf(checked.head, before, ledger.entries());
      // What stands behind all that is recorded is a line that is being written, or was not finished.
      damage = problem !== undefined && problem.seq <= ledger.head().seq ? problem : undefined;
      if (damage === undefined) isTold = false;
      else {
        log.error({ ...damage }, 'the ledger is not as it was written where it is kept');
        await report(damage);
      }
      return problem === undefined ? checked : { ...checked, problem };
    },
    trouble: (): TrailTrouble | undefined =>
      damage && { reason: 'ledger-damaged', words: `/audit verify found it broken at entry ${damage.seq}.` },
  };
}

/** A sound chain may be another one, or end too early. */
function differenceOf(head: Checked['head'], before: number, entries: Entries): Checked['problem'] {
  if (head.seq < before)
    return { seq: head.seq + 1, words: `it ends at entry ${head.seq}, and entry ${before} was written` };
  const same = bySeq(entries, head.seq);
  return head.seq === 0 || same === undefined || same.hash === head.hash
    ? undefined
    : { seq: head.seq, words: `entry ${head.seq} is not the one that was written` };
}
