import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type SandboxDiscord, startDiscord } from '../../src/sandbox/discord/index.ts';
import { type SandboxPanel, startPanel } from '../../src/sandbox/panel/index.ts';
import { send } from '../helpers/sandbox/page/visit.ts';

let discord: SandboxDiscord;
let panel: SandboxPanel;
beforeAll(async () => {
  discord = await startDiscord();
  panel = await startPanel();
});
afterAll(async () => {
  await discord.close();
  await panel.close();
});

const servers = ['discord', 'panel'] as const;
type Server = (typeof servers)[number];
const portOf = (server: Server) => new URL(server === 'discord' ? discord.apiUrl : panel.url).port;

/** A request that its server answers with 200, with the headers of whoever sends it. */
const ask = (server: Server, headers: Record<string, string>) =>
  server === 'discord'
    ? send(`${discord.apiUrl}/v10/users/@me`, { headers: { authorization: `Bot ${discord.token}`, ...headers } })
    : send(`${panel.url}/connect`, { headers: { authorization: `Bearer ${panel.token}`, ...headers } });

const order = (server: Server, headers: Record<string, string>) =>
  send(`http://127.0.0.1:${portOf(server)}/_sandbox/faults`, {
    method: 'POST',
    headers,
    body: JSON.stringify(server === 'discord' ? { kind: 'outage' } : { kind: 'reset-before', times: 0 }),
  });

/** As the headers are written below, for one server. */
const at = (server: Server, headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', portOf(server))]));

const gateway = (headers: Record<string, string>) =>
  new WebSocket(`ws://127.0.0.1:${portOf('discord')}/gateway?v=10&encoding=json`, { headers: at('discord', headers) });

/** The status with which an upgrade is answered; 101: it is open. */
async function upgradeOf(socket: WebSocket): Promise<number | undefined> {
  const status = await new Promise<number | undefined>((resolve) => {
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_request, answer) => resolve(answer.statusCode));
  });
  socket.on('error', () => undefined).terminate();
  return status;
}

const foreign: [string, Record<string, string>, number][] = [
  ['by another name, which somebody pointed to this machine', { host: 'evil.example:PORT' }, 421],
  ['by a name that begins as ours', { host: '127.0.0.1:PORT.evil.example' }, 421],
  ['from the page of another site', { origin: 'https://evil.example' }, 403],
  ['from a page of another program on this machine', { origin: 'http://localhost:3000' }, 403],
  ['from a page without an origin', { origin: 'null' }, 403],
  ['as something that another page loads', { 'sec-fetch-site': 'cross-site' }, 403],
];

describe.each(servers)("the sandbox's %s", (server) => {
  it.each(foreign)('gives nothing to whoever comes %s, and does nothing', async (_how, headers, status) => {
    const requests = discord.requests.length + panel.requests.length;
    const asked = await ask(server, at(server, headers));
    expect(asked.status).toBe(status);
    expect(Object.keys(JSON.parse(asked.text))).toEqual(['problem']);
    expect((await order(server, at(server, headers))).status).toBe(status);
    expect(discord.requests.length + panel.requests.length).toBe(requests);
    expect((await ask(server, {})).status).toBe(200);
  });

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])('may be called %s', async (name) => {
    expect((await ask(server, at(server, { host: `${name}:PORT` }))).status).toBe(200);
  });
});

describe("the sandbox's gateway", () => {
  it.each(foreign)('opens nothing to whoever comes %s', async (_how, headers, status) => {
    expect(await upgradeOf(gateway(headers))).toBe(status);
  });

  it('accepts programs other than browsers, which send no origin', async () => {
    const socket = gateway({});
    const [hello] = await once(socket, 'message');
    expect(JSON.parse(String(hello))).toMatchObject({ op: 10 });
    socket.terminate();
  });
});
