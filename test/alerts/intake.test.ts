import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { fires, type News, openReceiver, raw, scriptsToken, token, webhook, webhookAlert } from '../helpers/alerts.ts';
import { blocksOf } from '../helpers/docs/documents.ts';
import { readRoot } from '../helpers/house.ts';
import { until } from '../helpers/messages.ts';

/** A file of Grafana's provisioning, as far as ours goes: an unknown setting would be left out there without a word. */
const contactPoints = z.strictObject({
  apiVersion: z.literal(1),
  contactPoints: z.tuple([
    z.strictObject({
      name: z.string(),
      receivers: z.tuple([
        z.strictObject({
          uid: z.string(),
          type: z.literal('webhook'),
          settings: z.strictObject({
            url: z.url(),
            httpMethod: z.enum(['POST', 'PUT']),
            authorization_scheme: z.string(),
            authorization_credentials: z.string(),
          }),
        }),
      ]),
    }),
  ]),
});

describe('202 is said only of what is in the ledger', () => {
  it('or is nothing new', async () => {
    const { send, entries, seen } = await openReceiver();
    expect([await send(fires), await send(fires)]).toEqual([202, 202]);
    expect(entries).toMatchObject([[{ source: 'alertmanager', title: 'HostDown', servers: [{ id: 101 }] }]]);
    expect(seen).toEqual(['alertmanager taken', 'alertmanager taken']);
  });

  it('while a standby, a suspended leader or a broken ledger says 503, and when to say it again', async () => {
    const { url, send, entries, state, seen } = await openReceiver();
    state.held = false;
    expect(await send(fires)).toBe(503);
    Object.assign(state, { held: true, broken: true });
    expect(await send(fires)).toBe(503);
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/alerts/generic`, { method: 'POST', headers, body: JSON.stringify(fires) });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '15']);
    expect(entries).toEqual([]);
    state.broken = false;
    expect(await send(fires)).toBe(202);
    expect(entries).toHaveLength(1);
    expect(new Set(seen)).toEqual(new Set(['alertmanager later', 'alertmanager taken']));
  });

  it('and what could not be written begins no flood', async () => {
    const { send, entries, state } = await openReceiver();
    for (let n = 0; n < 46; n += 1) {
      state.broken = n < 25;
      expect(await send({ ...fires, key: `${n % 25}` })).toBe(state.broken ? 503 : 202);
    }
    expect(entries.flat().filter(({ group }) => group === 'flood')).toHaveLength(1);
  });

  it('but for an end, if more is remembered of a source than may be', async () => {
    const { send, entries, state } = await openReceiver();
    expect(await send(fires)).toBe(202);
    state.remembered = 50_001;
    const end = { ...fires, status: 'resolved' };
    expect([await send({ ...fires, key: 'another' }), await send(end)]).toEqual([503, 202]);
    expect(entries).toHaveLength(2);
  });

  it('after a pause between two entries', async () => {
    const { send, state } = await openReceiver({}, undefined, 200);
    expect([await send(fires), await send({ ...fires, key: 'web-2 down' })]).toEqual([202, 202]);
    const [first = 0, second = 0] = state.begun;
    // A timer may be a millisecond early.
    expect(second - first).toBeGreaterThanOrEqual(199);
  });

  it('and of a flood the ledger has one entry for many, until too many wait', async () => {
    const { send, entries, seen, state } = await openReceiver();
    let goOn = (): void => undefined;
    state.until = new Promise((resolve) => {
      goOn = resolve;
    });
    const sent = Array.from({ length: 60 }, (_, n) => {
      const of = (i: number) => webhookAlert({ instance: `host-${n}-${i}` });
      return send(
        webhook(
          Array.from({ length: 20 }, (_each, i) => of(i)),
          { groupKey: `g${n}` },
        ),
        { to: 'alertmanager' },
      );
    });
    await until(() => seen.includes('alertmanager later'), 'that too many wait');
    goOn();
    const statuses = await Promise.all(sent);
    const taken = statuses.filter((status) => status === 202).length;
    expect(new Set(statuses)).toEqual(new Set([202, 503]));
    expect(entries.flat()).toHaveLength(20 * taken);
    expect(entries.length).toBeLessThan(taken);
    // Twenty have a card of their own, and the rest share one.
    expect(new Set(entries.flat().map(({ group }) => group)).size).toBe(Math.min(taken, 21));
  });
});

describe('what is refused before it is read', () => {
  it.each([
    ['no token', {}, 'POST', '/alerts/generic', 401],
    ['another token', { authorization: 'Bearer a-token-of-the-night-shifT' }, 'POST', '/alerts/generic', 401],
    ['another scheme', { authorization: `Basic ${token}` }, 'POST', '/alerts/generic', 401],
    ['another path', { authorization: `Bearer ${token}` }, 'POST', '/alerts/generic/', 404],
    ['another method', { authorization: `Bearer ${token}` }, 'PUT', '/alerts/generic', 405],
    ['an encoding', { authorization: `Bearer ${token}`, 'content-encoding': 'gzip' }, 'POST', '/alerts/generic', 415],
    [
      'more than 1 MiB',
      { authorization: `Bearer ${token}`, 'content-length': '1048577' },
      'POST',
      '/alerts/generic',
      413,
    ],
  ])('%s', async (_what, headers: Record<string, string>, method, path, status) => {
    const { url, entries } = await openReceiver();
    const lines = Object.entries({ host: 'x', 'content-length': '9999', ...headers }).map(([k, v]) => `${k}: ${v}`);
    const answer = await raw(url, [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(entries).toEqual([]);
  });

  it('a second token beside one that counts', async () => {
    const { url, entries } = await openReceiver();
    const head = ['POST /alerts/generic HTTP/1.1', 'host: x', 'content-length: 9999'];
    const both = [`authorization: Bearer ${token}`, 'authorization: Bearer another-token-of-the-day'];
    for (const lines of [both, both.toReversed()])
      expect(await raw(url, [...head, ...lines, '', ''].join('\r\n'))).toMatch(/^HTTP\/1.1 401 /);
    expect(entries).toEqual([]);
  });

  it('a body without a length ends with the first byte beyond 1 MiB', async () => {
    const { url } = await openReceiver();
    const head = `POST /alerts/generic HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ntransfer-encoding: chunked\r\n\r\n`;
    const piece = `80000\r\n${'x'.repeat(0x80000)}\r\n`;
    expect(await raw(url, head, piece, piece, '1\r\nx\r\n')).toMatch(/^HTTP\/1.1 413 /);
  });

  it.each([
    ['in its headers', 'POST /alerts/generic HTTP/1.1\r\nhost: x\r\n'],
    [
      'in its body',
      `POST /alerts/generic HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 9\r\n\r\n{`,
    ],
  ])('who stops %s is hung up on', async (_where, text) => {
    const { url, entries } = await openReceiver({}, 300);
    expect(await raw(url, text)).toMatch(/^HTTP\/1.1 408 /);
    expect(entries).toEqual([]);
  });

  it.each([
    ['no JSON', 'generic', '{'],
    ['a list', 'generic', '[]'],
    ['an unknown member', 'generic', { ...fires, command: '/power restart server:web-1' }],
    ['no key', 'generic', { status: 'firing', title: 'x' }],
    ['a number as a label', 'alertmanager', webhook([webhookAlert({}, { labels: { instance: 1 } })])],
    ['no group', 'alertmanager', webhook([webhookAlert({})], { groupKey: '' })],
    ['no time', 'grafana', webhook([webhookAlert({}, { startsAt: 'now' })])],
  ])('a body with %s', async (_what, to, body) => {
    const { send, entries } = await openReceiver();
    expect(await send(body, { to })).toBe(400);
    expect(entries).toEqual([]);
  });
});

it("takes Grafana's body from the contact point in docs/alerts.md", async () => {
  const { url, entries } = await openReceiver();
  const point = blocksOf(readRoot('docs/alerts.md')).find(({ text }) => text.includes('contactPoints:'))?.text ?? '';
  const { settings } = contactPoints.parse(parse(point)).contactPoints[0].receivers[0];
  const alert = {
    ...webhookAlert({ instance: 'web-1', grafana_folder: 'hosts' }),
    ...{ startsAt: '2026-11-27T04:00:03.157076+02:00', values: { B: 44.2, C: 1 } },
    ...{ silenceURL: 'https://grafana.example.com/alerting/silence/new', dashboardURL: '', panelURL: '' },
  };
  const answer = await fetch(`${url}${new URL(settings.url).pathname}`, {
    method: settings.httpMethod,
    headers: { authorization: `${settings.authorization_scheme} ${token}` },
    body: JSON.stringify(
      webhook([alert], { version: '1', orgId: 1, state: 'alerting', title: '[FIRING:1] HostDown', message: 'down' }),
    ),
  });
  expect(answer.status).toBe(202);
  expect(entries.flat()).toMatchObject([{ title: 'HostDown', since: '2026-11-27T02:00:03.157Z' }]);
});

describe('an episode', () => {
  const at = (time: string, more: Record<string, unknown> = {}) =>
    webhook([webhookAlert({ instance: 'web-1' }, { startsAt: `2026-11-27T${time}:00.000Z`, ...more })]);
  const states = (entries: readonly News[]) =>
    entries.flat().map(({ state, since }) => `${state} ${since.slice(11, 16)}`);

  it('goes from its start to its end, whoever of two Alertmanagers says so and however late', async () => {
    const { send, entries } = await openReceiver();
    const say = (body: unknown) => send(body, { to: 'alertmanager' });
    await say(at('02:00'));
    await say(at('01:00', { status: 'resolved' }));
    await say(at('02:00'));
    await say(at('02:00', { status: 'resolved' }));
    await say(at('02:00', { status: 'resolved' }));
    await say(at('02:00'));
    await say(at('03:00'));
    expect(states(entries)).toEqual(['firing 02:00', 'resolved 02:00', 'firing 03:00']);
  });

  it('that nobody saw begin is recorded once', async () => {
    const { send, entries } = await openReceiver();
    await send(at('02:00', { status: 'resolved' }), { to: 'alertmanager' });
    await send(at('02:00', { status: 'resolved' }), { to: 'alertmanager' });
    expect(states(entries)).toEqual(['resolved 02:00']);
  });

  it('fires again though it says the same start, once nobody can be late with it any more', async () => {
    const { send, entries, state } = await openReceiver();
    const say = (more = {}) => send(at('02:00', more), { to: 'alertmanager' });
    await say();
    await say({ status: 'resolved' });
    state.at += 10 * 60_000;
    await say();
    state.at += 1;
    await say();
    expect(states(entries)).toEqual(['firing 02:00', 'resolved 02:00', 'firing 02:00']);
  });

  it('ends though the one of a pair that says so knows an earlier start', async () => {
    const { send, entries } = await openReceiver();
    await send(at('02:05'), { to: 'alertmanager' });
    const stale = { status: 'resolved', endsAt: '2026-11-27T02:04:00.000Z' };
    await send(at('02:00', stale), { to: 'alertmanager' });
    await send(at('02:00', { ...stale, endsAt: '2026-11-27T02:10:00.000Z' }), { to: 'alertmanager' });
    expect(states(entries)).toEqual(['firing 02:05', 'resolved 02:00']);
  });

  it('that ends and fires again before either is written fires', async () => {
    const { send, entries, state } = await openReceiver();
    await send(fires);
    let goOn = (): void => undefined;
    state.until = new Promise((resolve) => {
      goOn = resolve;
    });
    const end = send({ ...fires, status: 'resolved' });
    await until(() => state.appending, 'the end');
    const again = [send(fires), send(fires)];
    await until(() => state.asked === 4, 'that both are judged');
    goOn();
    expect(await Promise.all([end, ...again])).toEqual([202, 202, 202]);
    expect(entries.flat().map((news) => news.state)).toEqual(['firing', 'resolved', 'firing']);
  });

  it('of a group is taken, however many it has', async () => {
    const { send, entries } = await openReceiver();
    const many = Array.from({ length: 1_500 }, (_, n) => webhookAlert({ instance: `${n}` }));
    expect(await send(webhook(many), { to: 'alertmanager' })).toBe(202);
    expect(entries.flat()).toHaveLength(1_500);
  });

  it('of another source is another one', async () => {
    const { send, entries } = await openReceiver();
    await send(fires);
    await send(fires, { bearer: scriptsToken });
    expect(entries.flat().map(({ source }) => source)).toEqual(['alertmanager', 'scripts']);
  });

  it('without a name that anybody could see says so', async () => {
    const { send, entries } = await openReceiver();
    await send({ ...fires, title: '\u2800\u200b' });
    await send(webhook([webhookAlert({ alertname: '\u2800' })]), { to: 'grafana' });
    expect(entries.flat().map(({ title }) => title)).toEqual(['alert without a title', 'alert without a name']);
  });

  it('is ignored by its name, cut to a length, and says how many are left out', async () => {
    const { send, entries } = await openReceiver();
    expect(await send(webhook([webhookAlert({ alertname: 'Watchdog' })]), { to: 'alertmanager' })).toBe(202);
    expect(entries).toEqual([]);
    const summary = 'y'.repeat(10_000);
    const long = webhookAlert(
      { alertname: 'x'.repeat(10_000), instance: 'z'.repeat(10_000) },
      { annotations: { summary } },
    );
    await send(webhook([long], { truncatedAlerts: 7 }), { to: 'alertmanager' });
    expect(entries.flat()).toMatchObject([{ truncated: 7, title: 'x'.repeat(100), summary: 'y'.repeat(200) }]);
    expect(JSON.stringify(entries).length).toBeLessThan(1_500);
  });

  it('of a source that is bound to other servers names none', async () => {
    const { send, entries } = await openReceiver({ sources: [{ source: 'alertmanager', servers: ['db-*'] }] });
    // What it says, and not which server that is.
    await send({ ...fires, server: '101' });
    expect(entries.flat()).toMatchObject([{ named: ['101'] }]);
    expect(entries.flat()[0]).not.toHaveProperty('servers');
  });
});
