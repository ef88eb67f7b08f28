import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { Log } from '../../src/outcome.ts';
import { loggedExport } from '../../src/traces/collector.ts';
import { startTraces } from '../../src/traces/index.ts';
import { quietLog } from '../helpers/messages.ts';

/** The URL of what answers anything with these bytes. */
async function answering(bytes: Buffer): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen on TCP');
  return `http://127.0.0.1:${address.port}`;
}

/** The log of a bot that ends with one span unsent. */
async function logOf(url: string): Promise<string[]> {
  const lines: string[] = [];
  const write = (facts: object, message: string) => lines.push(`${message} ${JSON.stringify(facts)}`);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const traces = startTraces({ url, version: '1.0.0', log });
  traces.observe.drawn('bwdhheuz7xfk', 1);
  await traces.close();
  return lines;
}

it('a collector that refuses the last spans does not hold up the end, and its text is not logged', async () => {
  const url = await answering(
    Buffer.from(
      'HTTP/1.1 400 \x9b31m@everyone\r\ncontent-length: 12\r\nconnection: close\r\n\r\nmine\x1b[31mred',
      'latin1',
    ),
  );
  expect(await logOf(url)).toEqual(['traces cannot be sent {"problem":"The collector answers 400."}']);
});

it('a failure below HTTP is named by its error code', async () => {
  const url = await answering(Buffer.from('SSH-2.0-\x1b[31mred\r\n', 'latin1'));
  expect(await logOf(url)).toEqual([
    'traces cannot be sent {"problem":"The collector gives no answer: HPE_INVALID_CONSTANT."}',
  ]);
});

/** How many of two exports right after one another are sent where the first fails. */
function sentOf(what: 'traces' | 'metrics'): number {
  let sent = 0;
  const send = loggedExport<string>(
    (_all, done) => {
      sent += 1;
      done({ code: 1 });
    },
    what,
    quietLog,
  );
  for (const all of ['one', 'two']) send(all, () => undefined);
  return sent;
}

it('after a failure traces pause, and metrics, which come once a minute, do not', () => {
  expect([sentOf('traces'), sentOf('metrics')]).toEqual([1, 2]);
});
