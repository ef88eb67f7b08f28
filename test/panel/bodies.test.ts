import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/panel/body.ts';
import type { EndpointName } from '../../src/panel/endpoints.ts';
import { readReply } from '../../src/panel/errors.ts';
import { redactor } from '../../src/panel/redact.ts';
import { answerTo, bot, connect } from '../helpers/panel/client.ts';
import { serve } from '../helpers/panel/server.ts';

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

const deep = (levels: number, open = '[', close = ']'): string => open.repeat(levels) + 7 + close.repeat(levels);

test.each<[string, string]>([
  ['in a rule', `{"data":{"enabled":true,"rules":[${deep(9_000)}]}}`],
  ['in objects', deep(9_000, '{"a":', '}')],
  ['in an answer of another form', `{"data":{"status":"on","rules":${deep(9_000)}}}`],
  ['and never closed', '['.repeat(4_000_000)],
  ['and only just', `{"data":{"enabled":true,"rules":${deep(19)}}}`],
])('an answer that is nested deep %s is not read', async (_where, body) => {
  const { url } = await serve({ status: 200, body });
  const client = connect(url);
  const said = { kind: 'unknown', reason: 'answer-too-large', status: 200 };
  expect(await client.call('firewall', { serverId: 101, interface: 'primary' }, bot)).toEqual(said);
  expect(await client.call('powerBoot', { serverId: 101 }, bot)).toEqual(said);
  expect(await client.look(['queue', 7], bot)).toEqual(said);
});

test('brackets in texts are no nesting, and commas in texts no values', () => {
  const body = { data: { note: `${'[{'.repeat(9_000)}\\",${','.repeat(90_000)}` } };
  expect(parseJson(JSON.stringify(body))).toEqual({ body });
});

const mebibytes4 = 4 * 1024 * 1024;
/** As many of these rows as fit. */
const full = (head: string, row: unknown, tail: string, most = mebibytes4): string => {
  const one = JSON.stringify(row);
  return `${head}${Array.from({ length: Math.floor(most / (one.length + 1)) }, () => one).join(',')}${tail}`;
};
const page = '{"current_page":1,"last_page":1,"per_page":20,"from":1,"to":1,"total":1,"data":[';
const rule = { id: 1, action: 'accept', protocol: 'tcp', port: '22', source: '0.0.0.0/0', note: 'a%20b&amp;c' };
const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, `v${at}`]));

test.each<[string, EndpointName, string]>([
  ['rules', 'firewall', full('{"data":{"enabled":true,"rules":[', rule, ']}}')],
  ['lists in lists', 'firewall', deep(2_000_000)],
  ['empty objects', 'firewall', full('[', {}, ']')],
  ['groups that are none', 'groups', full(page, { id: 'x', name: rule }, ']}')],
  // What is just few enough to be read.
  ['rules that are read', 'firewall', full('{"data":{"enabled":true,"rules":[', rule, ']}}', 700_000)],
  ['groups that are none, and are read', 'groups', full(page, {}, ']}', 70_000)],
  ['traffic that is none', 'traffic', full('{"data":{"assigned":[', {}, '],"available":{"months":[]}}}', 70_000)],
  ['an object of another form', 'firewall', JSON.stringify({ other: names(49_000) })],
])('an answer full of %s delays nobody', (_what, endpoint, text) => {
  const redact = redactor('17|kR/9-a-token-of-the-panel');
  // In ms of CPU. A busy machine makes single tries slow, not all of them.
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 100 && best >= 100; tries += 1) {
    const began = process.cpuUsage();
    const parsed = parseJson(text);
    if (parsed !== 'too large') readReply(endpoint, { status: 200, headers: {}, text, ...parsed }, redact);
    const { user, system } = process.cpuUsage(began);
    best = Math.min(best, (user + system) / 1000);
  }
  expect(best).toBeLessThan(100);
});
