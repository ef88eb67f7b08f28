import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { codeOf } from '../system.ts';
import { within } from '../waits.ts';

/** `same`: it has not changed since that ETag. `failed`: why, without anything of the address. */
export type Fetched =
  | { kind: 'text'; text: string; etag: string | undefined }
  | { kind: 'same' }
  | { kind: 'failed'; words: string };

/** Fetches the calendar at this address, which is a secret. Never rejects. */
export type FetchCalendar = (address: string, etag: string | undefined, stop: AbortSignal) => Promise<Fetched>;

interface Reach {
  /** Whether a connection may go there. */
  isPublic(address: string): boolean;
  /** More certificates to trust. */
  ca?: string;
}

const largest = 1_048_576;
const patience = 20_000;

const failed = (words: string): Fetched => ({ kind: 'failed', words });
const notPublic = 'Its host is not on the public internet: private addresses are refused.';

/** What is given out of IPv6. What is beside it may be an address of IPv4 in disguise. */
const given = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is one of the public internet: neither this machine, nor this network, nor another in disguise. */
export function isPublic(address: string): boolean {
  const ip = ipaddr.process(address);
  return ip.range() === 'unicast' && (!(ip instanceof ipaddr.IPv6) || ip.match(given));
}

export const fetchFrom =
  (reach: Reach): FetchCalendar =>
  async (address, etag, stop) => {
    const url = URL.canParse(address.trim()) ? new URL(address.trim()) : undefined;
    if (url?.protocol !== 'https:') return failed('The file has no address that begins with https://.');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !reach.isPublic(host)) return failed(notPublic);
    return await within(patience, stop, async (signal) => {
      try {
        return await answerOf(await requested(url, etag, reach, signal), etag);
      } catch (error) {
        if (error instanceof NotPublic) return failed(notPublic);
        if (signal.aborted) return failed(`Its host did not answer within ${patience / 1000} seconds.`);
        return failed(`Its host cannot be reached (${codeOf(error, 'unknown error')}).`);
      }
    });
  };

class NotPublic extends Error {}

/** The addresses that are checked are those that are connected to: the name is not looked up again. */
const checked =
  ({ isPublic: may }: Reach): LookupFunction =>
  (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error !== null || first === undefined) done(error ?? new Error('no address'), []);
      else if (!found.every(({ address }) => may(address))) done(new NotPublic(), []);
      else if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    });
  };

/** Over a connection of its own, without a proxy. Redirects are answers like others. */
function requested(url: URL, etag: string | undefined, reach: Reach, signal: AbortSignal): Promise<IncomingMessage> {
  const headers = { accept: 'text/calendar', ...(etag === undefined ? {} : { 'if-none-match': etag }) };
  const { ca } = reach;
  return new Promise((resolve, reject) => {
    get(
      url,
      { headers, signal, agent: false, lookup: checked(reach), ...(ca === undefined ? {} : { ca }) },
      resolve,
    ).on('error', reject);
  });
}

async function answerOf(response: IncomingMessage, etag: string | undefined): Promise<Fetched> {
  const { statusCode = 0, headers } = response;
  if (statusCode === 304 && etag !== undefined) {
    response.destroy();
    return { kind: 'same' };
  }
  if (statusCode !== 200) {
    response.destroy();
    const moved = statusCode >= 300 && statusCode < 400 && statusCode !== 304;
    return failed(
      moved
        ? `Its host redirects (${statusCode}), which is not followed. Put the address that it leads to in the file.`
        : `Its host answered ${statusCode}.`,
    );
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    // Without an encoding, a response gives buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    // Leaving the loop ends the connection.
    if (size > largest) return failed('It is larger than 1 MiB.');
    chunks.push(bytes);
  }
  return { kind: 'text', text: Buffer.concat(chunks).toString('utf8'), etag: headers.etag };
}
