import { once } from 'node:events';
import { createServer, get } from 'node:https';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tunnelAgent } from '../../src/proxy.ts';
import { createCertificate } from '../../src/sandbox/panel/certificate.ts';
import { bot, connect } from '../helpers/panel/client.ts';
import { startProxy } from '../helpers/panel/proxy.ts';
import { listening } from '../helpers/tcp.ts';

const certificate = createCertificate('a private CA', undefined, ['panel.example.com']);
const timeouts = { connectMs: 300, answerMs: 5_000, syncMs: 5_000 };

function setEnvironment(env: Record<string, string>): void {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  onTestFinished(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}

/** A panel that only the proxy knows, and a client of it. `answers`: what it does with a request. */
async function behindProxy(env: Record<string, string> = {}) {
  const seen: string[] = [];
  const panel = createServer(certificate, ({ method, url }, answer) => {
    seen.push(`${method} ${url}`);
    if (!silent) answer.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"queueId":1}}');
  });
  let silent = false;
  const port = await listening(panel);
  const proxy = await startProxy(() => port);
  setEnvironment({ HTTPS_PROXY: proxy.url, ...env });
  const client = connect('https://panel.example.com', { ca: certificate.ca, timeouts });
  return {
    ...{ proxy, seen },
    boots: () => client.call('powerBoot', { serverId: 101 }, bot),
    /** Requests arrive from now on, and get no answer. */
    silence() {
      silent = true;
    },
  };
}

describe('a panel behind a proxy', () => {
  it('gets each change once, on a tunnel of its own', async () => {
    const { proxy, seen, boots } = await behindProxy();
    expect(await boots()).toMatchObject({ kind: 'yes' });
    expect(await boots()).toMatchObject({ kind: 'yes' });
    expect(proxy.asked).toEqual(['panel.example.com:443', 'panel.example.com:443']);
    expect(seen).toHaveLength(2);
  });

  it.each([
    ['refuses', 'proxy-failed'],
    ['drops', 'proxy-failed'],
    ['hangs', 'connect-timeout'],
  ] as const)('got nothing when the proxy %s: the change was not sent', async (what, reason) => {
    const { proxy, seen, boots } = await behindProxy();
    proxy.does(what);
    expect(await boots()).toEqual({ kind: 'not-sent', reason });
    expect(seen).toEqual([]);
  });

  it.each([
    ['wants another password', 'http://bot:wrong@'],
    ['wants a password', 'http://'],
  ])('got nothing when the proxy %s', async (_, login) => {
    const { proxy, seen, boots } = await behindProxy();
    process.env['HTTPS_PROXY'] = proxy.url.replace(/^.*@/, login);
    expect(await boots()).toEqual({ kind: 'not-sent', reason: 'proxy-failed' });
    expect(seen).toEqual([]);
  });

  it('got nothing when there is no proxy at its address, or no such host', async () => {
    const { boots } = await behindProxy();
    for (const proxy of ['http://127.0.0.1:9', 'http://proxy.invalid:3128', 'https://127.0.0.1:9']) {
      process.env['HTTPS_PROXY'] = proxy;
      expect(await boots()).toEqual({ kind: 'not-sent', reason: 'proxy-failed' });
    }
  });

  it('may have got a change whose tunnel was cut: nobody knows, and it is not sent again', async () => {
    const { proxy, seen, boots, silence } = await behindProxy();
    silence();
    const answer = boots();
    await expect.poll(() => seen).toHaveLength(1);
    proxy.cut();
    expect(await answer).toEqual({ kind: 'unknown', reason: 'connection-lost' });
    expect(seen).toHaveLength(1);
  });

  it('must prove its own name: the proxy cannot answer in its place', async () => {
    const { seen } = await behindProxy();
    const other = connect('https://other.example.com', { ca: certificate.ca, timeouts });
    expect(await other.call('powerBoot', { serverId: 101 }, bot)).toEqual({ kind: 'not-sent', reason: 'certificate' });
    expect(seen).toEqual([]);
  });

  it('is reached through the proxy by its IPv6 address, too', async () => {
    const { proxy } = await behindProxy();
    for (const port of ['', ':8443'])
      await connect(`https://[2001:db8::5]${port}`, { timeouts }).call('powerBoot', { serverId: 101 }, bot);
    expect(proxy.asked).toEqual(['[2001:db8::5]:443', '[2001:db8::5]:8443']);
  });

  it.each(['panel.example.com', '.example.com', '*', 'localhost,panel.example.com:443'])(
    'is reached without the proxy where NO_PROXY is %s',
    async (names) => {
      const { proxy, boots } = await behindProxy({ NO_PROXY: names });
      expect(await boots()).toMatchObject({ kind: 'not-sent' });
      expect(proxy.asked).toEqual([]);
    },
  );
});

it('A collector at a bare address must prove that address: the proxy cannot answer in its place', async () => {
  const own = createCertificate('a private CA', undefined, ['localhost']);
  const collector = createServer(own, (_, answer) => answer.end());
  const port = await listening(collector);
  const proxy = await startProxy(() => port);
  setEnvironment({ HTTPS_PROXY: proxy.url });
  const url = 'https://192.0.2.7';
  const asked = get(url, { agent: tunnelAgent(url), ca: own.ca });
  const [error] = await once(asked, 'error');
  expect(error).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID', host: '192.0.2.7' });
  expect(proxy.asked).toEqual(['192.0.2.7:443']);
});

it.each(['127.0.0.1', 'localhost', '[::1]'])('A panel at %s never goes through a proxy', async (host) => {
  const proxy = await startProxy(() => 9);
  setEnvironment({ HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, ALL_PROXY: proxy.url });
  for (const scheme of ['http', 'https']) {
    const client = connect(`${scheme}://${host}:9`, { timeouts });
    expect(await client.call('powerBoot', { serverId: 101 }, bot)).toMatchObject({ kind: 'not-sent' });
  }
  expect(proxy.asked).toEqual([]);
});
