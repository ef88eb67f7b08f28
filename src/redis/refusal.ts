import type { RedisUnavailable } from '../outcome.ts';

export interface Refusal extends Pick<RedisUnavailable, 'problem' | 'remedy'> {
  /** It may be over soon, without anybody's doing. */
  passes?: true;
  /** Redis still answers reads. */
  readOnly?: true;
}

export const isReplica: Refusal = {
  problem: 'REDIS_URL leads to a replica, which takes no writes',
  remedy: 'Put the address of its primary into REDIS_URL, or one that follows a failover.',
  passes: true,
};
export const isCluster: Refusal = {
  problem: 'REDIS_URL leads to a Redis Cluster, which spreads keys that the bot needs in one place',
  remedy: 'Use a Redis or Valkey with cluster mode off.',
};
export const isSentinel: Refusal = {
  problem: 'REDIS_URL leads to a Sentinel, which stores nothing',
  remedy: 'Put the address of the Redis that it watches into REDIS_URL.',
};
export const isLoading: Refusal = {
  problem: 'Redis is still loading its data',
  remedy: 'Wait until it is done. The bot then connects.',
  passes: true,
};
const noDatabase: Refusal = {
  problem: 'Redis does not have, or does not open, the database at the end of REDIS_URL',
  remedy: 'Correct the number after the last slash, or allow the user SELECT.',
};
const isUntrusted: Refusal = {
  problem: 'The certificate of Redis is from an authority that this machine does not know',
  remedy: "Name a file with that authority's certificate in NODE_EXTRA_CA_CERTS, and restart the bot.",
};

/** By code and message of an error of ioredis. The message itself is never shown: an AUTH error repeats the password. */
const known: readonly [RegExp, Refusal][] = [
  [
    /\bWRONGPASS\b/,
    {
      problem: 'Redis refuses the user or the password of REDIS_URL',
      remedy:
        'Put those of that Redis into REDIS_URL, as redis://user:password@host. Escape what a URL cannot hold: # is %23.',
    },
  ],
  [
    /\bNOAUTH\b/,
    {
      problem: 'Redis wants a password, and REDIS_URL has none',
      remedy: 'Put it into REDIS_URL, as redis://:password@host, or with a user before the colon.',
    },
  ],
  [
    /^ ?(?:Unknown RESP type|Protocol error)/,
    {
      problem: 'What answers at REDIS_URL is not Redis',
      remedy: 'Check its host and port. Where that Redis speaks TLS, REDIS_URL begins with rediss://.',
    },
  ],
  [/\b(?:READONLY|MASTERDOWN|UNBLOCKED)\b/, isReplica],
  [/\b(?:CROSSSLOT|MOVED|CLUSTERDOWN|SELECT is not allowed in cluster mode)\b/, isCluster],
  [/\bLOADING\b/, isLoading],
  [
    /\bBUSY\b/,
    {
      problem: 'Redis runs a script that does not end, and answers nobody',
      remedy: 'Find out whose it is, and end it with SCRIPT KILL.',
      passes: true,
    },
  ],
  [
    /\bmax number of clients\b/,
    {
      problem: 'Redis takes no more connections: maxclients is reached',
      remedy: 'Find out what opens so many (CLIENT LIST), or raise maxclients.',
      passes: true,
    },
  ],
  [
    /\bDENIED\b/,
    {
      problem: 'Redis is in protected mode, and takes connections from its own machine alone',
      remedy: 'Give it a password (requirepass), and put that into REDIS_URL.',
    },
  ],
  [
    /\bOOM\b/,
    {
      problem: 'Redis takes no writes: its memory is full (OOM)',
      remedy: 'Raise its maxmemory, or remove what does not belong there.',
      readOnly: true,
    },
  ],
  [
    /\bMISCONF\b/,
    {
      problem: 'Redis takes no writes: it cannot save its data to disk (MISCONF)',
      remedy: 'Free space on its disk. Its own log says what failed.',
      readOnly: true,
    },
  ],
  [
    /\bNOREPLICAS\b/,
    {
      problem: 'Redis takes no writes: too few replicas are connected (NOREPLICAS)',
      remedy: 'Bring its replicas back, or lower min-replicas-to-write.',
      readOnly: true,
    },
  ],
  [/\b(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)\b/, isUntrusted],
  [
    /\bCERT_HAS_EXPIRED\b/,
    { problem: 'The certificate of Redis has expired', remedy: 'Renew it, and restart that Redis.' },
  ],
  [
    /\bERR_TLS_CERT_ALTNAME_INVALID\b/,
    {
      problem: 'The certificate of Redis is for another host than that of REDIS_URL',
      remedy: 'Use a host name in REDIS_URL that the certificate names.',
    },
  ],
  [
    /CERTIFICATE_REQUIRED/,
    {
      problem: 'Redis wants a certificate of the bot, which has none',
      remedy: 'Set "tls-auth-clients no" in redis.conf, and use a password.',
    },
  ],
];

/** As ioredis emits it and rejects with it. */
export interface RedisError extends Error {
  code?: string;
  command?: { name: string };
}

/** Why a Redis that answers cannot be used. Undefined for any other error, such as one that passes. */
export function refusalOf({ code = '', message, command }: RedisError): Refusal | undefined {
  const said = `${code} ${message}`;
  return known.find(([pattern]) => pattern.test(said))?.[1] ?? (command?.name === 'select' ? noDatabase : undefined);
}
