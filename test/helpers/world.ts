import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { type App, type AppOptions, policyFor, startApp } from '../../src/app.ts';
import type { FetchCalendar } from '../../src/on-call/fetch.ts';
import { type Entry, isOfRun } from '../../src/runs/entry.ts';
import {
  type DiscordFault,
  type DiscordOptions,
  type SandboxDiscord,
  type SeenMessage,
  startDiscord,
} from '../../src/sandbox/discord/index.ts';
import { type PanelOptions, type SandboxPanel, startPanel } from '../../src/sandbox/panel/index.ts';
import type { Limits } from '../../src/shell/limits.ts';
import { isLabelled, words } from './card-text.ts';
import { type RunLine, readingOf } from './ledger/reading.ts';
import { forAll, forEach } from './lives.ts';
import { until } from './messages.ts';
import { hurried, unlimited, unmetered } from './pace.ts';
import { type RedisOptions, redisFor } from './redis/shared.ts';

/** Secrets that must not be found in anything that is written. The first part of a bot's token is its application's id in base64. */
export const canaries = {
  discord: 'MTUwMDAwMDAwMDAwMDAwMDAwMQ.CANARY.discord-canary-4f1d9c7be2',
  panel: 'panel-canary-8a3e61d05c',
};

export interface WorldOptions
  extends RedisOptions,
    Pick<AppOptions, 'intervals' | 'clocks' | 'onTaken' | 'shell' | 'alerts'> {
  discord?: Omit<DiscordOptions, 'token'>;
  panel?: Omit<PanelOptions, 'token'>;
  /** policy.yaml; the example when left out. */
  policy?: string;
  /** How the calendars of who is on call are fetched. */
  calendars?: FetchCalendar;
  /** What differs from none at all. */
  limits?: Partial<Limits>;
  timeouts?: NonNullable<AppOptions['panel']['timeouts']>;
  /** The panel client's waits take no time: its clock and the panel's jump instead. */
  hurry?: true;
  /** Nobody looks how it goes with what the panel accepted: its cards stay as their command left them. */
  still?: true;
  /** PEM of the CA that the bot trusts beside the usual ones; that of a panel with TLS when left out. */
  ca?: string;
  /** Whether the bot has the panel's token. It has, when left out. */
  token?: 'wrong';
  /** The ledger is in the Redis of `redisUrl`. */
  ledger?: 'redis';
  /** The ledger is posted to #audit. */
  audit?: true;
  /** The bot's clock moves only where `timePasses`. */
  clockStands?: true;
  /** What is wrong with Discord before the bot starts. */
  broken?: readonly DiscordFault[];
}

/** One person at a keyboard. Each waits until the bot has come to rest, and gives what that person then sees. */
export interface Person {
  /** The answer's text. */
  types(line: string, channel?: Channel): Promise<string>;
  /** The newest visible button of that label; the text of whatever came of it. */
  clicks(label: string): Promise<string>;
  /** From the menu of a message, by its id; what of the answer this person sees. */
  picks(label: string, message: string): Promise<string>;
  /** Into the open modal. */
  fills(text: string): Promise<string>;
  /** What is offered for one option of an unfinished line. */
  chooses(line: string, option: string, channel?: Channel): Promise<{ name: string; value: string | number }[]>;
  /** The channel, whole. */
  sees(channel?: Channel): string;
}

/** `ops`, `audit`, `random`, or the name or id of a thread. */
type Channel = string;
type Name = 'alice' | 'bob' | 'carol' | 'mallory';

export interface World extends Record<Name, Person> {
  discord: SandboxDiscord;
  panel: SandboxPanel;
  app: App;
  /** The bot's folder, and what its ledger holds: of runs, and everything. */
  dir: string;
  ledger(): RunLine[];
  entries(): Entry[];
  /** Everything that was logged. */
  logged(): string;
  /** The clocks of the panel and of its client go on by a minute, at once: whoever was held back for a minute may go on. */
  minutePasses(): void;
  /** The bot's clock goes on by so many ms, at once. */
  timePasses(ms: number): void;
  /** Stops the bot and starts it again on the same folder. */
  restart(): Promise<void>;
  /** Stops everything, and fails when a secret was written anywhere. */
  stop(): Promise<void>;
}

/** Without pings that would come between what people click and what they see of it. */
export const examplePolicy = readFileSync(new URL('../../policy.example.yaml', import.meta.url), 'utf8').replace(
  /\b(unknown|answered|done): requester/g,
  '$1: nobody',
);

/** The compiled one: a thread runs no TypeScript. */
export const checker = { program: new URL('../../dist/src/audit/thread.js', import.meta.url) };

export const expander = new URL('../../dist/src/on-call/thread.js', import.meta.url);

/** The whole bot on the sandbox: the real discord.js, real HTTP, a real Redis. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const discord = await startDiscord({ limits: unmetered, ...options.discord, token: canaries.discord });
  for (const fault of options.broken ?? []) discord.order(fault);
  const begun = Date.now();
  let ahead = 0;
  let botAhead = 0;
  const clock = (): number => Date.now() + ahead;
  const jump = (ms: number): Promise<void> => {
    ahead += ms;
    return Promise.resolve();
  };
  const panel = await startPanel({ now: () => new Date(clock()), ...options.panel, token: canaries.panel });
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });

  const start = async (dir: string): Promise<App> => {
    const redisUrl = await redisFor(options);
    const ca = options.ca ?? panel.ca;
    const read = policyFor(options.policy ?? examplePolicy, discord.guildId);
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    // It loads after a start, and on a busy machine the first command would wait for that.
    await import('../../src/follow-ups/queue.ts');
    const started = await startApp({
      discord: { token: discord.token, guild: discord.guildId, apiUrl: discord.apiUrl, register: true },
      panel: {
        url: panel.url,
        token: options.token === undefined ? panel.token : `no-longer-valid-${panel.token}`,
        now: clock,
        ...(options.hurry === undefined ? {} : { wait: jump }),
        ca,
        ...(options.timeouts === undefined ? {} : { timeouts: options.timeouts }),
      },
      policy: read.policy,
      dataDir: dir,
      redisUrl,
      ledger: options.ledger,
      ...(options.audit === undefined ? {} : { audit: discord.channels.audit }),
      still: options.still,
      note: '',
      ...{ shell: options.shell, alerts: options.alerts },
      log,
      checker,
      onCall: { ...(options.calendars === undefined ? {} : { fetch: options.calendars }), program: expander },
      onRefused: (problem) => lines.push(`refused: ${problem}`),
      now: () => (options.clockStands ? begun : Date.now()) + botAhead,
      limits: { ...unlimited, ...options.limits },
      clocks: options.clocks,
      onTaken: options.onTaken,
      intervals: { ...hurried, ...options.intervals },
    });
    await started.ready;
    // The embedded one starts after the bot; who asks for one of its own means to break it.
    await until(() => started.redis !== undefined, 'Redis');
    return started;
  };
  const dir = mkdtempSync(join(tmpdir(), 'panelops-'));
  let app = await start(dir);
  const inFile = readingOf(dir);
  const entries = (): Entry[] => (options.ledger === undefined ? inFile() : [...app.entries()]);
  const person = (name: Name): Person => personOf(discord, name);
  return {
    discord,
    panel,
    get app() {
      return app;
    },
    dir,
    alice: person('alice'),
    bob: person('bob'),
    carol: person('carol'),
    mallory: person('mallory'),
    ledger: () => entries().filter(isOfRun),
    entries,
    logged: () => lines.join(''),
    minutePasses: () => void jump(60_001),
    timePasses(ms) {
      botAhead += ms;
    },
    async restart() {
      await app.stop();
      app = await start(dir);
    },
    async stop() {
      await app.stop();
      const places = ['ops', 'audit', 'random', ...discord.threads().map(({ id }) => id)];
      const seen = places.map((place) => discord.view('alice', place)).join('\n');
      const written = [lines.join(''), seen, ...filesIn(dir)];
      await discord.close();
      await panel.close();
      rmSync(dir, { recursive: true, force: true });
      const leaked = Object.entries(canaries).filter(([, secret]) => written.some((text) => text.includes(secret)));
      if (leaked.length > 0) throw new Error(`secrets were written: ${leaked.map(([name]) => name).join(', ')}`);
    },
  };
}

/** One for the test, stopped with it. */
export async function openWorld(options?: WorldOptions): Promise<World> {
  const world = await startWorld(options);
  onTestFinished(() => world.stop());
  return world;
}

/** One for all tests of a file or group, and another one for each test. */
export const worldForAll = (options?: WorldOptions): World =>
  forAll(
    () => startWorld(options),
    (it) => it.stop(),
  );
export const worldForEach = (options?: WorldOptions): World =>
  forEach(
    () => startWorld(options),
    (it) => it.stop(),
  );

const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'));

/** A card that is still on its way begins so. */
const underWay = /^WORKING /;

function personOf(discord: SandboxDiscord, who: Name): Person {
  const places = (): string[] => [...Object.keys(discord.channels), ...discord.threads().map(({ id }) => id)];
  const all = (from?: string): SeenMessage[] => places().flatMap((place) => discord.messages(who, place, from));
  const isTerminal = (message: SeenMessage): boolean =>
    message.state !== 'thinking' && !underWay.test(words(message.content));
  const face = ({ id, state, content, embeds, buttons }: SeenMessage): string =>
    JSON.stringify([id, state, content, embeds, buttons]);

  /** Does something, and waits for a modal, or for the first message that came of it and is terminal. */
  const after = async (
    deed: () => Promise<string>,
    cameOf: (interaction: string) => SeenMessage[] = answersTo,
  ): Promise<string> => {
    const modal = discord.modalOf(who);
    const interaction = await deed();
    return discord.until(() => {
      const opened = discord.modalOf(who);
      if (opened !== undefined && opened !== modal) return `modal: ${opened.title}`;
      const news = cameOf(interaction).find(isTerminal);
      return news === undefined ? undefined : plain(discord.viewMessage(who, news));
    });
  };

  /** Other cards may change meanwhile: those of what is followed. */
  const answersTo = (interaction: string): SeenMessage[] =>
    all(interaction).filter(({ answers }) => answers === interaction);

  let clicked = '';
  const isOfCard = ({ id, ephemeral, replyTo }: SeenMessage): boolean =>
    id === clicked || (ephemeral && replyTo === clicked);
  /** Answers, or else what is new of the button's card, or below it for this person alone. */
  const changesOfCard = (): ((interaction: string) => SeenMessage[]) => {
    const card = (): SeenMessage[] => (clicked === '' ? [] : all(clicked).filter(isOfCard));
    const before = new Set(card().map(face));
    return (interaction) => {
      const answers = answersTo(interaction);
      return answers.length > 0 ? answers : card().filter((message) => !before.has(face(message)));
    };
  };

  return {
    types: (line, channel = 'ops') => after(() => discord.type(who, channel, line)),
    clicks(label) {
      const message = all().findLast(({ buttons }) =>
        buttons.some((button) => isLabelled(button, label) && !button.disabled),
      );
      const button = message?.buttons.find((each) => isLabelled(each, label));
      if (message === undefined || button === undefined) throw new Error(`${who} sees no button ${label}`);
      clicked = message.id;
      return after(() => discord.click(who, message.id, button.customId), changesOfCard());
    },
    picks: (label, message) => after(() => discord.menu(who, message, label)),
    fills: (text) => after(() => discord.submit(who, text), changesOfCard()),
    chooses: (line, option, channel = 'ops') => discord.autocomplete(who, channel, line, option),
    sees: (channel = 'ops') => plain(discord.view(who, channel)),
  };
}

/** Without what is different each time: the ids of runs, and how long ago something was. */
export const plain = (text: string): string =>
  words(text)
    .replaceAll(/\brun (`?)[0-9a-z]{10,}/g, 'run $1R')
    .replaceAll(/\bjust now\b|\b\d+ (?:second|minute|hour|day|month|year)s? ago\b/g, 'T ago');
