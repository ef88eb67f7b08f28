import { expect, it } from 'vitest';
import { bot, connect } from '../helpers/panel/client.ts';
import { createClock, type Said, serve } from '../helpers/panel/server.ts';

const tooMany = (headers: Record<string, string>, more: object = {}): Said => ({
  status: 429,
  body: { errors: ['Too many requests.'], ...more },
  headers,
});
const refused: Said = { status: 401, body: {} };

it.each<[string, Said, string, number]>([
  ['429', tooMany({ 'retry-after': '900' }), 'The panel limits the requests of its token.', 900_000],
  [
    'lock-out',
    tooMany({ 'retry-after': '300' }, { retry_after_seconds: 300 }),
    'The panel has locked out the address of the bot.',
    300_000,
  ],
  ['401', refused, 'The panel refuses its token, and would lock out an address that goes on: nothing is sent.', 60_000],
])('A %s of the panel is named as soon as it comes, with how long it holds', async (_what, answer, words, ms) => {
  const { url } = await serve(answer);
  const named: [string, number][] = [];
  const client = connect(url, { ...createClock(), onWait: (...wait) => void named.push(wait) });
  await client.call('connect', {}, bot);
  expect(named.filter(([, held]) => held > 0)).toEqual([[words, ms]]);
});
