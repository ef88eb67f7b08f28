import { DefaultRestOptions, type RESTOptions } from 'discord.js';
import { Agent, buildConnector, fetch } from 'undici';
import { proxyFor, throughProxy } from '../proxy.ts';

const dispatcher = (): Agent => new Agent({ connect: throughProxy(buildConnector({ timeout: 10_000 })) });

type Send = RESTOptions['makeRequest'];

/** Sends requests as discord.js does, through a proxy where the URL has one. */
export function createSend(): Send {
  let tunnels: Agent | undefined;
  return async (url, init) => {
    const written = await writtenOut(init);
    if (proxyFor(url) !== undefined) written.dispatcher = tunnels ??= dispatcher();
    return DefaultRestOptions.makeRequest(url, written);
  };
}

/** undici reads no forms but its own, and discord.js makes those of Node: they are written out. */
async function writtenOut(init: Parameters<Send>[1]): Promise<Parameters<Send>[1]> {
  if (!(init.body instanceof FormData)) return { ...init };
  const form = new Response(init.body);
  const headers = { ...init.headers, 'content-type': form.headers.get('content-type') ?? '' };
  // The types of undici and Node name these headers differently.
  return { ...init, headers, body: Buffer.from(await form.arrayBuffer()) } as typeof init;
}

/** Downloads a file, through a proxy where its URL has one. */
export const fetchFile = (url: string, ms: number) =>
  fetch(url, {
    signal: AbortSignal.timeout(ms),
    ...(proxyFor(url) === undefined ? {} : { dispatcher: dispatcher() }),
  });
