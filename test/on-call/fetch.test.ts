import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchFrom, isPublic } from '../../src/on-call/fetch.ts';
import { createCertificate } from '../../src/sandbox/panel/certificate.ts';

const { ca, cert, key } = createCertificate('calendars');

/** A host of calendars on this machine, and what it was asked. */
async function hostOf(answer: RequestListener) {
  const asked: { url: string | undefined; etag: string | undefined; encodings: unknown }[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    const { url, headers } = request;
    asked.push({ url, etag: headers['if-none-match'], encodings: headers['accept-encoding'] });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()));
  // A server that listens has a port.
  const { port } = server.address() as AddressInfo;
  return { asked, address: `https://localhost:${port}/secret-path/basic.ics` };
}

const never = new AbortController().signal;
const here = fetchFrom({ isPublic: () => true, ca });
const alone = fetchFrom({ isPublic, ca });
const words = async (address: string, fetch = alone): Promise<string> =>
  JSON.stringify(await fetch(address, undefined, never));

describe('a calendar is fetched', () => {
  it('once for each ETag', async () => {
    const { address, asked } = await hostOf((request, response) => {
      response.writeHead(request.headers['if-none-match'] === '"v1"' ? 304 : 200, { etag: '"v1"' }).end('Größe');
    });
    expect(await here(`${address}\n`, undefined, never)).toEqual({ kind: 'text', text: 'Größe', etag: '"v1"' });
    expect(await here(address, '"v1"', never)).toEqual({ kind: 'same' });
    expect(asked).toEqual([
      { url: '/secret-path/basic.ics', etag: undefined, encodings: undefined },
      { url: '/secret-path/basic.ics', etag: '"v1"', encodings: undefined },
    ]);
  });

  it('up to 1 MiB, and not a byte more', async () => {
    const { address } = await hostOf(({ url }, response) => {
      response.end('x'.repeat(1_048_576 + (url?.endsWith('more') ? 1 : 0)));
    });
    expect(await here(address, undefined, never)).toMatchObject({ kind: 'text' });
    expect(await words(`${address}?more`, here)).toBe('{"kind":"failed","words":"It is larger than 1 MiB."}');
  });

  it.each([
    [302, /redirects \(302\), which is not followed/],
    [304, /answered 304/],
    [404, /answered 404/],
    [500, /answered 500/],
  ])('from where its address says: %i is no calendar', async (status, told) => {
    const { address, asked } = await hostOf((_request, response) => {
      response.writeHead(status, { location: 'https://other.example/' }).end('BEGIN:VCALENDAR');
    });
    expect(await words(address, here)).toMatch(told);
    expect(asked).toHaveLength(1);
  });

  it('from a host whose certificate is trusted', async () => {
    const { address, asked } = await hostOf((_request, response) => void response.end());
    expect(await words(address, fetchFrom({ isPublic: () => true }))).toMatch(/cannot be reached \(UNABLE_TO_VERIFY/);
    expect(asked).toEqual([]);
  });

  it('until the bot stops', async () => {
    const stop = new AbortController();
    const { address } = await hostOf(() => stop.abort());
    expect(await here(address, undefined, stop.signal)).toMatchObject({ kind: 'failed' });
  });

  it.each(['http://calendar.example/', 'file:///etc/passwd', 'calendar.example', '', 'BEGIN:VCALENDAR'])(
    'by https alone: %j',
    async (address) => {
      expect(await words(address)).toMatch(/no address that begins with https/);
    },
  );

  it('from no host of this machine, by whatever name, and is not asked there', async () => {
    const { address, asked } = await hostOf((_request, response) => void response.end());
    const { port } = new URL(address);
    for (const host of ['localhost', '127.0.0.1', '127.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]'])
      expect(await words(`https://${host}:${port}/`)).toMatch(/private addresses are refused/);
    expect(asked).toEqual([]);
  });

  it('without a word of its address', async () => {
    const { address } = await hostOf((_request, response) => void response.destroy());
    for (const told of [await words(address, here), await words('https://nowhere.invalid/secret-path', here)])
      expect(told).not.toMatch(/secret|localhost|nowhere/);
  });
});

it.each<[string, boolean]>([
  ['93.184.216.34', true],
  ['2606:2800:220:1:248:1893:25c8:1946', true],
  ...[
    ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '192.168.1.1', '192.0.2.1'],
    ...['224.0.0.1', '255.255.255.255', '::', '::1', 'fe80::1', 'fc00::1', 'ff02::1', '::ffff:10.0.0.1', '2001:db8::1'],
    ...[
      '64:ff9b::a00:1',
      '64:ff9b:1::a00:1',
      '2002:a00:1::1',
      '2001:0:a00:1::1',
      'fec0::1',
      '::a00:1',
      '::ffff:0:a00:1',
    ],
    ...['4000::1', 'e000::1'],
  ].map((address): [string, boolean] => [address, false]),
])('%s is public: %s', (address, is) => {
  expect(isPublic(address)).toBe(is);
});
