import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, type GatewayDispatchEvents, SimpleShardingStrategy, type WebSocketOptions } from 'discord.js';
import { z } from 'zod';
import type { Log } from '../outcome.ts';
import { tunnelAgent } from '../proxy.ts';
import { againIn, pauses } from '../waits.ts';

/** The way of discord.js to the gateway, whose types hide these members: how it connects, and what a packet passes. */
interface Shard {
  readonly id: number;
  readonly status: number;
  strategy: { updateSessionInfo(id: number, info: null): Promise<void> | void };
  unpackMessage(data: unknown, isBinary: boolean): Promise<unknown>;
  onMessage(data: unknown, isBinary: boolean): Promise<void>;
  internalConnect(): Promise<void>;
  connection: WebSocket | null;
  destroy(options?: { recover?: number; reason?: string }): Promise<void>;
}

interface Parts {
  log: Log;
  signal: AbortSignal;
}

/** By itself, discord.js connects twice a second for as long as it takes, and an unreadable packet ends the process. */
export function gatewayStrategy(parts: Parts): NonNullable<WebSocketOptions['buildStrategy']> {
  class Strategy extends SimpleShardingStrategy {
    override async spawn(ids: number[]): Promise<void> {
      await super.spawn(ids);
      const shards: Iterable<Shard> = this['shards'].values();
      for (const shard of shards) {
        guard(shard, parts.log);
        letGo(shard);
        pace(shard, parts);
      }
    }
  }
  return (manager) => new Strategy(manager);
}

/** A packet that cannot be read ends nothing. Without READY there is no session, so that needs another connection. */
function guard(shard: Shard, log: Log): void {
  const [unpack, take] = [shard.unpackMessage.bind(shard), shard.onMessage.bind(shard)];
  shard.unpackMessage = async (data, isBinary) => {
    const packet = await unpack(data, isBinary);
    if (packet === null) unreadable(log, undefined, 'it is not JSON');
    return packet;
  };
  shard.onMessage = async (data, isBinary) => {
    try {
      await take(data, isBinary);
    } catch (error) {
      const packet = await unpack(data, isBinary).catch(() => undefined);
      unreadable(log, packet, error);
      if (nameOf(packet) === 'READY') await shard.destroy({ recover: reconnect, reason: 'READY could not be read' });
    }
  };
}

/** discord.js forgets a connection that it gives up before it is open: an error of it would end the process. */
function letGo(shard: Shard): void {
  const destroy = shard.destroy.bind(shard);
  shard.destroy = (options) => {
    const { connection } = shard;
    if (connection?.readyState === connecting) {
      connection.addEventListener('error', () => undefined);
      connection.addEventListener('open', () => connection.close());
    }
    return destroy(options);
  };
}

/** What listeners get as it came. discord.js would make objects of it that nobody reads, and keep them. */
const asTheyCame: ReadonlySet<unknown> = new Set<`${GatewayDispatchEvents}`>([
  'INTERACTION_CREATE',
  'MESSAGE_CREATE',
  'MESSAGE_DELETE',
  'MESSAGE_DELETE_BULK',
  'MESSAGE_UPDATE',
]);

/** Of packets that arrived before discord.js was ready, which it handles later, outside of `guard`. */
export function guardQueue({ ws }: Client, log: Log): void {
  const handle = ws['handlePacket'].bind(ws);
  ws['handlePacket'] = (packet, shard) => {
    if (asTheyCame.has(Object(packet).t)) return true;
    try {
      return handle(packet, shard);
    } catch (error) {
      unreadable(log, packet, error);
      return true;
    }
  };
}

/** The error of an unknown kind may repeat the packet, which has tokens of interactions. */
function unreadable(log: Log, packet: unknown, error: unknown): void {
  const problem = error instanceof TypeError ? error.message : error instanceof Error ? error.name : error;
  log.error({ event: nameOf(packet), problem }, 'an event from Discord could not be read, and is left out');
}

function nameOf(packet: unknown): string {
  const { t, op } = Object(packet);
  return String(t ?? `op ${op}`).slice(0, 60);
}

/** discord.js's numbers: how to recover, and the status of a shard without a connection. */
const reconnect = 0;
const idle = 0;
/** The state of a WebSocket that is not open yet. */
const connecting = 0;

/** A connection that began this long ago, in ms, did not fail at once. */
const stableAfter = 30_000;

/** Each connection that follows another within half a minute waits longer than the one before. */
function pace(shard: Shard, { log, signal }: Parts): void {
  const connect = shard.internalConnect.bind(shard);
  let began = Number.NEGATIVE_INFINITY;
  let growing = pauses();
  let isFirst = true;

  async function pause(): Promise<void> {
    if (performance.now() - began > stableAfter) [growing, isFirst] = [pauses(), true];
    const ms = isFirst ? 0 : growing.next().value;
    isFirst = began === Number.NEGATIVE_INFINITY;
    if (ms > 0) log.warn({ again: againIn(ms) }, 'The connection to Discord keeps breaking off.');
    await delay(ms, undefined, { signal });
    began = performance.now();
  }

  shard.internalConnect = async () => {
    while (!signal.aborted && shard.status === idle) {
      try {
        await pause();
        return await connect();
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ problem: String(error) }, 'gateway error');
        // The address to resume at may be what is wrong.
        await shard.strategy.updateSessionInfo(shard.id, null);
      }
    }
  };
}

const gateway = 'https://gateway.discord.gg';

const upgrade = z.object({ headers: z.object({ Upgrade: z.literal('websocket') }) });

/**
 * Lets the gateway's WebSocket use a proxy where there is one. @discordjs/ws passes its WebSocket neither an agent nor a
 * connection: Node's client, which gets an agent for each upgrade, is the only place for it. Returns what undoes that.
 */
export function tunnelGateway(): () => void {
  const agent = tunnelAgent(gateway);
  if (agent === undefined) return () => undefined;
  const { request } = https;
  https.request = new Proxy(request, {
    apply: (target, self, args: unknown[]) =>
      Reflect.apply(target, self, upgrade.safeParse(args[0]).success ? [Object.assign({}, args[0], { agent })] : args),
  });
  return () => {
    https.request = request;
  };
}
