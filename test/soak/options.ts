import { parseArgs } from 'node:util';
import { hasRedisServer } from '../helpers/redis-server.ts';
import { canFillDisk } from './bot.ts';
import type { Random } from './random.ts';
import type { Mode } from './stage.ts';

/** What was asked for. */
export interface Options {
  seeds: readonly number[];
  minutes: number;
  ledger: 'file' | 'redis' | 'both';
  /** Left out: either. */
  processes?: Mode['processes'];
}

export const usage =
  'npm run soak -- --seeds 20 --minutes 30 [--ledger file|redis|both] [--processes 1|2|3] [--seed 17]';

const counts = [1, 2, 3] as const;

/** Reads the arguments; throws an error that names the one that is wrong, and what is right. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '20' },
      minutes: { type: 'string', default: '30' },
      ledger: { type: 'string', default: 'both' },
      processes: { type: 'string' },
      seed: { type: 'string' },
    },
  });
  const count = numberOf('--seeds', values.seeds, 1, 100_000);
  const { ledger, processes, seed } = values;
  if (ledger !== 'file' && ledger !== 'redis' && ledger !== 'both')
    throw new Error(`--ledger ${ledger}: write file, redis or both`);
  const many = processes === undefined ? undefined : counts.find((each) => String(each) === processes);
  if (many === undefined && processes !== undefined) throw new Error(`--processes ${processes}: write 1, 2 or 3`);
  const areSeveral = many !== undefined && many > 1;
  if (ledger === 'file' && areSeveral)
    throw new Error(`--processes ${many}: a ledger in a file is for one process; write --ledger redis`);
  if (ledger !== 'file' && !hasRedisServer && (ledger === 'redis' || areSeveral))
    throw new Error('--ledger redis: there is no redis-server here; install it, or write --ledger file');
  return {
    seeds:
      seed === undefined
        ? Array.from({ length: count }, (_, index) => index + 1)
        : [numberOf('--seed', seed, 0, 2 ** 31)],
    minutes: numberOf('--minutes', values.minutes, 0.1, 10_000),
    ledger: areSeveral ? 'redis' : ledger,
    ...(many === undefined ? {} : { processes: many }),
  };
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= least && number <= most && (name === '--minutes' || Number.isInteger(number)))
    return number;
  throw new Error(`${name} ${text}: write a number from ${least} to ${most}`);
}

/** What the world of a seed is made of, as far as the options leave it open. */
export function modeOf({ ledger, processes }: Options, random: Random): Mode {
  const kind = ledger === 'both' ? random.pick(['file', 'redis'] as const) : ledger;
  const several = random.pick(counts);
  const server = random.chance(0.5);
  const isShared = kind === 'redis' && hasRedisServer;
  return {
    ledger: isShared ? 'redis' : 'file',
    redis: isShared || (server && hasRedisServer) ? 'server' : 'embedded',
    processes: isShared ? (processes ?? several) : 1,
    audit: random.chance(0.6),
    tls: random.chance(0.3),
  };
}

/** What is not tried here, with the reason. */
export const leftOut = (): string[] => [
  ...(hasRedisServer ? [] : ['a ledger in Redis, and several processes: no redis-server']),
  ...(canFillDisk ? [] : ['a full disk: no prlimit (util-linux)']),
];
