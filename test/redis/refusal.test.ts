import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect, it, type TestContext } from 'vitest';
import { connectRedis } from '../../src/redis/connect.ts';
import { unusable } from '../../src/redis/probe.ts';
import { refusalOf } from '../../src/redis/refusal.ts';
import { describeWithRedisServer, startRedisServer } from '../helpers/redis-server.ts';

type Cleanup = Pick<TestContext, 'onTestFinished'>;

/** What is said of the Redis at this address, and what the log has of it. */
async function saidOf({ onTestFinished }: Cleanup, url: string) {
  const lines: string[] = [];
  const write = (facts: object, message: string) => lines.push(`${message} ${JSON.stringify(facts)}`);
  const log = { debug: write, info: write, warn: write, error: write };
  const { ready, close } = connectRedis(url, log);
  onTestFinished(close);
  const said = await ready(1_500).then(() => 'it is ready', unusable);
  return { said, log: lines };
}

async function guarded({ onTestFinished }: Cleanup): Promise<number> {
  const server = await startRedisServer({ requirepass: 'right' });
  onTestFinished(() => server.stop());
  return server.port;
}

async function portOf({ onTestFinished }: Cleanup, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // The address of a TCP server is an object.
  return (server.address() as AddressInfo).port;
}

describeWithRedisServer('A Redis that answers and cannot be used is not one that is down:', () => {
  it.concurrent('a wrong password is refused, and stays out of the words and the log', async ({ expect, ...test }) => {
    const { said, log } = await saidOf(test, `redis://:wrong-canary@127.0.0.1:${await guarded(test)}`);
    expect(said).toEqual({
      state: 'unusable',
      problem: 'Redis refuses the user or the password of REDIS_URL',
      remedy:
        'Put those of that Redis into REDIS_URL, as redis://user:password@host. Escape what a URL cannot hold: # is %23.',
    });
    expect(log).toEqual(['Redis refuses the user or the password of REDIS_URL {"problem":"WRONGPASS"}']);
  });

  it.concurrent('a missing password has a message of its own', async ({ expect, ...test }) => {
    const { said } = await saidOf(test, `redis://127.0.0.1:${await guarded(test)}`);
    expect(said).toEqual({
      state: 'unusable',
      problem: 'Redis wants a password, and REDIS_URL has none',
      remedy: 'Put it into REDIS_URL, as redis://:password@host, or with a user before the colon.',
    });
  });

  it.concurrent('another server is no Redis', async ({ expect, ...test }) => {
    const { said } = await saidOf(test, `redis://127.0.0.1:${await portOf(test, createHttpServer())}`);
    expect(said).toEqual({
      state: 'unusable',
      problem: 'What answers at REDIS_URL is not Redis',
      remedy: 'Check its host and port. Where that Redis speaks TLS, REDIS_URL begins with rediss://.',
    });
  });

  it.concurrent('a server that says nothing counts as unreachable', async ({ expect, ...test }) => {
    const { said } = await saidOf(test, `redis://127.0.0.1:${await portOf(test, createServer())}`);
    expect(said).toEqual({
      state: 'unusable',
      problem: 'Redis cannot be reached',
      remedy: 'Check REDIS_URL, and that Redis is up.',
    });
  });
});

/** As servers and TLS say it: in scripts of Redis 6 and 7, at the ready check, in codes of Node. */
it.each([
  ["READONLY You can't write against a read only replica. script: 89, on @user_script:1.", '', /a replica/],
  ["ERR Error running script (call to f_1): @user_script:1: -READONLY You can't write", '', /a replica/],
  ['UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)', '', /a replica/],
  ["MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", '', /a replica/],
  ["CROSSSLOT Keys in request don't hash to the same slot", '', /a Redis Cluster/],
  ['MOVED 3999 127.0.0.1:6381', '', /a Redis Cluster/],
  ['CLUSTERDOWN Hash slot not served', '', /a Redis Cluster/],
  ['ERR SELECT is not allowed in cluster mode', '', /a Redis Cluster/],
  ["OOM command not allowed when used memory > 'maxmemory'. script: 89, on @user_script:1.", '', /memory is full/],
  ['MISCONF Redis is configured to save RDB snapshots, but it is currently unable to', '', /cannot save its data/],
  ['NOREPLICAS Not enough good replicas to write.', '', /too few replicas/],
  ['LOADING Redis is loading the dataset in memory', '', /still loading/],
  ['BUSY Redis is busy running a script.', '', /a script that does not end/],
  ['ERR max number of clients reached', '', /maxclients is reached/],
  ['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', /an authority that this machine does not know/],
  ['unable to verify the first certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /an authority that this machine/],
  ['certificate has expired', 'CERT_HAS_EXPIRED', /has expired/],
  ["Hostname/IP does not match certificate's altnames", 'ERR_TLS_CERT_ALTNAME_INVALID', /for another host/],
  ['802C:error:0A00045C:SSL routines', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /wants a certificate of the bot/],
])('what Redis says has words: %s', (message, code, words) => {
  expect(refusalOf(Object.assign(new Error(message), code === '' ? {} : { code }))?.problem).toMatch(words);
});

it.each([
  ['connect ECONNREFUSED 127.0.0.1:6379', 'ECONNREFUSED'],
  ['BUSYGROUP Consumer Group name already exists', ''],
  ['WRONGTYPE Operation against a key holding the wrong kind of value', ''],
])('anything else has none: %s', (message, code) => {
  expect(refusalOf(Object.assign(new Error(message), { code }))).toBeUndefined();
});
