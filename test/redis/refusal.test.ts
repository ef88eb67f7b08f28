import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { it, type TestContext } from 'vitest';
import { connectRedis } from '../../src/redis/connect.ts';
import { unusable } from '../../src/redis/probe.ts';
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
