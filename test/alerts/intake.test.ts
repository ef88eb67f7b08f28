import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createReceive } from '../../src/alerts/receive.ts';
import { LedgerUnavailable } from '../../src/outcome.ts';
import { alerts as alertRules } from '../../src/policy/alerts.ts';
import { openAlerts } from '../../src/runs/alerts.ts';
import type { NewEntry } from '../../src/runs/entry.ts';
import { fires, openIntake, scriptsToken, sendTo, token, webhook, webhookAlert } from '../helpers/alerts.ts';
import { quietLog, until } from '../helpers/messages.ts';

const channel = '1300000000000000001';
type News = Extract<NewEntry, { kind: 'alert'; step: 'received' }>['news'];

/** Where alerts come in, and what the ledger has of them. */
async function open(rules: Record<string, unknown> = {}, patience?: number) {
  const alerts = openAlerts();
  const entries: News[] = [];
  const seen: string[] = [];
  const state = { held: true, broken: false, until: Promise.resolve(), at: Date.parse('2026-11-27T02:00:00Z') };
  const receiver = createReceive({
    ledger: {
      alerts,
      isHeld: () => state.held,
      async append(all) {
        await state.until;
        if (state.broken) return Promise.reject(new LedgerUnavailable('the disk is full'));
        for (const entry of all) {
          if (entry.kind !== 'alert' || entry.step !== 'received') continue;
          entries.push(entry.news);
          const seq = entries.length;
          const sealed = { ...entry, seq, time: new Date(state.at).toISOString(), prev: '', hash: '' };
          alerts.take(sealed);
        }
        return [];
      },
    },
    rules: () => alertRules.parse({ channel, ...rules }),
    find: (text) => (/^(web-1|101)$/.test(text) ? { id: 101, name: 'web-1' } : undefined),
    now: () => state.at,
    log: quietLog,
    pause: 0,
  });
  const observe = (source: string | undefined, outcome: string) => void seen.push(`${source} ${outcome}`);
  const intake = await openIntake({ observe, ...(patience === undefined ? {} : { patience }) });
  intake.take(receiver.receive);
  onTestFinished(() => receiver.close());
  return { url: intake.url, send: sendTo(intake.url), entries, seen, state };
}

/** What comes back to bytes as they are, until the connection closes. */
function raw(url: string, ...pieces: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

describe('202 is said only of what is in the ledger', () => {
  it('or is nothing new', async () => {
    const { send, entries, seen } = await open();
    expect([await send(fires), await send(fires)]).toEqual([202, 202]);
    expect(entries).toMatchObject([[{ source: 'alertmanager', title: 'HostDown', servers: [{ id: 101 }] }]]);
    expect(seen).toEqual(['alertmanager taken', 'alertmanager taken']);
  });

  it('while a standby, a suspended leader or a broken ledger says 503, and when to say it again', async () => {
    const { url, send, entries, state, seen } = await open();
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

  it('and of a flood the ledger has one entry for many, until too many wait', async () => {
    const { send, entries, seen, state } = await open();
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
    const { url, entries } = await open();
    const lines = Object.entries({ host: 'x', 'content-length': '9999', ...headers }).map(([k, v]) => `${k}: ${v}`);
    const answer = await raw(url, [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(entries).toEqual([]);
  });

  it('a body without a length ends at 1 MiB', async () => {
    const { url } = await open();
    const head = `POST /alerts/generic HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ntransfer-encoding: chunked\r\n\r\n`;
    const piece = `80000\r\n${'x'.repeat(0x80000)}\r\n`;
    expect(await raw(url, head, piece, piece, piece)).toMatch(/^HTTP\/1.1 413 /);
  });

  it.each([
    ['in its headers', 'POST /alerts/generic HTTP/1.1\r\nhost: x\r\n'],
    [
      'in its body',
      `POST /alerts/generic HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 9\r\n\r\n{`,
    ],
  ])('who stops %s is hung up on', async (_where, text) => {
    const { url, entries } = await open({}, 300);
    await raw(url, text);
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
    [
      'more than 1,000 alerts',
      'grafana',
      webhook(Array.from({ length: 1_001 }, (_, n) => webhookAlert({ instance: `${n}` }))),
    ],
  ])('a body with %s', async (_what, to, body) => {
    const { send, entries } = await open();
    expect(await send(body, { to })).toBe(400);
    expect(entries).toEqual([]);
  });
});

describe('an episode', () => {
  const at = (time: string, more: Record<string, unknown> = {}) =>
    webhook([webhookAlert({ instance: 'web-1' }, { startsAt: `2026-11-27T${time}:00.000Z`, ...more })]);
  const states = (entries: readonly News[]) =>
    entries.flat().map(({ state, since }) => `${state} ${since.slice(11, 16)}`);

  it('goes from its start to its end, whoever of two Alertmanagers says so and however late', async () => {
    const { send, entries } = await open();
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
    const { send, entries } = await open();
    await send(at('02:00', { status: 'resolved' }), { to: 'alertmanager' });
    await send(at('02:00', { status: 'resolved' }), { to: 'alertmanager' });
    expect(states(entries)).toEqual(['resolved 02:00']);
  });

  it('of another source is another one', async () => {
    const { send, entries } = await open();
    await send(fires);
    await send(fires, { bearer: scriptsToken });
    expect(entries.flat().map(({ source }) => source)).toEqual(['alertmanager', 'scripts']);
  });

  it('is ignored by its name, cut to a length, and says how many are left out', async () => {
    const { send, entries } = await open();
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

  it.each([
    ['https://runbooks.example.com/a', 'https://runbooks.example.com/a'],
    ['https://RUNBOOKS.example.com/a)b', 'https://runbooks.example.com/a)b'],
    ['http://runbooks.example.com/a', undefined],
    ['https://runbooks.example.com.evil.example/a', undefined],
    ['https://user@runbooks.example.com/a', undefined],
    ['https://evil.example/?https://runbooks.example.com', undefined],
    ['javascript:alert(1)', undefined],
  ])('links only where the policy says: %s', async (runbook_url, runbook) => {
    const { send, entries } = await open({ 'link-hosts': ['runbooks.example.com'] });
    await send(webhook([webhookAlert({}, { annotations: { runbook_url } })]), { to: 'grafana' });
    expect(entries.flat()[0]?.runbook).toBe(runbook);
    expect(entries.flat()[0]?.link).toBeUndefined();
  });

  it('of a source that is bound to other servers names none', async () => {
    const { send, entries } = await open({ sources: [{ source: 'alertmanager', servers: ['db-*'] }] });
    await send(fires);
    expect(entries.flat()).toMatchObject([{ named: ['web-1'] }]);
    expect(entries.flat()[0]).not.toHaveProperty('servers');
  });
});
