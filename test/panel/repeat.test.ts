import { expect, test } from 'vitest';
import type { EndpointName, Input } from '../../src/panel/endpoints.ts';
import type { Fault } from '../../src/sandbox/panel/index.ts';
import { bot, connect, sandbox } from '../helpers/panel/client.ts';
import { createClock, serve } from '../helpers/panel/server.ts';

const firewall = { serverId: 101, interface: 'primary' } as const;
const reads: [string, EndpointName, object][] = [
  ['a plain read', 'connect', {}],
  ['reading the firewall', 'firewall', firewall],
  ['reading the firewall with sync=false', 'firewall', { ...firewall, sync: false }],
];
const alterations: [string, EndpointName, object][] = [
  ['a POST', 'firewallDisable', { ...firewall, sync: true }],
  ['a PUT', 'cpuThrottle', { serverId: 101, percent: 50 }],
  ['a DELETE', 'ipv4Remove', { serverId: 101, ip: ['192.0.2.101'] }],
  ['the GET that synchronises the firewall', 'firewall', { ...firewall, sync: true }],
];
const impatient = { connectMs: 5_000, answerMs: 200, syncMs: 200 };

/** Faults after which a change has taken effect, or may have. */
const lateFaults: [Fault, string, number?][] = [
  [{ kind: 'reset-after' }, 'connection-lost'],
  [{ kind: 'truncated' }, 'connection-lost', 200],
  [{ kind: 'oversized' }, 'answer-too-large', 200],
  [{ kind: 'html' }, 'not-json', 200],
  [{ kind: 'status-after', status: 500 }, 'server-error', 500],
  [{ kind: 'hang-after' }, 'timeout'],
];

for (const [fault, reason, status] of lateFaults) {
  test.each(alterations)(
    `%s that meets ${fault.kind} is unknown and has been sent once`,
    async (_title, endpoint, input) => {
      const { panel, client } = await sandbox(reason === 'timeout' ? { timeouts: impatient } : {});
      panel.order({ ...fault, times: 0 });
      // One table for inputs of many endpoints.
      const answer = await client.call(endpoint, input as Input<typeof endpoint>, bot);

      expect(answer).toMatchObject({ kind: 'unknown', reason });
      if (status === 500) expect(answer).toMatchObject({ status });
      expect(panel.requests).toHaveLength(1);
      expect(panel.effects).toHaveLength(1);
      await panel.clear();
    },
  );
}

test('a change whose connection is reset before it takes effect is unknown too, and not sent again', async () => {
  const { panel, client } = await sandbox();
  panel.order({ kind: 'reset-before' });
  expect(await client.call('powerBoot', { serverId: 101 }, bot)).toEqual({
    kind: 'unknown',
    reason: 'connection-lost',
  });
  expect(panel.requests).toHaveLength(1);
  expect(panel.effects).toHaveLength(0);
});

const passing: Fault[] = [
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'truncated' },
  { kind: 'status-before', status: 500 },
  { kind: 'status-before', status: 503, body: '<html>Service Unavailable</html>' },
];

for (const fault of passing) {
  const title = `${fault.kind} ${fault.status ?? ''}`.trim();
  test.each(reads)(
    `%s that meets ${title} twice is sent a third time, and answered`,
    async (_title, endpoint, input) => {
      const { panel, client } = await sandbox();
      panel.order({ ...fault, times: 2 });
      // One table for inputs of many endpoints.
      const answer = await client.call(endpoint, input as Input<typeof endpoint>, bot);
      expect(answer.kind).toBe('yes');
      expect(panel.requests).toHaveLength(3);
      expect(panel.effects).toHaveLength(0);
    },
  );
}

test.each<[Fault, string]>([
  [{ kind: 'hang-before' }, 'timeout'],
  [{ kind: 'slow', ms: 60_000 }, 'timeout'],
  [{ kind: 'oversized' }, 'answer-too-large'],
  [{ kind: 'html' }, 'not-json'],
])('a read that meets $kind is not sent again', async (fault, reason) => {
  const { panel, client } = await sandbox(reason === 'timeout' ? { timeouts: impatient } : {});
  panel.order({ ...fault, times: 0 });
  expect(await client.call('connect', {}, bot)).toMatchObject({ kind: 'unknown', reason });
  expect(panel.requests).toHaveLength(1);
  await panel.clear();
});

test('a body that comes too slowly is a timeout, though its status came at once', async () => {
  const { panel, client } = await sandbox({ timeouts: { ...impatient, answerMs: 2_000 } });
  panel.order({ kind: 'slow', ms: 60_000 });
  expect(await client.call('powerBoot', { serverId: 101 }, bot)).toEqual({
    kind: 'unknown',
    reason: 'timeout',
    status: 200,
  });
  expect(panel.requests).toHaveLength(1);
});

test('with sync=true the panel has longer to answer', async () => {
  const { panel, client } = await sandbox({ timeouts: { connectMs: 5_000, answerMs: 100, syncMs: 20_000 } });
  panel.order({ kind: 'delay', ms: 400, times: 0 });
  const ask = (sync: boolean) => client.call('firewallEnable', { ...firewall, sync }, bot);
  expect(await ask(false)).toEqual({ kind: 'unknown', reason: 'timeout' });
  expect(await ask(true)).toEqual({ kind: 'yes', data: undefined });
  expect(await client.call('firewall', { ...firewall, sync: true }, bot)).toMatchObject({ kind: 'yes' });
});

test('between attempts a read waits, longer each time and never for a fixed time', async () => {
  const { url, heard } = await serve({ status: 500 });
  const waits: number[][] = [];
  for (const luck of [0, 0.5, 0.999]) {
    const clock = createClock();
    await connect(url, { ...clock, random: () => luck }).call('connect', {}, bot);
    waits.push(clock.waits);
  }
  expect(waits[1]).toEqual([250, 500]);
  expect(waits[0]).toEqual([125, 250]);
  expect(waits[2]?.map(Math.round)).toEqual([375, 750]);
  expect(heard).toHaveLength(9);
});

test('300 changes in a row all arrive at a panel that closes idle connections at once', async () => {
  const { url, heard, server } = await serve({ status: 200, body: { data: { queueId: 1 } } });
  server.keepAliveTimeout = 1;
  const client = connect(url);
  const kinds = new Set<string>();
  for (let count = 0; count < 300; count += 1) kinds.add((await client.call('powerBoot', { serverId: 101 }, bot)).kind);
  expect([...kinds]).toEqual(['yes']);
  expect(heard).toHaveLength(300);
  expect(heard.every(({ headers }) => headers.connection === 'close')).toBe(true);
});

test('reads share a connection, and no change ever uses it', async () => {
  const { url, heard } = await serve({ status: 200, body: { data: { enabled: true, rules: [] } } });
  const client = connect(url);
  for (const sync of [false, true, false]) await client.call('firewall', { ...firewall, sync }, bot);
  const [first, change, second] = heard.map(({ port }) => port);
  expect(second).toBe(first);
  expect(change).not.toBe(first);
});

test('a change that had to wait is not sent any more once somebody else may have closed it', async () => {
  const server = await serve(
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 200, body: { data: { queueId: 1 } } },
  );
  const clock = createClock();
  const client = connect(server.url, { now: clock.now, wait: clock.wait });
  let isOpen = true;
  const answer = client.call('powerBoot', { serverId: 101 }, bot, () => {
    const held = isOpen ? undefined : ('given-up' as const);
    isOpen = false;
    return held;
  });
  // It was sent, once, and turned away.
  expect(await answer).toEqual({ kind: 'no', reason: 'rate-limited', status: 429 });
  expect(server.heard).toHaveLength(1);
});

/** A server that says this once, and is gone when it is asked again. */
async function goneAfter(said: Parameters<typeof serve>[0]) {
  const { url, heard, server } = await serve(said);
  const clock = createClock();
  const wait = (ms: number): Promise<void> => {
    server.close();
    server.closeAllConnections();
    return clock.wait(ms);
  };
  return { heard, client: connect(url, { now: clock.now, wait }) };
}

test('a change that the panel turned away is not called not sent, also when the panel is gone the next time', async () => {
  const { client, heard } = await goneAfter({ status: 429 });
  const answer = await client.call('powerBoot', { serverId: 101 }, bot);
  expect(answer).toEqual({ kind: 'no', reason: 'rate-limited', status: 429 });
  expect(heard).toHaveLength(1);
});

test('nor is a read that the panel failed at', async () => {
  const { client, heard } = await goneAfter({ status: 502 });
  const answer = await client.call('firewall', firewall, bot);
  expect(answer).toEqual({ kind: 'unknown', reason: 'server-error', status: 502 });
  expect(heard).toHaveLength(1);
});
