import {
  DiscordAPIError,
  type PermissionsBitField,
  RESTJSONErrorCodes,
  Routes,
  ThreadAutoArchiveDuration,
} from 'discord.js';
import type { CardFile, Markup } from '../card.ts';
import type { Hindrance } from '../command.ts';
import type { Log } from '../outcome.ts';
import type { Channels } from './answers.ts';
import { type ChannelRight, lacked } from './channel-rights.ts';
import { isCode, isGone } from './errors.ts';
import { findPosted, nonceOf } from './posted.ts';

/** Incident threads and the bot's messages in them. Never rejects. */
export interface IncidentThreads {
  /** Starts a public thread at a message, or uses its existing one. */
  open(at: { channel: string; message: string }, name: string): Promise<'done' | Hindrance>;
  /** Posts into a thread, once: if a message of the bot begins so, it gets the new file. At most 2,000 characters. */
  post(thread: string, lines: readonly Markup[], file?: CardFile): Promise<'done' | Hindrance>;
  /** Like `post`, in a channel that is not a thread, and without a file. */
  postInChannel(channel: string, lines: readonly Markup[]): Promise<'done' | Hindrance>;
  /** The lines of the bot's messages there. */
  lines(thread: string): Promise<ReadonlySet<string> | Hindrance>;
  isBot(user: string): boolean;
}

/** All permissions that an incident needs from start to end: the bot must be able to end what it starts. */
const needed: readonly ChannelRight[] = [
  'View Channel',
  'Read Message History',
  'Create Public Threads',
  'Send Messages in Threads',
  'Attach Files',
];
const neededInside = needed.filter((right) => right !== 'Create Public Threads');
const neededToRead: readonly ChannelRight[] = ['View Channel', 'Read Message History'];
const neededInChannel: readonly ChannelRight[] = ['View Channel', 'Read Message History', 'Send Messages'];

interface ThreadParts {
  channels(): Channels;
  /** The bot's permissions in a channel or thread, as far as known. */
  mayIn(channel: string): Readonly<PermissionsBitField> | undefined;
  log: Log;
}

export function incidentThreads({ channels, mayIn, log }: ThreadParts): IncidentThreads {
  /** Checks permissions first: Discord's error does not name the missing one. `route`: what must exist. */
  async function attempt(
    { channel, route }: { channel: string; route: `/${string}` },
    wanted: readonly ChannelRight[],
    send: () => Promise<unknown>,
  ): Promise<'done' | Hindrance> {
    const may = mayIn(channel);
    const lacking = may === undefined ? [] : lacked(may, wanted);
    if (lacking.length > 0) return { kind: 'lacks', rights: lacking };
    try {
      await send();
      return 'done';
    } catch (error) {
      log.warn({ channel, problem: String(error) }, 'a Discord request for an incident failed');
      if (await isGone(error, () => channels().bot.get(route))) return { kind: 'gone' };
      return hindranceOf(error, wanted);
    }
  }

  /** The bot's own message there that begins with this line. */
  const find = (channel: string, line: string): Promise<string | undefined> => {
    const { bot, user } = channels();
    return findPosted(bot, channel, ({ author, content }) => author.id === user && content.split('\n', 1)[0] === line);
  };

  const post = (
    channel: string,
    wanted: readonly ChannelRight[],
    lines: readonly Markup[],
    file?: CardFile,
  ): Promise<'done' | Hindrance> =>
    attempt({ channel, route: Routes.channel(channel) }, wanted, async () => {
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
      const there = await find(channel, first);
      if (there !== undefined) return bot.patch(Routes.channelMessage(channel, there), { body, files });
      return bot.post(Routes.channelMessages(channel), { body: { ...body, ...nonceOf(channel, first) }, files });
    });

  return {
    open: ({ channel, message }, name) =>
      attempt({ channel, route: Routes.channelMessage(channel, message) }, needed, async () => {
        const body = { name, auto_archive_duration: ThreadAutoArchiveDuration.OneWeek };
        try {
          await channels().bot.post(Routes.threads(channel, message), { body });
        } catch (error) {
          if (!isCode(error, RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage)) throw error;
        }
      }),
    post: (thread, lines, file) => post(thread, neededInside, lines, file),
    postInChannel: (channel, lines) => post(channel, neededInChannel, lines),
    async lines(thread) {
      const lines = new Set<string>();
      const read = await attempt({ channel: thread, route: Routes.channel(thread) }, neededToRead, async () => {
        const { bot, user } = channels();
        await findPosted(bot, thread, ({ author, content }) => {
          for (const line of author.id === user ? content.split('\n') : []) lines.add(line);
          return false;
        });
      });
      return read === 'done' ? lines : read;
    },
    isBot: (user) => user === channels().user,
  };
}

function hindranceOf(error: unknown, wanted: readonly ChannelRight[]): Hindrance {
  if (isCode(error, RESTJSONErrorCodes.MissingPermissions, RESTJSONErrorCodes.MissingAccess))
    return { kind: 'lacks', rights: wanted };
  const isRefusal = error instanceof DiscordAPIError && error.status < 500 && error.status !== 404;
  return isRefusal ? { kind: 'refused', said: error.message } : { kind: 'down' };
}
