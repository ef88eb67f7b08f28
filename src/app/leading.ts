import type { Bot } from '../discord/bot.ts';
import type { LivePolicy } from '../policy/live.ts';
import { beginning, botOf, changedFacts, factsOf } from '../trail/lifecycle.ts';
import type { completed } from './options.ts';
import { embeddedRedis, openRedis, type RedisPlace, type RedisSide, sideOf } from './redis-place.ts';
import { nameLeader } from './shell.ts';
import { type Closing, inFiles, type Store } from './store.ts';
import type { inRedis } from './store-in-redis.ts';
import { refuseLost } from './trail.ts';

interface Around {
  bot: Pick<Bot, 'trail' | 'messages'>;
  processId: string;
  policy: LivePolicy;
  facts(): Record<string, string>;
  enterDiscord(): Promise<void>;
}

type Options = ReturnType<typeof completed>;

/** What the bot runs with, as the ledger keeps it. */
export const factsWith =
  ({ version, audit, panel }: Pick<Options, 'version' | 'audit' | 'panel'>, { current }: LivePolicy): Around['facts'] =>
  () =>
    factsOf({ version, audit, panel: panel.url, policy: current() });

/** What this process leads with. `panelToken`: as it is by then. */
interface Lead {
  store: Store;
  redis: RedisSide;
  panelToken: string;
}

/** Resolves once this process alone acts, and has entered Discord. */
export async function takeLead(options: Options, around: Around, closing: Closing): Promise<Lead> {
  const { redisUrl, newLedger, panel, waits } = options;
  const { bot, processId } = around;
  const enterDiscord = async (): Promise<void> => {
    waits.at('connects to Discord');
    await around.enterDiscord();
    waits.at('reads the audit channel, and asks the panel');
  };
  waits.at(redisUrl === undefined ? 'opens the ledger' : 'opens the ledger, and connects to Redis');
  if (options.ledger !== 'redis') {
    // Before anything is started that another process, if it has the folder, would not want.
    const store = await inFiles(options, closing);
    // Yours comes first: a start that fails at it, again and again, must not use up the logins that Discord gives a bot each day.
    const redis = redisUrl === undefined ? embeddedRedis(options, closing) : sideOf(await openRedis(options, closing));
    await enterDiscord();
    if (newLedger !== true) await refuseLost(options, { ...store, bot });
    return { store, redis, panelToken: panel.token };
  }
  const redis = await openRedis(options, closing);
  const { inRedis } = await import('./store-in-redis.ts');
  const { store, leading } = await inRedis({ ...options, ...redis, processId }, closing);
  if (newLedger !== true) await refuseLost(options, { ...store, bot });
  const panelToken = await wait(options, { ...around, ...leading, store, redis });
  options.gate.awake = leading.awake;
  await enterDiscord();
  return { store, redis: sideOf(redis), panelToken };
}

type Waiting = Around &
  Pick<Lead, 'store'> & { redis: RedisPlace } & Pick<Awaited<ReturnType<typeof inRedis>>['leading'], 'lead' | 'leader'>;

/** Resolves with the panel's token once this process leads, and its start is on disk. */
async function wait(
  { discord, panel, onStandby, ...options }: Options,
  { store, redis, lead, leader, ...around }: Waiting,
): Promise<string> {
  const { processId, policy, facts } = around;
  let { token } = panel;
  onStandby?.({
    vitals: { role: 'standby', redis: () => redis.connection.redis.status === 'ready' },
    reconfigure({ policy: next, panelToken = token }) {
      const before = facts();
      policy.replace(next);
      token = panelToken;
      return changedFacts(before, facts());
    },
    refuseConfiguration: () => undefined,
  });
  const begin = () => beginning({ ...store, bot: botOf(discord.token), processId, facts: facts() });
  const closeShell = await nameLeader(options, policy, leader);
  await lead(begin, options.stopping).finally(closeShell);
  onStandby?.(undefined);
  return token;
}
