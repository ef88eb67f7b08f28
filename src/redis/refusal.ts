import type { RedisUnavailable } from '../outcome.ts';

type Refusal = Pick<RedisUnavailable, 'problem' | 'remedy'>;

/** By the beginning of ioredis's message. The message itself is never shown: an AUTH error repeats the password. */
const known: readonly [RegExp, Refusal][] = [
  [
    /^WRONGPASS/,
    {
      problem: 'Redis refuses the user or the password of REDIS_URL',
      remedy:
        'Put those of that Redis into REDIS_URL, as redis://user:password@host. Escape what a URL cannot hold: # is %23.',
    },
  ],
  [
    /^NOAUTH/,
    {
      problem: 'Redis wants a password, and REDIS_URL has none',
      remedy: 'Put it into REDIS_URL, as redis://:password@host, or with a user before the colon.',
    },
  ],
  [
    /^(?:Unknown RESP type|Protocol error)/,
    {
      problem: 'What answers at REDIS_URL is no Redis',
      remedy: 'Check its host and port. Where that Redis speaks TLS, REDIS_URL begins with rediss://.',
    },
  ],
];

/** Why a Redis that answers cannot be used. Undefined for any other error, such as one that passes. */
export function refusalOf({ message }: Error): Refusal | undefined {
  return known.find(([said]) => said.test(message))?.[1];
}
