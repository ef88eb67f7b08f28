import { onTestFinished } from 'vitest';
import { openAuditChannel } from '../../../src/discord/audit-channel.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Entry, NewEntry } from '../../../src/runs/entry.ts';
import {
  type DiscordOptions,
  type SandboxDiscord,
  type SeenMessage,
  startDiscord,
} from '../../../src/sandbox/discord/index.ts';
import type { ChannelEvents } from '../../../src/trail/channel.ts';
import { createTrail, type TrailIntervals, type TrailPost } from '../../../src/trail/index.ts';
import { createSeals, sealKeyOf } from '../../../src/trail/seals.ts';
import type { Place } from '../ledger/places.ts';
import { notes } from '../ledger/samples.ts';
import { forThis } from '../lives.ts';
import { rangesOf } from './ranges.ts';

export const audit = '1300000000000000002';
const bot = { id: '1000000000000000001', name: 'panelops', roles: [] };

export const begun: NewEntry = { kind: 'started', actor: bot, owner: 'ab', facts: { audit } };
const stopped = (owner: string): NewEntry => ({ kind: 'stopped', actor: bot, owner });
/** So many entries that differ. */
export const several = (n: number, first = 1): NewEntry[] =>
  Array.from({ length: n }, (_, at) => stopped(`owner ${first + at}`));

/** A Discord for one test, without rate limits. */
export const ownDiscord = (options: DiscordOptions = {}): Promise<SandboxDiscord> =>
  forThis(startDiscord({ limits: { posts: false, global: false }, ...options }));

export interface TrailProcess {
  ledger: Ledger;
  trail: TrailPost;
  log: ReturnType<typeof notes>;
  append(entries: readonly NewEntry[]): Promise<Entry[]>;
  /** Events of the channel, as this process receives them. */
  hears: ChannelEvents;
}

interface TrailProcessOptions {
  intervals?: Partial<TrailIntervals>;
  pages?: number;
}

/** The trail of one process on a ledger of its own opening; closed with the test. */
export async function startTrailProcess(
  discord: SandboxDiscord,
  place: Place,
  { intervals, ...options }: TrailProcessOptions = {},
): Promise<TrailProcess> {
  const log = notes();
  const ledger = await place.open(log);
  let hears: ChannelEvents | undefined;
  const trail = createTrail({
    ...{
      ledger,
      bot,
      log,
      seals: createSeals(sealKeyOf(discord.token)),
      ...options,
    },
    channel: openAuditChannel({ ...discord, channel: audit }),
    watch: {
      hindrance: () => undefined,
      listen(events) {
        hears = events;
      },
    },
    intervals: { between: 10, retry: 50, look: 50, ...intervals },
  });
  onTestFinished(() => trail.close());
  void trail.begin();
  if (hears === undefined) throw new Error('nobody listens');
  return { ledger, trail, log, append: ledger.append, hears };
}

/** What the bot has posted in #audit. */
export const posted = (discord: SandboxDiscord): SeenMessage[] =>
  discord.messages('alice', 'audit').filter(({ author }) => author === 'panelops');
/** What they stand for: of a backlog, its file's lines and the last line. */
export const contents = (discord: SandboxDiscord): string[] =>
  posted(discord).map(({ content, files: [file] }) =>
    file === undefined ? content : `${Buffer.from(file.bytes).toString()}\n${content.split('\n').at(-1)}`,
  );

/** Resolves when the channel's newest message stands for everything up to that entry. */
export const reaches = (discord: SandboxDiscord, seq: () => number, ms = 15_000): Promise<true> =>
  discord.until(() => rangesOf(contents(discord)).at(-1)?.[1] === seq() && (true as const), ms);

/** The lines of all messages, without what stands below them. */
export const linesOf = (discord: SandboxDiscord): string[] =>
  contents(discord).flatMap((content) => content.split('\n').slice(0, -1));

/** From where to where the messages go, one after the other. */
export const spans = (discord: SandboxDiscord): string[] =>
  rangesOf(contents(discord)).map(([from, to]) => `${from}-${to}`);

/** Whether each message begins where the one before ends. */
export function isSeamless(discord: SandboxDiscord, begin = 1): boolean {
  let next = begin;
  for (const [from, to] of rangesOf(contents(discord))) {
    if (from !== next) return false;
    next = to + 1;
  }
  return true;
}
