import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientOptions, WebSocket } from 'ws';
import { startDiscord } from '../../../../src/sandbox/discord/index.ts';
import { type Behind, startPage, type View } from '../../../../src/sandbox/page/index.ts';
import { startPanel } from '../../../../src/sandbox/panel/index.ts';
import { forAll } from '../../lives.ts';
import { until } from '../../messages.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** One request, with exactly these headers. */
export function send(
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** What the page itself sends: its own origin, and JSON. */
export async function post(page: string, path: string, body: unknown) {
  const headers = { origin: page, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const { status, text } = await send(`${page}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const { result, problem }: { result?: unknown; problem?: string } = JSON.parse(text);
  return { status, result, problem };
}

/** A page that a person has open. */
export interface Window {
  /** All messages as received, one per line. */
  text(): string;
  /** The newest of each. */
  view(): View;
  behind(): Behind;
  /** What `look` gives once it is truthy. */
  until<T>(look: (view: View) => T | undefined | false): Promise<T>;
  untilBehind<T>(look: (behind: Behind) => T | undefined | false): Promise<T>;
  close(): void;
}

/** The live connection, as the page itself opens it. */
const listen = (page: string, as: string, more = '', options: ClientOptions = {}): WebSocket =>
  new WebSocket(`${page.replace('http:', 'ws:')}/events?as=${as}${more}`, { ...options, origin: page });

/** Opens the page as one of the people, and waits for the first event. */
export async function openWindow(page: string, as: string, more = ''): Promise<Window> {
  const messages: string[] = [];
  // The newest of each event, and how many there were. Parsed once, however often a test looks.
  const whole = new Map<string, { count: number; text: string; data?: unknown }>();
  const socket = listen(page, as, more);
  socket.on('message', (bytes) => {
    const text = String(bytes);
    messages.push(text);
    const [, event] = /^{"event":"(\w+)","data":{/.exec(text) ?? [];
    if (event !== undefined) whole.set(event, { count: countOf(event) + 1, text });
  });
  socket.on('error', () => undefined);
  const countOf = (event: string): number => whole.get(event)?.count ?? 0;
  function newest<T>(event: string): T {
    const found = whole.get(event);
    if (found === undefined) throw new Error(`no ${event} came: ${messages}`);
    found.data ??= JSON.parse(found.text).data;
    // The page's own server wrote it.
    return found.data as T;
  }
  const view = (): View => newest('view');
  const behind = (): Behind => newest('behind');
  const window: Window = {
    text: () => messages.join('\n'),
    view,
    behind,
    until: (look) =>
      until(
        () => look(view()),
        () => `${as} does not see ${look}, but ${whole.get('view')?.text}`,
      ),
    untilBehind: (look) =>
      until(
        () => look(behind()),
        () => `not ${look}, but ${whole.get('behind')?.text}`,
      ),
    close: () => socket.terminate(),
  };
  await until(() => countOf('view') > 0, 'the first event');
  if (more.includes('behind')) await until(() => countOf('behind') > 0, 'the side panel');
  return window;
}

/** A page of one line, so that no build is needed. */
export function makeBundle(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'panelops-page-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>page</title>');
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets', 'page-1a2b.js'), 'document.title = "built";');
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** A bot without ledger entries or follow-ups. */
export const noBot = { entries: () => [], followUps: () => Promise.resolve([]) };

/** Such a page, with a Discord and a panel without a bot, for all tests of a file. */
export const pageForAll = () =>
  forAll(async () => {
    const bundle = makeBundle();
    const [discord, panel] = [await startDiscord(), await startPanel()];
    const page = await startPage({ port: 0, discord, panel, bundle: bundle.folder, bot: noBot });
    return {
      ...{ discord, panel, url: page.url },
      async close() {
        await page.close();
        await panel.close();
        await discord.close();
        bundle.remove();
      },
    };
  });
