import { createHash } from 'node:crypto';
import {
  DiscordAPIError,
  PermissionFlagsBits,
  type PermissionsBitField,
  RESTJSONErrorCodes,
  Routes,
  ThreadAutoArchiveDuration,
} from 'discord.js';
import { z } from 'zod';
import type { CardFile, Markup } from '../card.ts';
import type { Hindrance } from '../command.ts';
import type { Log } from '../outcome.ts';
import type { Channels } from './answers.ts';

/** Threads of incidents and what the bot says in them. Nothing rejects. */
export interface IncidentDesk {
  /** Starts a public thread at a message; one that is there already is it. */
  open(at: { channel: string; message: string }, name: string): Promise<'done' | Hindrance>;
  /**
   * Puts a message into a thread, once: one of ours that begins with the same line is it, and gets the new file. The lines
   * together have at most 2,000 characters.
   */
  post(thread: string, lines: readonly Markup[], file?: CardFile): Promise<'done' | Hindrance>;
  /** Whether this is the bot itself, by the id of a user. */
  isBot(user: string): boolean;
}

/** As Discord's settings call them. */
const rights = {
  'View Channel': PermissionFlagsBits.ViewChannel,
  'Read Message History': PermissionFlagsBits.ReadMessageHistory,
  'Create Public Threads': PermissionFlagsBits.CreatePublicThreads,
  'Send Messages in Threads': PermissionFlagsBits.SendMessagesInThreads,
  'Attach Files': PermissionFlagsBits.AttachFiles,
};
type Right = keyof typeof rights;

/** What an incident takes from its start to its end: who starts one must be able to end it. */
const needed: readonly Right[] = [
  'View Channel',
  'Read Message History',
  'Create Public Threads',
  'Send Messages in Threads',
  'Attach Files',
];
const neededInside = needed.filter((right) => right !== 'Create Public Threads');

interface DeskParts {
  channels(): Channels;
  /** What the bot may do in a channel or thread, as far as it is known. */
  mayIn(channel: string): Readonly<PermissionsBitField> | undefined;
  log: Log;
}

const history = z.array(z.object({ id: z.string(), author: z.object({ id: z.string() }), content: z.string() }));

/** How far back is looked for a message that may have been posted, in pages of a hundred. */
const pages = 50;

export function incidentDesk({ channels, mayIn, log }: DeskParts): IncidentDesk {
  /** Discord says only that a right is missing: which, is looked up before. */
  async function attempt(
    channel: string,
    wanted: readonly Right[],
    deed: () => Promise<unknown>,
  ): Promise<'done' | Hindrance> {
    const may = mayIn(channel);
    const lacking = may === undefined ? [] : wanted.filter((right) => !may.has(rights[right]));
    if (lacking.length > 0) return { kind: 'lacks', rights: lacking };
    try {
      await deed();
      return 'done';
    } catch (error) {
      log.warn({ channel, problem: String(error) }, 'Discord did not do what an incident needs');
      return hindranceOf(error, wanted);
    }
  }

  /** The bot's own message in the thread that begins with this line. */
  async function find(thread: string, line: string): Promise<string | undefined> {
    const { bot, user } = channels();
    let before: string | undefined;
    for (let page = 0; page < pages; page += 1) {
      const query = new URLSearchParams({ limit: '100', ...(before === undefined ? {} : { before }) });
      const messages = history.parse(await bot.get(Routes.channelMessages(thread), { query }));
      const found = messages.find(({ author, content }) => author.id === user && content.split('\n', 1)[0] === line);
      if (found !== undefined || messages.length < 100) return found?.id;
      before = messages.at(-1)?.id;
    }
    return undefined;
  }

  return {
    open: ({ channel, message }, name) =>
      attempt(channel, needed, async () => {
        const body = { name, auto_archive_duration: ThreadAutoArchiveDuration.OneWeek };
        try {
          await channels().bot.post(Routes.threads(channel, message), { body });
        } catch (error) {
          if (!isCode(error, RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage)) throw error;
        }
      }),
    post: (thread, lines, file) =>
      attempt(thread, neededInside, async () => {
        const { bot, note } = channels();
        const texts = lines.map(({ markup }) => markup);
        const [first = ''] = texts;
        const body = {
          content: [...texts, ...(note === '' ? [] : [`-# ${note}`])].join('\n'),
          allowed_mentions: { parse: [] },
          attachments: file === undefined ? [] : [{ id: 0, filename: file.name }],
        };
        const files =
          file === undefined ? [] : [{ name: file.name, data: Buffer.from(file.bytes), contentType: file.type }];
        const there = await find(thread, first);
        if (there !== undefined) return bot.patch(Routes.channelMessage(thread, there), { body, files });
        // Discord takes one message of a nonce within a few minutes: a repeated request makes no second one.
        const once = { nonce: nonceOf(thread, first), enforce_nonce: true };
        return bot.post(Routes.channelMessages(thread), { body: { ...body, ...once }, files });
      }),
    isBot: (user) => user === channels().user,
  };
}

/** At most 25 characters. */
const nonceOf = (thread: string, line: string): string =>
  createHash('sha256').update(`${thread} ${line}`).digest('base64url').slice(0, 25);

const isCode = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof DiscordAPIError && codes.some((code) => code === error.code);

function hindranceOf(error: unknown, wanted: readonly Right[]): Hindrance {
  if (isCode(error, RESTJSONErrorCodes.MissingPermissions, RESTJSONErrorCodes.MissingAccess))
    return { kind: 'lacks', rights: wanted };
  if (!(error instanceof DiscordAPIError) || error.status >= 500) return { kind: 'down' };
  return error.status === 404 ? { kind: 'gone' } : { kind: 'refused', said: error.message };
}
