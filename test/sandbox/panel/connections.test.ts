import { once } from 'node:events';
import { Agent, request } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type PanelOptions, type SandboxPanel, startPanel } from '../../../src/sandbox/panel/index.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function started(options: PanelOptions): Promise<SandboxPanel> {
  const panel = await startPanel(options);
  cleanups.push(() => panel.close());
  return panel;
}

interface Client {
  /** The status of a read, or the code of what went wrong. */
  connect(): Promise<number | string>;
  /** Resolves when the panel drops the kept connection; rejects before the connection would end by its age. */
  dropped(): Promise<unknown>;
  keeping: Agent;
}

/** A client that keeps one connection. */
function clientOf(panel: SandboxPanel, ca = panel.ca): Client {
  const keeping = new Agent({ connections: 1, connect: { ...(ca && { ca }) } });
  cleanups.push(() => keeping.destroy());
  return {
    keeping,
    dropped: () => once(keeping, 'disconnect', { signal: AbortSignal.timeout(3000) }),
    async connect() {
      try {
        const headers = { authorization: `Bearer ${panel.token}` };
        const answer = await request(`${panel.url}/connect`, { dispatcher: keeping, headers });
        await answer.body.dump();
        return answer.statusCode;
      } catch (error) {
        return error instanceof Error && 'code' in error ? String(error.code) : String(error);
      }
    },
  };
}

test('the panel listens on 127.0.0.1 under the documented prefix', async () => {
  const panel = await started({});
  expect(panel.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
  expect(panel).not.toHaveProperty('ca');
  expect(await clientOf(panel).connect()).toBe(200);
});

test('refuse: connections are refused, also to clients that had one, until the faults are cleared', async () => {
  const panel = await started({});
  const { connect, dropped } = clientOf(panel);
  expect(await connect()).toBe(200);
  const gone = dropped();
  panel.order({ kind: 'refuse' });
  await gone;
  expect([await connect(), await connect()]).toEqual(['ECONNREFUSED', 'ECONNREFUSED']);
  await panel.clear();
  expect(await connect()).toBe(200);
  expect(panel.requests).toHaveLength(2);
});

test('refuse: the port is taken again after the time that was ordered', async () => {
  const panel = await started({});
  const { connect, keeping: dispatcher, dropped } = clientOf(panel);
  const gone = dropped();
  let open = false;
  panel.changed(() => {
    open = true;
  });
  const orders = panel.url.replace('/api/v1', '/_sandbox/faults');
  const body = JSON.stringify({ kind: 'refuse', ms: 1000 });
  const answer = await request(orders, { method: 'POST', dispatcher, body });
  expect(answer.statusCode).toBe(201);
  await answer.body.dump();
  await gone;
  expect(await connect()).toBe('ECONNREFUSED');
  await panel.until(() => open);
  expect(await connect()).toBe(200);
  expect(await (await fetch(orders)).json()).toEqual({ faults: [] });
});

test('refuse: a request that is open is answered, and its connection does not take another', async () => {
  const panel = await started({});
  const { connect, dropped } = clientOf(panel);
  panel.order({ kind: 'delay', ms: 100 });
  const open = connect();
  const gone = dropped();
  await panel.until(() => panel.requests.length === 1);
  panel.order({ kind: 'refuse' });
  expect(await open).toBe(200);
  await gone;
  expect(await connect()).toBe('ECONNREFUSED');
});

test('with tls the certificate is good for 127.0.0.1 and localhost, to those who know its CA only', async () => {
  const panel = await started({ tls: true });
  expect(panel.url).toMatch(/^https:\/\/127\.0\.0\.1:/);
  expect(await clientOf(panel).connect()).toBe(200);
  expect(await clientOf({ ...panel, url: panel.url.replace('127.0.0.1', 'localhost') }).connect()).toBe(200);
  expect(await clientOf(panel, '').connect()).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  const other = await started({ tls: true });
  expect(await clientOf(panel, other.ca).connect()).not.toBe(200);
});

test('wrong-certificate: the client that trusted the panel does not any more, until the faults are cleared', async () => {
  const panel = await started({ tls: true });
  const { connect, dropped } = clientOf(panel);
  expect(await connect()).toBe(200);
  const gone = dropped();
  panel.order({ kind: 'wrong-certificate' });
  await gone;
  expect([await connect(), await connect()]).toEqual([
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ]);
  await panel.clear();
  expect(await connect()).toBe(200);
  expect(panel.requests).toHaveLength(2);
});

test('close ends what hangs, and the port is free again', async () => {
  const panel = await startPanel({});
  const { connect } = clientOf(panel);
  panel.order({ kind: 'hang-after' });
  const hung = connect();
  await panel.until(() => panel.requests.length === 1);
  await panel.close();
  expect(await hung).toBe('UND_ERR_SOCKET');
  const next = await started({ port: Number(new URL(panel.url).port) });
  expect(next.url).toBe(panel.url);
});
