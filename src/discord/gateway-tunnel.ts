import https from 'node:https';
import { z } from 'zod';
import { tunnelAgent } from '../proxy.ts';

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
