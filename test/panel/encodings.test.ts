import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answerTo } from '../helpers/panel/client.ts';

const answerOf = (body: Buffer, headers: Record<string, string> = {}, status = 200) =>
  answerTo('backupRestore', { status, body, headers });

const started = Buffer.from('{"data":{"jobId":9001}}');
const taken = { kind: 'yes', data: { jobId: 9001 } };

test.each<[string, Buffer, Record<string, string>]>([
  ['gzip', gzipSync(started), { 'content-encoding': 'gzip' }],
  ['gzip by its old name', gzipSync(started), { 'content-encoding': 'X-GZIP' }],
  ['gzip that nobody named', gzipSync(started), {}],
  ['deflate', deflateSync(started), { 'content-encoding': 'deflate' }],
  ['deflate without its header', deflateRawSync(started), { 'content-encoding': 'deflate' }],
  ['brotli', brotliCompressSync(started), { 'content-encoding': 'br' }],
  ['gzip in brotli', brotliCompressSync(gzipSync(started)), { 'content-encoding': 'gzip, br' }],
  ['what is called gzip and is plain', started, { 'content-encoding': 'gzip' }],
  ['what is called identity', started, { 'content-encoding': 'identity' }],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${started}`, 'utf16le'), {}],
  [
    'UTF-16 with a label',
    Buffer.from(String(started), 'utf16le'),
    { 'content-type': 'application/json; charset=utf-16le' },
  ],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${started}`), { 'content-type': 'application/json' }],
  ['a charset that nobody knows', started, { 'content-type': 'application/json; charset=klingon' }],
])('a yes in %s is read', async (_what, body, headers) => {
  expect((await answerOf(body, headers)).answer).toEqual(taken);
});

test('the words of a refusal are read in the encoding and the charset that they came in', async () => {
  const words = Buffer.from('{"errors":["Kein Gerät gewählt"]}', 'latin1');
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json; charset=iso-8859-1' };
  const { answer } = await answerOf(gzipSync(words), headers, 422);
  expect(answer).toEqual({ kind: 'no', reason: 'validation', status: 422, said: 'Kein Gerät gewählt' });
});

test.each<[string, Buffer, string, number]>([
  ['an encoding that nobody knows', started, 'zstd-42', 200],
  ['half a gzip', gzipSync(started).subarray(0, 25), 'gzip', 200],
  ['what is called brotli and is not', started, 'br', 422],
  ['what is called deflate and is not', Buffer.from('\u0007nonsense'), 'deflate', 422],
  ['four encodings', started, 'gzip, gzip, gzip, gzip', 200],
])('%s is not understood, and no byte of it is told', async (_what, body, encoding, status) => {
  const { answer } = await answerOf(body, { 'content-encoding': encoding }, status);
  expect(answer).toEqual({ kind: 'unknown', reason: 'not-understood', status });
});

test('bytes that are no text are not told', async () => {
  const { answer } = await answerOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x00, 0x41]), {}, 422);
  expect(answer).not.toHaveProperty('said');
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(300 * 1024 * 1024))],
  ['br', brotliCompressSync(Buffer.alloc(100 * 1024 * 1024))],
])('a bomb in %s is not unpacked', async (encoding, bomb) => {
  expect(bomb.length).toBeLessThan(1024 * 1024);
  const before = process.memoryUsage().rss;
  const { answer } = await answerOf(bomb, { 'content-encoding': encoding });
  expect(answer).toEqual({ kind: 'unknown', reason: 'answer-too-large', status: 200 });
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
});
