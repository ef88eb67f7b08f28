import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type DiscordOptions, type SandboxDiscord, startDiscord } from '../../../../src/sandbox/discord/index.ts';
import { forAll, forEach } from '../../lives.ts';

/** One for all tests of a file, and another one for each test. */
export const discordForAll = (options?: DiscordOptions) => forAll(() => startDiscord(options));
export const discordForEach = (options?: DiscordOptions) => forEach(() => startDiscord(options));

/** The fields that most tests read; everything else is compared with literals. */
export interface Json {
  id: string;
  code: number;
  [key: string]: unknown;
}

export interface Reply<T> {
  status: number;
  headers: Headers;
  json: T;
}

/** One plain HTTP request below /api/v10, with the bot's token by default. */
export async function call<T = Json>(
  discord: SandboxDiscord,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply<T>> {
  const form = body instanceof FormData;
  const response = await fetch(`${discord.apiUrl}/v10${path}`, {
    method,
    headers: {
      authorization: `Bot ${discord.token}`,
      ...(body !== undefined && !form && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) };
}

interface Packet {
  op: number;
  t?: string;
  s?: number;
  d: { [key: string]: unknown };
}

/** A gateway connection without a library: packets are kept, and can be waited for. */
async function connect(discord: SandboxDiscord, query = 'v=10&encoding=json') {
  const gateway = `${discord.apiUrl.replace(/^http/, 'ws').replace(/\/api$/, '')}/gateway`;
  const ws = new WebSocket(`${gateway}?${query}`);
  const packets: Packet[] = [];
  ws.on('message', (data) => void packets.push(JSON.parse(String(data))));
  const closed = new Promise<number>((resolve) => ws.on('close', resolve));
  await once(ws, 'open');
  const wait = async (fits: (packet: Packet) => boolean): Promise<Packet> => {
    for (;;) {
      const found = packets.find(fits);
      if (found) return found;
      await once(ws, 'message');
    }
  };
  return {
    ws,
    packets,
    closed,
    wait,
    send: (op: number, d: unknown) => ws.send(JSON.stringify({ op, d })),
    event: (t: string) => wait((packet) => packet.t === t),
  };
}

export type Connection = Awaited<ReturnType<typeof connect>>;

/** A connection that has identified and knows the guild. */
export async function identified(discord: SandboxDiscord, intents = 1): Promise<Connection> {
  const connection = await connect(discord);
  connection.send(2, { token: discord.token, intents, properties: {} });
  await connection.event('READY');
  return connection;
}

/** The next interaction on this connection, with what an answer needs. */
export async function interaction(connection: Connection, index = 0): Promise<{ id: string; token: string }> {
  const isNext = (packet: Packet) =>
    packet.t === 'INTERACTION_CREATE' &&
    connection.packets.filter((one) => one.t === 'INTERACTION_CREATE').indexOf(packet) === index;
  const { d } = await connection.wait(isNext);
  return { id: String(d['id']), token: String(d['token']) };
}

/** Registers one command without options, `/ping`. */
export async function registerPing(discord: SandboxDiscord): Promise<void> {
  const path = `/applications/${discord.applicationId}/guilds/${discord.guildId}/commands`;
  const { status } = await call(discord, 'PUT', path, [{ name: 'ping', description: 'Answers' }]);
  if (status !== 200) throw new Error(`registration answered ${status}`);
}
