import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { it, onTestFinished } from 'vitest';
import { createCertificate } from '../../../src/sandbox/panel/certificate.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { running } from '../../helpers/process.ts';
import { expectJudged } from '../../helpers/redis/judged.ts';
import { describeEachRedisServer, freePort, type Settings, startRedisServer } from '../../helpers/redis-server.ts';
import { listening, relay } from '../../helpers/tcp.ts';

/** Answers whatever it is asked with these words, or says them at once and closes. */
async function sayer(words: string, { atOnce = false } = {}): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (atOnce) socket.end(`${words}\r\n`);
    socket.on('data', (bytes) => {
      for (const _command of bytes.toString('latin1').matchAll(/^\*\d+\r$/gm)) socket.write(`${words}\r\n`);
    });
  });
  return `redis://127.0.0.1:${await listening(server)}`;
}

/** Before a real Redis, which has its say changed. */
const changing = async (port: number, change: (said: string) => string): Promise<string> => {
  const answered = (bytes: Buffer, to: Socket) => to.write(Buffer.from(change(bytes.toString('latin1')), 'latin1'));
  return (await relay(port, () => ({ answered }))).url;
};

/** A server with these arguments, which ends with the test, once it says this. */
async function serverSaying(program: string, args: readonly string[], words: string): Promise<void> {
  const server = running([program, ...args]);
  onTestFinished(async () => void (await server.end('SIGKILL')));
  await server.says(words);
}

const both = (words: string) => ({ file: words, redis: words });

describeEachRedisServer('What check calls good, a start accepts, and nothing else', (program) => {
  async function server(settings?: Settings) {
    const started = await startRedisServer(settings, program);
    onTestFinished(() => started.stop());
    return started;
  }

  /** With a TLS port beside the plain one, whose certificate nobody here trusts. */
  async function withTls() {
    const [dir, tlsPort, { cert, key, ca }] = [folder(), await freePort(), createCertificate('nobody trusts it')];
    const file = (name: string, text: string): string => {
      writeFileSync(join(dir, name), text);
      return join(dir, name);
    };
    const { port } = await server({
      'tls-port': String(tlsPort),
      'tls-cert-file': file('cert.pem', cert),
      'tls-key-file': file('key.pem', key),
      'tls-ca-cert-file': file('ca.pem', ca),
    });
    return { port, tlsPort };
  }

  /** The address of one that takes long to read what another saved. */
  async function loading(): Promise<string> {
    const { url } = await server({ appendonly: 'no', rdbcompression: 'no' });
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    for (let at = 0; at < 200; at += 1) await client.set(`key-${at}`, 'x'.repeat(2_000));
    await client.save();
    const [, dir = ''] = (await client.config('GET', 'dir')) as string[];
    const port = await freePort();
    const slowly = ['--key-load-delay', '100000', '--loading-process-events-interval-bytes', '1024'];
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', ...slowly];
    await serverSaying(program, args, 'Server initialized');
    return `redis://127.0.0.1:${port}`;
  }

  // In one test, because a start waits for five seconds before it says so.
  it('a Redis that does not come up says why', async () => {
    const { port, tlsPort } = await withTls();
    const busy = '-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.';
    const shut = '-DENIED Redis is running in protected mode because protected mode is enabled';
    const said: [string, string][] = [
      [
        `redis://127.0.0.1:${tlsPort}`,
        'That Redis speaks TLS, and REDIS_URL does not. Let REDIS_URL begin with rediss://.',
      ],
      [`rediss://127.0.0.1:${port}`, 'REDIS_URL speaks TLS (rediss://), and that Redis does not.'],
      [
        `rediss://127.0.0.1:${tlsPort}`,
        'The certificate of Redis is from an authority that this machine does not know.',
      ],
      [await loading(), 'Redis is still loading its data.'],
      [await sayer(busy), 'Redis runs a script that does not end, and answers nobody.'],
      [
        await sayer(shut, { atOnce: true }),
        'Redis is in protected mode, and takes connections from its own machine alone.',
      ],
    ];
    await Promise.all(said.map(([url, words]) => expectJudged(url, both(`wrong: ${words}`))));
  });

  it('a Sentinel is no Redis', async () => {
    const port = await freePort();
    const file = join(folder(), 'sentinel.conf');
    writeFileSync(file, `port ${port}\nbind 127.0.0.1\n`);
    await serverSaying(program, [file, '--sentinel'], 'Sentinel ID is');
    await expectJudged(
      `redis://127.0.0.1:${port}`,
      both('wrong: REDIS_URL leads to a Sentinel, which stores nothing.'),
    );
  });

  it('a proxy that ends a connection at a transaction is named', async () => {
    const { port } = await server();
    const { url } = await relay(port, () => ({
      asked: (bytes, to, end) => (/\r\nmulti\r\n/i.test(bytes.toString('latin1')) ? end() : to.write(bytes)),
    }));
    await expectJudged(url, both('wrong: Redis closed the connection, or said nothing, when the bot tried'));
  });

  it.each([
    ['6.0.16', 'warning: Redis is version 6.0.16, in', 'wrong: Redis is version 6.0.16, from which the ledger'],
    ['4.0.14', 'wrong: Redis is version 4.0.14, in', 'wrong: Redis is version 4.0.14, in which the queue'],
  ])('an old version is one: %s', async (version, file, redis) => {
    const { port } = await server();
    const change = (said: string): string =>
      // Of the same length, because the answer says how long it is.
      said.replaceAll(/valkey_version:/g, 'vvvvvv_version:').replace(/(redis_version:)[\d.]+/, (whole, name) => {
        const rest = whole.length - name.length;
        return `${name}${version}${'0'.repeat(Math.max(0, rest - version.length))}`.slice(0, whole.length);
      });
    await expectJudged(await changing(port, change), { file, redis });
  });

  it.each([
    ['Dragonfly', 'dragonfly_version:df-v1'],
    ['Garnet', 'garnet_version:00000000'],
    ['Kvrocks', 'kvrocks_version:0000000'],
  ])('a server that only speaks like Redis has its own name: %s', async (name, says) => {
    const { port } = await server();
    const change = (said: string): string => said.replace(/redis_git_sha1:\w{8}/, says);
    await expectJudged(
      await changing(port, change),
      both(`warning: This is ${name}, with which the bot was not tested.`),
    );
  });
});
