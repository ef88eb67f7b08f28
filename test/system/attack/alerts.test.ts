import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fires, openNight, openReceiver, raw, token, webhook, webhookAlert } from '../../helpers/alerts.ts';
import { until } from '../../helpers/messages.ts';

const authorized = `authorization: Bearer ${token}`;
const json = JSON.stringify(fires);
const length = `content-length: ${json.length}`;
const chunked = 'transfer-encoding: chunked';
const inChunks = `${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`;

/** A request, as it is on the wire. */
const wire = (headers: readonly string[], body = '', path = '/alerts/generic'): string =>
  [`POST ${path} HTTP/1.1`, 'host: x', ...headers, '', body].join('\r\n');

describe('a request that is not as it should be', () => {
  it.each<[string, string, number]>([
    ['a token that only begins right', wire([`authorization: Bearer ${token.slice(0, -1)}`, length], json), 401],
    ['a token with more behind it', wire([`authorization: Bearer ${token}x`, length], json), 401],
    ['a token with a space behind the scheme', wire([`authorization: Bearer  ${token}`, length], json), 401],
    ['a token and another, with a comma', wire([`authorization: Bearer ${token}, Bearer x`, length], json), 401],
    ['the token twice', wire([authorized, authorized, length], json), 401],
    ['the token in a folded header', wire([`authorization: Bearer\r\n ${token}`, length], json), 400],
    ['the token in another header', wire([`x-authorization: Bearer ${token}`, length], json), 401],
    ['the token in the path', wire([length], json, `/alerts/generic?authorization=Bearer%20${token}`), 401],
    ['the name of a source as its token', wire(['authorization: Bearer alertmanager', length], json), 401],
    ['no token at all, as Bearer', wire(['authorization: Bearer ', length], json), 401],
    ['two lengths', wire([authorized, 'content-length: 1', length], json), 400],
    ['a length and chunks', wire([authorized, length, chunked], inChunks), 400],
    ['chunks in an encoding of their own', wire([authorized, 'transfer-encoding: chunked, gzip'], inChunks), 400],
    ['a length that is none', wire([authorized, 'content-length: +5'], json), 400],
    ['headers of 20 kB', wire([authorized, `x: ${'y'.repeat(20_000)}`, length], json), 431],
    ['a method that tunnels', `CONNECT x:443 HTTP/1.1\r\nhost: x\r\n${authorized}\r\n\r\n`, 0],
    ['no host', `POST /alerts/generic HTTP/1.1\r\n${authorized}\r\n${length}\r\n\r\n${json}`, 400],
    ['a path with dots', wire([authorized, length], json, '/alerts/x/../generic'), 404],
    ['a path with escapes', wire([authorized, length], json, '/alerts/%67eneric'), 404],
    ['a path of what every object has', wire([authorized, length], json, '/alerts/constructor'), 404],
    ['the path as a whole URL', wire([authorized, length], json, 'http://x/alerts/generic'), 404],
  ])('%s', async (_what, request, status) => {
    const { url, entries } = await openReceiver({}, 300);
    const answer = await raw(url, request);
    expect(Number(/^HTTP\/1.1 (\d+) /.exec(answer)?.[1] ?? 0)).toBe(status);
    expect(entries).toEqual([]);
  });

  it('that is cut in two by another is one request, and the other is judged by itself', async () => {
    const { url, entries } = await openReceiver({}, 300);
    const smuggled = wire([length], json);
    const answer = await raw(url, wire([authorized, 'content-length: 2'], `{}${smuggled}`));
    expect([...answer.matchAll(/^HTTP\/1.1 (\d+) /gm)].map(([, status]) => status)).toEqual(['400', '401']);
    expect(entries).toEqual([]);
  });

  it('whoever says nothing keeps nobody out, however often they connect', async () => {
    const { url, send, entries } = await openReceiver();
    const { hostname, port } = new URL(url);
    const silent = Array.from({ length: 1_100 }, () => connect(Number(port), hostname).on('error', () => undefined));
    onTestFinished(() => {
      for (const each of silent) each.destroy();
    });
    await Promise.all(silent.map((each) => once(each, 'connect')));
    await send(fires);
    expect(entries).toHaveLength(1);
  });

  it('whoever takes no answer keeps no connection', async () => {
    const { url } = await openReceiver({}, 50);
    // It is hung up on: else this would never end.
    await raw(url, wire([authorized, length], json));
  });

  it.each<[string, string | Record<string, unknown>, number]>([
    ['deep lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 400],
    ['deep objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 400],
    ['a mark of its order of bytes', `\ufeff${json}`, 400],
    ['the prototype as a member', `{"__proto__": {"status": "firing"}, ${json.slice(1)}`, 400],
    ['a key that repeats, with another server', `${json.slice(0, -1)}, "server": 101}`, 400],
    ['half a letter', { ...fires, title: 'x\ud83d' }, 202],
    ['a number as a title', { ...fires, title: 5 }, 400],
    ['a key of 201 characters', { ...fires, key: 'x'.repeat(201) }, 400],
    ['a status that is none', { ...fires, status: 'pending' }, 400],
  ])('a body with %s', async (_what, body, status) => {
    const { send, entries } = await openReceiver();
    expect(await send(body)).toBe(status);
    expect(entries).toHaveLength(status === 202 ? 1 : 0);
  });
});

describe('labels', () => {
  const named = async (labels: Record<string, string>, rules: Record<string, unknown> = {}) => {
    const { send, entries } = await openReceiver(rules);
    expect(await send(webhook([webhookAlert(labels)]), { to: 'alertmanager' })).toBe(202);
    const [news] = entries.flat();
    return news?.servers?.map(({ id }) => id) ?? news?.named;
  };

  it.each<[string, Record<string, string>, Record<string, unknown>, unknown]>([
    ['that are called as what every object has', { instance: 'web-1' }, { labels: ['constructor', 'instance'] }, [101]],
    ['that look like a name', { instance: 'wеb-1' }, {}, ['wеb-1']],
    ['of several servers in one', { instance: 'web-1,db-1' }, {}, ['web-1,db-1']],
    ['of a group of servers', { server: 'web-*' }, {}, ['web-*']],
    ['with an option of a command', { server: '101 reason:x' }, {}, ['101 reason:x']],
    ['with two ports', { instance: 'web-1:80:90' }, {}, ['web-1:80:90']],
    [
      'of a domain that only ends like ours',
      { host: 'web-1.evilexample.com' },
      { domains: ['example.com'] },
      ['web-1.evilexample.com'],
    ],
    [
      'of a domain of ours below another',
      { host: 'web-1.example.com.evil.example' },
      { domains: ['example.com'] },
      ['web-1.example.com.evil.example'],
    ],
    ['of nothing but space', { instance: ' \t' }, {}, []],
  ])('%s', async (_what, labels, rules, expected) => {
    expect(await named(labels, rules)).toEqual(expected);
  });
});

describe('links go only where the policy says', () => {
  it.each([
    ['https://runbooks.example.com/a', 'https://runbooks.example.com/a'],
    ['https://RUNBOOKS.example.com/a)b', 'https://runbooks.example.com/a)b'],
    ['http://runbooks.example.com/a', undefined],
    ['https://runbooks.example.com.evil.example/a', undefined],
    ['https://user@runbooks.example.com/a', undefined],
    ['https://evil.example/?https://runbooks.example.com', undefined],
    ['https://runbooks.example.com:8443/a', 'https://runbooks.example.com:8443/a'],
    ['https://runbooks.example.com./a', undefined],
    ['https://rünbooks.example.com/a', undefined],
    ['https://evil.example\\@runbooks.example.com/a', undefined],
    ['https://runbooks.example.com/a\nb', 'https://runbooks.example.com/a%20b'],
    ['javascript:alert(1)', undefined],
    ['javascript://runbooks.example.com/%0aalert(1)', undefined],
  ])('%s', async (runbook_url, runbook) => {
    const { send, entries } = await openReceiver({ 'link-hosts': ['runbooks.example.com'] });
    await send(webhook([webhookAlert({}, { annotations: { runbook_url } })]), { to: 'grafana' });
    expect(entries.flat()[0]?.runbook).toBe(runbook);
    expect(entries.flat()[0]?.link).toBeUndefined();
  });
});

describe('what a source says, on cards and beyond', () => {
  const hostile = '@everyone <@&1200000000000000001> [x](https://evil.example) `**\u202e\u001b[31m\u200b# ||a||\n> b';

  it('is no mention, link or markup, and what it says of other people is a word in code', async () => {
    const suggest = ', suggest: [{ alert: HostDown, command: "/power restart server:{server}" }]';
    const { world, send } = await openNight({}, suggest);
    const labels = { alertname: hostile, severity: hostile, instance: hostile };
    const more = { annotations: { summary: hostile, runbook_url: hostile }, generatorURL: hostile };
    await send(webhook([webhookAlert(labels, more)]), { to: 'alertmanager' });
    await until(() => world.discord.messages('alice', 'ops').length === 1, 'the card');
    await world.bob.clicks('Start incident');
    await until(() => world.discord.threads().length === 1, 'the thread');
    const [thread] = world.discord.threads();
    await until(() => world.discord.messages('alice', thread?.id ?? '').length === 1, 'its first message');
    await world.bob.types('/incident end', thread?.id);
    const all = ['ops', thread?.id ?? ''].flatMap((place) => world.discord.messages('alice', place));
    for (const { content, embeds, mentions } of all) {
      // Whom the policy pings, which the bot says itself.
      const said = content.replace(/ <@&1200000000000000002> <@&1200000000000000003>$/, '');
      const text = [said, ...embeds.map(({ description }) => description ?? '')].join('\n');
      const outside = text.replaceAll(/`[^`]*`/g, '');
      for (const part of ['@everyone', '<@&12', 'evil.example', '||', '\u202e', '\u001b', '\u200b'])
        expect(outside).not.toContain(part);
      expect([mentions.everyone, mentions.roles.includes('1200000000000000001')]).toEqual([false, false]);
    }
  });
});
