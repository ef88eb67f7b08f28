import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { REST, RESTJSONErrorCodes, type RESTOptions } from 'discord.js';
import { Agent, buildConnector, type Dispatcher, errors, fetch } from 'undici';
import { jsonIn, memberOf } from '../json.ts';
import { Limited } from '../outcome.ts';
import { proxyFor, throughProxy } from '../proxy.ts';
import type { Waits } from '../waits.ts';

/** How REST clients treat Discord's limits. All clients of one token share it. */
export type Limits = Pick<RESTOptions, 'makeRequest' | 'rejectOnRateLimit'>;

/** In ms: discord.js keeps a queue for the token of each interaction, by itself for up to an hour. */
const handlerSweepInterval = 30_000;

/** Makes every REST client: by itself, discord.js sleeps on a 429 for as long as that says, or not at all. */
export const createRest = (
  { apiUrl, limits = createLimits() }: { apiUrl?: string | undefined; limits?: Limits | undefined },
  options: Partial<RESTOptions> = {},
): REST =>
  new REST({
    ...(apiUrl === undefined ? {} : { api: apiUrl }),
    ...{ timeout, handlerSweepInterval },
    ...limits,
    ...options,
  });

/** The longest wait inside a request, in ms. Beyond it the request fails, and whoever sent it tries again later. */
const patience = 6_000;
/** How long to believe a wait, in ms: a proxy may say anything, and a timer takes no more than 24 days. */
const longest = 86_400_000;
/** In ms: the wait after a 429 that names none. It doubles with each 429 in a row. */
const growth = { first: 1_000, most: 60_000 };
/** Discord does not say when the day ends by which it counts new commands. */
const dailyWait = 3_600_000;
/** Discord locks an address out after 10,000 refusals in ten minutes. Others may share the address. */
const refusals = { most: 5_000, window: 600_000 };

interface Hold {
  until: number;
  words: string;
  /** How many 429 in a row. */
  times: number;
}

/** Remembers each limit, so that no request is sent into one, and names the wait. */
export function createLimits(onWait?: Waits['add'], now = Date.now, mostRefusals = refusals.most): Limits {
  const holds = new Map<string, Hold>();
  const refused = { count: 0, endsAt: 0 };
  const send = createSend();

  /** Throws Limited if the wait is too long for a request. */
  function hold(key: string, words: string, ms: number, times = 1): void {
    const held = Math.min(ms, longest);
    const until = now() + held;
    for (const [old, each] of holds) if (each.until + 2 * growth.most < now()) holds.delete(old);
    holds.set(key, { until, words, times });
    onWait?.(words, held);
    if (ms > patience) throw new Limited(words, until);
  }

  /** Waits for a limit that is nearly over. */
  async function pass(key: string): Promise<void> {
    const { until, words } = holds.get(key) ?? { until: 0, words: '' };
    if (until - now() > patience) throw new Limited(words, until);
    if (until > now()) await delay(until - now());
  }

  function countRefusal(): void {
    if (now() >= refused.endsAt) Object.assign(refused, { count: 0, endsAt: now() + refusals.window });
    refused.count += 1;
    if (refused.count >= mostRefusals) hold('address', tooManyRefusals, refused.endsAt - now());
  }

  /** Notes a 429 as often as requests in a row get one, and returns the wait in ms. */
  function limited(key: string, words: string, told: number | undefined, sent: number): number {
    const before = holds.get(key);
    // Requests that were on their way together are refused together.
    const times = (before?.times ?? 0) + (before === undefined || sent >= before.until ? 1 : 0);
    const grown = Math.min(growth.most, growth.first * 2 ** (times - 1));
    const wait = times === 1 && told !== undefined ? told : Math.max(told ?? 0, grown);
    hold(key, words, wait, times);
    return wait;
  }

  /** A 400 or a 429, in the form in which discord.js treats it as it should. */
  async function refusal(answer: Answer, { key, words }: About, sent: number): Promise<Answer> {
    const { status, headers } = answer;
    const body = await answer.text();
    const [code, told] = [memberOf(jsonIn(body), 'code'), waitIn(headers, body, now())];
    if (code === tooManyNewCommands) hold(key, noNewCommands, told ?? dailyWait);
    // "Maximum number of edits to messages older than 1 hour": waiting does not help, so it becomes an ordinary error.
    if (status === 400 || code === tooManyLateEdits) return new Response(body, { status: 400, headers });
    const isForAll = headers.has('x-ratelimit-global');
    const wait = isForAll ? limited('bot', allLimited, told, sent) : limited(key, words, told, sent);
    const forDiscordJs = new Headers([...headers]);
    forDiscordJs.set('retry-after', String(Math.ceil(wait) / 1_000));
    return new Response(body, { status, headers: forDiscordJs });
  }

  return {
    async makeRequest(url, init) {
      const about = aboutOf(url, init.method ?? 'GET');
      const keys = ['address', ...(about.isInteraction ? [] : ['bot']), about.key];
      for (const each of keys) await pass(each);
      const sent = now();
      const answer = await send(url, init);
      const { status, headers } = answer;
      const isShared = headers.get('x-ratelimit-scope') === 'shared';
      if ([401, 403, 429].includes(status) && !isShared) countRefusal();
      if (status === 400 || status === 429) return refusal(answer, about, sent);
      for (const each of keys) if ((holds.get(each)?.until ?? sent) < sent) holds.delete(each);
      return answer;
    },
    // For limits that an earlier answer announced: discord.js would sleep before it sends the request.
    rejectOnRateLimit({ url, method, global, timeToReset }) {
      const { key, words } = aboutOf(url, method);
      if (timeToReset > patience) hold(key, global ? allLimited : words, timeToReset);
      onWait?.(words, timeToReset);
      return false;
    },
  };
}

type Answer = Awaited<ReturnType<Limits['makeRequest']>>;

/** What is limited together, and words for it. */
interface About {
  key: string;
  words: string;
  isInteraction: boolean;
}

const { MaximumNumberOfEditsToMessagesOlderThanOneHourReached: tooManyLateEdits } = RESTJSONErrorCodes;
const tooManyNewCommands = 30_034;

const allLimited = 'Discord limits all requests of the bot.';
const tooManyRefusals =
  'Discord refused thousands of requests within ten minutes, and soon locks the address out: find out in the log what is refused.';
const noNewCommands =
  'Discord accepts no more new commands in this guild today. Commands that are already registered keep working.';

/** A path may hold a token, which must not get into the words. */
function aboutOf(url: string, method: string): About {
  const path = new URL(url).pathname.replace(/^.*?\/v\d+(?=\/)/, '');
  const isInteraction = /^\/(interactions|webhooks)\//.test(path);
  const [, place] = /^\/(?:channels|guilds)\/(\d+)/.exec(path) ?? [];
  const route = path.replace(/\d{17,20}/g, (id) => (id === place ? id : ':id'));
  const what = isInteraction ? 'answers to commands' : whatIs(method, route, place);
  return { key: `${method} ${route}`, words: `Discord limits ${what}.`, isInteraction };
}

function whatIs(method: string, route: string, place: string | undefined): string {
  if (route === '/gateway/bot') return 'logins';
  if (route.endsWith('/commands')) return 'the registration of commands';
  if (/\/messages(\/|$)/.test(route) && method !== 'GET')
    return `${method === 'POST' ? 'posts' : 'edits'} in the channel ${place}`;
  return `${method} ${route}`;
}

/** The wait in ms. Retry-After is in seconds or, from proxies, a date. */
function waitIn(headers: Headers, body: string, now: number): number | undefined {
  const header = headers.get('retry-after');
  const seconds = Number(header ?? memberOf(jsonIn(body), 'retry_after') ?? Number.NaN);
  const ms = Number.isNaN(seconds) ? Date.parse(header ?? '') - now : seconds * 1_000;
  return ms > 0 ? ms : undefined;
}

/** In ms: for a connection, and for the next piece of an answer, of which discord.js only times the beginning. */
const timeout = 10_000;

const dispatcher = (): Agent => new Agent({ connect: throughProxy(buildConnector({ timeout })), bodyTimeout: timeout });

type Send = RESTOptions['makeRequest'];

/**
 * Sends requests through a proxy where the URL has one. discord.js would use undici's streams, and a body that is read at
 * once costs a third of the processor of a read that way.
 */
function createSend(): Send {
  const connections = dispatcher();
  return async (url, { method = 'GET', signal, ...init }) => {
    const { origin, pathname, search } = new URL(url);
    const request = { origin, path: pathname + search, method, ...(await written(init)) };
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      let begun: Dispatcher.DispatchController | undefined;
      signal?.addEventListener('abort', () => {
        if (begun !== undefined) return begun.abort(signal.reason);
        // discord.js repeats what it ended itself, three times: nothing comes of that where no connection stands.
        reject(new errors.ConnectTimeoutError('no connection to Discord in time'));
      });
      const body = new Promise<Buffer>((end, fail) => {
        const chunks: Buffer[] = [];
        connections.dispatch(request, {
          onRequestStart(controller) {
            if (signal?.aborted) controller.abort(signal.reason);
            begun = controller;
          },
          // A body that breaks off then is no reason to send again.
          onResponseStart: (_, status, headers) => status >= 200 && resolve(answerOf(status, headers, body)),
          onResponseData: (_, chunk) => chunks.push(chunk),
          onResponseEnd: () => end(Buffer.concat(chunks)),
          onResponseError: (_, error) => fail(error),
        });
      });
      body.catch(reject);
    });
  };
}

/** Forms are written out. */
async function written({ headers, body = null }: Parameters<Send>[1]) {
  // As discord.js makes them.
  const own = headers as Record<string, string>;
  if (body === null || typeof body === 'string') return { headers: own, body };
  const form = new Response(body);
  const type = form.headers.get('content-type') ?? '';
  return { headers: { ...own, 'content-type': type }, body: Buffer.from(await form.arrayBuffer()) };
}

function answerOf(status: number, told: IncomingHttpHeaders, body: Promise<Buffer>): Answer {
  const headers = new Headers();
  for (const [name, values] of Object.entries(told))
    for (const each of [values ?? []].flat()) headers.append(name, each);
  // A proxy may put a byte order mark first.
  const text = async (): Promise<string> => new TextDecoder().decode(await body);
  return {
    ...{ status, statusText: STATUS_CODES[status] ?? '', ok: status < 300, headers, body: null, bodyUsed: false, text },
    json: async () => JSON.parse(await text()),
    arrayBuffer: async () => new Uint8Array(await body).buffer,
  };
}

/** Downloads a file, through a proxy where its URL has one. */
export const fetchFile = (url: string, ms: number) =>
  fetch(url, {
    signal: AbortSignal.timeout(ms),
    ...(proxyFor(url) === undefined ? {} : { dispatcher: dispatcher() }),
  });
