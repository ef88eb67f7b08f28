import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { PageMessage, View } from '../../../src/sandbox/page/index.ts';
import { isLabelled, words } from '../card-text.ts';
import { type BotProcess, run } from '../stage.ts';
import { openWindow, post, type Window } from './page/visit.ts';

export const ops = '1300000000000000001';
const audit = '1300000000000000002';
const people = ['alice', 'bob', 'carol', 'mallory'] as const;
type Who = (typeof people)[number];

interface Folder {
  /** Its DATA_DIR. */
  dir: string;
  /** Starts the program, and opens its page. */
  start(): Promise<Life>;
  /** Starts it, and waits for its end. */
  ends(): Promise<{ code: number | null; stderr: string }>;
}

/** `npm start` again and again in one folder. */
export function folder(): Folder {
  const cwd = mkdtempSync(join(tmpdir(), 'panelops-again-'));
  const lives: BotProcess[] = [];
  onTestFinished(async () => {
    for (const life of lives) await life.end('SIGKILL');
    rmSync(cwd, { recursive: true, force: true });
  });
  const begin = (): BotProcess => {
    const bot = run({ HTTP_PORT: '0' }, { cwd });
    lives.push(bot);
    return bot;
  };
  const dir = join(cwd, 'data', 'sandbox');
  mkdirSync(dir, { recursive: true });
  return {
    dir,
    async ends() {
      const bot = begin();
      const { code } = await bot.exit;
      return { code, stderr: bot.stderr() };
    },
    async start() {
      const bot = begin();
      const { page = '' } = await bot.ready();
      return lifeOf(bot, page, await openWindow(page, 'alice', '&behind=1'));
    },
  };
}

export interface Life {
  bot: BotProcess;
  alice: Window;
  /** What the page sends for an action: a path below the page, and its body. */
  act(path: string, body: object): Promise<void>;
  /** Types a line, and waits for an answer that begins so. */
  types(who: Who, line: string, state: string): Promise<PageMessage>;
  /** Presses the button of that label on a message. */
  clicks(who: Who, card: PageMessage, label: string): Promise<void>;
  /** The message once its text begins so. */
  shows(id: string, state: string): Promise<PageMessage>;
  /** What each of the people sees in all channels and threads. */
  seen(): Promise<Record<Who, View>>;
}

function lifeOf(bot: BotProcess, page: string, alice: Window): Life {
  const open = (who: Who): Promise<Window> => (who === 'alice' ? Promise.resolve(alice) : openWindow(page, who));
  const act = async (path: string, body: object): Promise<void> => {
    const { status, problem } = await post(page, path, body);
    expect([status, problem]).toEqual([200, undefined]);
  };
  return {
    bot,
    alice,
    act,
    async types(who, line, state) {
      const window = await open(who);
      const from = new Set(all(window.view()).map(({ message }) => message.id));
      await act('/act/type', { as: who, channel: 'ops', line });
      return window.until((view) =>
        all(view).find(({ message }) => !from.has(message.id) && words(message.content).startsWith(state)),
      );
    },
    async clicks(who, { message }, label) {
      const parts = (message.components ?? []).flatMap((row) => (row.type === 1 ? row.components : []));
      const buttons = parts.flatMap((part) =>
        part.type === 2 && 'custom_id' in part ? [{ label: part.label ?? '', customId: part.custom_id }] : [],
      );
      const button = buttons.find((each) => isLabelled(each, label));
      if (button === undefined) throw new Error(`no button ${label}: ${message.content}`);
      await act('/act/click', { as: who, message: message.id, customId: button.customId });
    },
    shows: (id, state) =>
      alice.until((view) =>
        all(view).find(({ message }) => message.id === id && words(message.content).startsWith(state)),
      ),
    async seen() {
      const views = await Promise.all(people.map(async (who) => [who, (await open(who)).view()] as const));
      return Object.fromEntries(views) as Record<Who, View>; // One of each.
    },
  };
}

export const all = (view: View): PageMessage[] => Object.values(view.messages).flat();

export const textOf = ({ message }: PageMessage): string =>
  [message.content, ...message.embeds.map(({ description }) => description ?? '')].join('\n');

/** The ranges that the trail states. */
export const accusations = ({ alice }: Life): string[] => [
  ...(alice.view().messages[audit] ?? []).map(textOf).filter((text) => text.includes('TRAIL CHANGED')),
  ...alice
    .behind()
    .entries.filter(({ kind }) => kind === 'tampered')
    .map(({ words }) => words),
];

/**
 * A card may be drawn again as it was: the killed bot could not note that it was shown. Its files are then uploaded again,
 * under other ids.
 */
const unedited = ({ message: { edited_timestamp, ...message }, ...rest }: PageMessage) => ({
  ...rest,
  message: {
    ...message,
    attachments: message.attachments.map(({ id, url, proxy_url, ...file }) => file),
  },
});

/** Expects everything from before the restart unchanged, except the messages in `but`. */
export function expectHistory(now: Record<Who, View>, before: Record<Who, View>, but: readonly string[] = []): void {
  for (const who of people) {
    expect(now[who].channels).toEqual(before[who].channels);
    expect(now[who].people).toEqual(before[who].people);
    for (const [channel, messages] of Object.entries(before[who].messages)) {
      const old = messages.filter(({ message }) => !but.includes(message.id)).map(unedited);
      const ids = old.map(({ message }) => message.id);
      const found = (now[who].messages[channel] ?? []).filter(({ message }) => ids.includes(message.id));
      expect(found.map(unedited)).toEqual(old);
    }
  }
}

/** Expects a trail without gaps or duplicates to the end of the ledger: `#1–#4`, `#5` and so on. */
export async function expectUnbrokenTrail(life: Life): Promise<void> {
  const { seq = 0 } = (await life.alice.untilBehind(({ entries }) => entries.at(-1))) ?? {};
  const rangesIn = (view: View): number[][] =>
    (view.messages[audit] ?? []).flatMap((message) =>
      [...textOf(message).matchAll(/#(\d+)(?:–#(\d+))? · [0-9a-f]{12}/g)].map(([, from, to]) => [
        Number(from),
        Number(to ?? from),
      ]),
    );
  await life.alice.until((view) => (rangesIn(view).at(-1)?.[1] ?? 0) >= seq);
  const ranges = rangesIn(life.alice.view());
  expect(ranges.slice(1).map(([from]) => from)).toEqual(ranges.slice(0, -1).map(([, to = 0]) => to + 1));
}
