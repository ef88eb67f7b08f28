import { DefaultRestOptions, type RESTOptions } from 'discord.js';
import { Agent, buildConnector, fetch } from 'undici';
import { proxyFor, throughProxy } from '../proxy.ts';

const dispatcher = (): Agent => new Agent({ connect: throughProxy(buildConnector({ timeout: 10_000 })) });

type Send = RESTOptions['makeRequest'];

/** Sends requests as discord.js does, through a proxy where the URL has one. */
export function createSend(): Send {
  let tunnels: Agent | undefined;
  return async (url, init) => {
    if (proxyFor(url) === undefined) return DefaultRestOptions.makeRequest(url, init);
    tunnels ??= dispatcher();
    // Of another undici than discord.js has, but one that takes the handlers of both.
    const proxied = { ...init, dispatcher: tunnels } as unknown as typeof init;
    return DefaultRestOptions.makeRequest(url, await writtenOut(proxied));
  };
}

/** One undici cannot read the forms of another: they are written out. */
async function writtenOut(init: Parameters<Send>[1]): Promise<Parameters<Send>[1]> {
  if (!(init.body instanceof FormData)) return init;
  const form = new Response(init.body);
  const headers = { ...init.headers, 'content-type': form.headers.get('content-type') ?? '' };
  // The types of both undicis name these headers differently.
  return { ...init, headers, body: Buffer.from(await form.arrayBuffer()) } as typeof init;
}

/** Downloads a file, through a proxy where its URL has one. */
export const fetchFile = (url: string, ms: number) =>
  fetch(url, {
    signal: AbortSignal.timeout(ms),
    ...(proxyFor(url) === undefined ? {} : { dispatcher: dispatcher() }),
  });
