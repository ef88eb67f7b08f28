import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../src/sandbox/panel/index.ts';
import { ask, panelForEach } from '../../helpers/sandbox/panel/asking.ts';

const panel = panelForEach();

const boot = () => ask(panel, 'POST', '/servers/101/power/boot');
const throttle = () => ask(panel, 'PUT', '/servers/101/modify/cpuThrottle?sync=true', { percent: 50 });

describe('a connection that is reset', () => {
  test.each<[Fault['kind'], number]>([
    ['reset-before', 0],
    ['reset-after', 1],
  ])('%s: the client gets no answer, effects: %i', async (kind, effects) => {
    panel.order({ kind });
    await expect(boot()).rejects.toThrow('fetch failed');
    expect(panel.effects).toHaveLength(effects);
    const request = await panel.until(() => panel.requests.find(({ ms }) => ms !== undefined));
    expect(request.status).toBeUndefined();
  });
});

describe('an ordered status', () => {
  test.each<[Fault, number, string, string | null, number]>([
    [{ kind: 'status-before' }, 500, '', null, 0],
    [{ kind: 'status-after' }, 500, '', null, 1],
    [{ kind: 'status-before', status: 403, body: { msg: 'no' } }, 403, '{"msg":"no"}', 'application/json', 0],
    [{ kind: 'status-after', status: 502, body: 'Bad Gateway' }, 502, 'Bad Gateway', 'text/plain; charset=utf-8', 1],
    [{ kind: 'status-before', status: 204, body: { data: 1 } }, 204, '', 'application/json', 0],
    [{ kind: 'status-after', status: 207, body: [], headers: { 'content-type': 'x/y' } }, 207, '[]', 'x/y', 1],
  ])('%j', async (fault, status, text, type, effects) => {
    panel.order(fault);
    const heard = await boot();
    expect([heard.status, heard.text, heard.headers.get('content-type')]).toEqual([status, text, type]);
    expect(panel.effects).toHaveLength(effects);
    expect(panel.requests.map((request) => request.status)).toEqual([status]);
  });

  test('carries the headers that were ordered', async () => {
    panel.order({ kind: 'status-before', status: 429, body: { errors: ['later'] }, headers: { 'Retry-After': '7' } });
    const heard = await boot();
    expect([heard.status, heard.headers.get('retry-after')]).toEqual([429, '7']);
  });
});

describe('a spoiled answer comes after the effect', () => {
  test('truncated: the head promises more than arrives', async () => {
    panel.order({ kind: 'truncated' });
    const answer = await fetch(`${panel.url}/servers/101/power/boot`, {
      method: 'POST',
      headers: { authorization: `Bearer ${panel.token}` },
    });
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(20);
    await expect(answer.text()).rejects.toThrow('terminated');
    expect(panel.effects).toHaveLength(1);
  });

  test('truncated: also where the answer would have had no body', async () => {
    panel.order({ kind: 'truncated' });
    await expect(throttle()).rejects.toThrow('terminated');
    expect(panel.effects).toHaveLength(1);
  });

  test('oversized: more than 5 MiB of JSON', async () => {
    panel.order({ kind: 'oversized' });
    const heard = await boot();
    expect(heard.status).toBe(200);
    expect(heard.text.length).toBeGreaterThan(5 * 1024 * 1024);
    expect(JSON.parse(heard.text)).toHaveProperty('data');
    expect(panel.effects).toHaveLength(1);
  });

  test('slow: the whole answer, over the time that was ordered', async () => {
    panel.order({ kind: 'slow', ms: 250 });
    const begun = performance.now();
    const answer = await fetch(`${panel.url}/servers/101/power/boot`, {
      method: 'POST',
      headers: { authorization: `Bearer ${panel.token}` },
    });
    const pieces: number[] = [];
    for await (const piece of answer.body ?? []) pieces.push(piece.length);
    expect(performance.now() - begun).toBeGreaterThan(200);
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.reduce((sum, length) => sum + length, 0)).toBe('{"data":{"queueId":5001}}'.length);
    expect(panel.effects).toHaveLength(1);
  });

  test('html: a page with status 200', async () => {
    panel.order({ kind: 'html' });
    const heard = await throttle();
    expect([heard.status, heard.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(heard.text).toContain('<html>');
    expect(panel.effects).toHaveLength(1);
  });
});

describe('waiting', () => {
  test('delay: the effect and the answer come after the time that was ordered', async () => {
    panel.order({ kind: 'delay', ms: 150 });
    const answered = boot();
    await panel.until(() => panel.requests.length === 1);
    expect(panel.effects).toHaveLength(0);
    expect((await answered).status).toBe(200);
    expect(panel.requests[0]?.ms).toBeGreaterThan(140);
    expect(panel.effects).toHaveLength(1);
  });

  test.each<[Fault['kind'], number]>([
    ['hang-before', 0],
    ['hang-after', 1],
  ])('%s: no answer until the client goes, effects: %i', async (kind, effects) => {
    panel.order({ kind });
    const client = new AbortController();
    const answer = fetch(`${panel.url}/servers/101/power/boot`, {
      method: 'POST',
      headers: { authorization: `Bearer ${panel.token}` },
      signal: client.signal,
    });
    const refused = expect(answer).rejects.toThrow('aborted');
    await panel.until(() => panel.requests.length === 1 && panel.effects.length === effects);
    client.abort();
    await refused;
    const request = await panel.until(() => panel.requests.find(({ ms }) => ms !== undefined));
    expect(request.status).toBeUndefined();
    await panel.clear();
    expect((await ask(panel, 'GET', '/connect')).status).toBe(200);
    expect(panel.effects).toHaveLength(effects);
  });

  test.each<[Fault['kind']]>([['hang-before'], ['hang-after'], ['delay']])(
    '%s: goes on when the faults are cleared, with one effect',
    async (kind) => {
      panel.order({ kind, ms: 60_000 });
      const answer = boot();
      await panel.until(() => panel.requests.length === 1);
      await panel.clear();
      expect((await answer).status).toBe(200);
      expect(panel.effects).toHaveLength(1);
    },
  );
});

describe('which requests meet a fault', () => {
  const failing = { kind: 'status-before', status: 500 } as const;

  test('one, by default; faults apply in the order in which they were ordered', async () => {
    panel.order(failing);
    panel.order({ kind: 'status-before', status: 501, times: 2 });
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await boot()).status);
    expect(statuses).toEqual([500, 501, 501, 200]);
  });

  test('all of them until cleared, when times is 0', async () => {
    panel.order({ ...failing, times: 0 });
    expect([(await boot()).status, (await boot()).status, (await boot()).status]).toEqual([500, 500, 500]);
    await panel.clear();
    expect((await boot()).status).toBe(200);
  });

  test.each<[Fault['match'], number[]]>([
    [{ method: 'POST' }, [200, 200, 500, 201]],
    [{ method: 'put' }, [200, 200, 200, 500]],
    [{ path: '/firewall/' }, [500, 500, 200, 201]],
    [{ path: '/firewall/primary?sync=true' }, [200, 500, 200, 201]],
    [{ changes: true }, [200, 500, 500, 500]],
    [{ changes: false }, [500, 200, 200, 201]],
    [{ method: 'GET', changes: true }, [200, 500, 200, 201]],
    [{ path: '/servers/102' }, [200, 200, 200, 201]],
  ])('%j', async (match, statuses) => {
    panel.order({ ...failing, times: 0, ...(match && { match }) });
    const heard = [
      await ask(panel, 'GET', '/servers/101/firewall/primary'),
      await ask(panel, 'GET', '/servers/101/firewall/primary?sync=true'),
      await boot(),
      await throttle(),
    ];
    expect(heard.map(({ status }) => status)).toEqual(statuses);
  });

  test('an invalid fault is refused, naming the key', () => {
    const order = (value: object) => () => panel.order({ ...failing, ...value });
    expect(order({ colour: 'red' })).toThrow('colour');
    expect(order({ match: { path: 1 } })).toThrow('match.path');
    expect(order({ times: -1 })).toThrow('times');
    expect(order({ kind: 'wrong-certificate' })).toThrow('kind');
  });
});
