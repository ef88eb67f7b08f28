import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { policyFor } from '../../src/app/rules.ts';
import { aboutMachine } from '../../src/check/about-machine.ts';
import { alertsIn, portOf } from '../../src/check/looks.ts';
import { usualBounds } from '../../src/check/probes.ts';
import { runChecks } from '../../src/check/run.ts';
import { openIntake } from '../helpers/alerts.ts';

const host = '127.0.0.1';
const alerts = 'alerts: { channel: "1300000000000000001"';
const on = `${alerts} }`;

/** What the line says of a port and a policy, whose only role has this. */
async function said(port: { host: string; port: number } | undefined, more: string, allow = 'alerts.acknowledge') {
  const read = policyFor(
    `channels: ["1300000000000000001"]\nroles: [{ role: "1200000000000000001", name: a, allow: [${allow}] }]\n${more}\n`,
  );
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const found = alertsIn(read.policy, port && (await portOf(port)));
  const lines = await runChecks([aboutMachine.alerts], {
    alerts: () => Promise.resolve(found),
    now: Date.now,
    bounds: usualBounds,
  });
  return lines.map(({ state, words }) => `${state}: ${words.markup}`);
}

/** A port at which somebody listens: the bot, or a program that has nothing to do with it. */
async function taken(by: 'the bot' | 'another'): Promise<number> {
  if (by === 'the bot') return Number(new URL((await openIntake()).url).port);
  const server = createServer((socket) => void socket.end('HTTP/1.1 401 No\r\ncontent-length: 0\r\n\r\n'));
  await new Promise<void>((listening) => server.listen(0, host, listening));
  onTestFinished(() => void server.close());
  // A server that listens on a port has an address object.
  return (server.address() as { port: number }).port;
}

it('says nothing of alerts where nobody wants them, and that there is no port where the policy does', async () => {
  expect(await said(undefined, '')).toEqual([]);
  expect(await said(undefined, on)).toEqual(['skipped: ALERTS_PORT is not set: the bot takes none.']);
});

it("knows the bot's own port from that of another program", async () => {
  const [bots, others] = [await taken('the bot'), await taken('another')];
  expect(await said({ host, port: bots }, on)).toEqual([`ok: The bot takes them on 127.0.0.1:${bots}.`]);
  expect(await said({ host, port: others }, on)).toEqual([`wrong: Another program listens on 127.0.0.1:${others}.`]);
});

it.each([
  ['a free port', { host, port: 0 }, on, 'ok: Nobody listens on any port of 127.0.0.1 yet: the bot can.'],
  [
    'an address of another machine',
    { host: '192.0.2.1', port: 9_099 },
    on,
    'wrong: The bot cannot listen on 192.0.2.1:9099: EADDRNOTAVAIL.',
  ],
  [
    'a port without a channel',
    { host, port: 0 },
    '',
    'warning: What comes in on any port of 127.0.0.1 is refused: the policy has no alerts.',
  ],
  [
    'roles that may not acknowledge',
    { host, port: 0 },
    on,
    'warning: Alerts ping nobody, and nobody can acknowledge them.',
    '"*"',
  ],
  [
    'roles that are pinged all the same',
    { host, port: 0 },
    `${alerts}, ping: [a] }`,
    'ok: Nobody listens on any port of 127.0.0.1 yet: the bot can.',
    '"*"',
  ],
])('says of %s what becomes of alerts', async (_what, port, policy, says, allow?: string) => {
  expect(await said(port, policy, allow)).toEqual([says]);
});
