import { AuditLogEvent, DiscordAPIError, MessageFlags, type REST, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import { defined } from '../defined.ts';
import { ChannelClosed, madeAt } from '../outcome.ts';
import type { AuditChannel, Deletion, Message } from '../trail/channel.ts';
import { createRest } from './rest.ts';
import { type TokenOptions, watchToken } from './token.ts';

export interface AuditChannelOptions extends TokenOptions {
  guild: string;
  channel: string;
  /** Discord refused the token. */
  onRefused?(problem: string): void;
}

const wire = z.object({
  id: z.string(),
  content: z.string(),
  edited_timestamp: z.string().nullish(),
  author: z.object({ id: z.string() }),
  attachments: z.array(z.object({ filename: z.string(), size: z.number(), url: z.string() })),
});
type Wire = z.infer<typeof wire>;
const identified = z.object({ id: z.string() });
const place = z.object({ last_message_id: z.string().nullish() });
const auditLog = z.object({
  users: z.array(z.object({ id: z.string(), username: z.string() })),
  audit_log_entries: z.array(
    z.object({
      id: z.string(),
      user_id: z.string().nullish(),
      target_id: z.string().nullish(),
      options: z.object({ channel_id: z.string().optional(), count: z.string().optional() }).optional(),
    }),
  ),
});

const refusals: readonly (string | number)[] = [
  RESTJSONErrorCodes.UnknownChannel,
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.MissingPermissions,
];

const isRefused = (error: unknown): boolean => error instanceof DiscordAPIError && refusals.includes(error.code);

/** Rejects with ChannelClosed if Discord denies the bot access. */
async function open<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw isRefused(error) ? new ChannelClosed() : error;
  }
}

/**
 * The audit channel, through its own REST client: the trail retries by itself and must not queue behind other requests.
 */
export function openAuditChannel(options: AuditChannelOptions): AuditChannel {
  const { token, guild, channel } = options;
  const rest = createRest(options, { retries: 0 }).setToken(token);
  watchToken(rest, options);
  const messages = Routes.channelMessages(channel);
  const user = ownIdOf(rest);

  async function read(where: { before?: string; around?: string }): Promise<Message[]> {
    const me = await user();
    const query = new URLSearchParams({ limit: '100', ...where });
    const answer = await open(rest.get(messages, { query }));
    return z
      .array(wire)
      .parse(answer)
      .map((each) => messageOf(me, each));
  }

  return {
    id: channel,
    async page(before) {
      const page = await read(defined({ before }));
      if (page.length === 0 && before === undefined && !(await open(isEmpty(rest, channel))))
        throw new Error('the audit channel has messages, but Discord returned none');
      return page;
    },
    around: (message) => read({ around: message }),
    async post(text, nonce, file) {
      const me = await user();
      const body = {
        content: text,
        allowed_mentions: { parse: [] },
        flags: MessageFlags.SuppressNotifications | MessageFlags.SuppressEmbeds,
        nonce,
        enforce_nonce: true,
      };
      const files =
        file === undefined ? [] : [{ name: file.name, data: Buffer.from(file.text), contentType: 'text/plain' }];
      return messageOf(me, wire.parse(await open(rest.post(messages, { body, files }))));
    },
    file: ({ url, size }) => download(url, size),
    async deletions(how, since) {
      const me = await user();
      try {
        return await deletionsIn(rest, guild, how, since, ({ target_id, options }) =>
          how === 'one' ? target_id === me && options?.channel_id === channel : target_id === channel,
        );
      } catch (error) {
        if (isRefused(error)) return undefined;
        throw error;
      }
    },
  };
}

/** The bot's own id, requested once. */
function ownIdOf(rest: REST): () => Promise<string> {
  let asked: Promise<string> | undefined;
  return () => {
    asked ??= rest.get(Routes.user()).then((me) => identified.parse(me).id);
    asked.catch(() => {
      asked = undefined;
    });
    return asked;
  };
}

function messageOf(me: string, { id, content, edited_timestamp, author, attachments }: Wire): Message {
  const own = author.id === me;
  const [attached] = own ? attachments : [];
  const file = attached && { name: attached.filename, size: attached.size, url: attached.url };
  return { id, content, edited: edited_timestamp != null, own, ...defined({ file }) };
}

/** Larger than anything the bot posts. */
const maxFileBytes = 10 * 1024 * 1024;
/** The timeout of a download, in ms. */
const fileTime = 30_000;

/** Undefined if the file no longer exists. Rejects if a retry may help. */
async function download(url: string, size: number): Promise<Uint8Array | undefined> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(fileTime) });
  if (answer.status === 404) return undefined;
  const length = Math.max(size, Number(answer.headers.get('content-length') ?? 0));
  if (!answer.ok || length > maxFileBytes) throw new Error(`a file of the trail cannot be read (${answer.status})`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Without Read Message History Discord returns an empty list. */
async function isEmpty(rest: REST, channel: string): Promise<boolean> {
  const { last_message_id: last } = place.parse(await rest.get(Routes.channel(channel)));
  if (last == null) return true;
  try {
    await rest.get(Routes.channelMessage(channel, last));
    return false;
  } catch (error) {
    if (error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.UnknownMessage) return true;
    throw error;
  }
}

type Logged = z.infer<typeof auditLog>['audit_log_entries'][number];

const logPage = 100;
/** The maximum number of pages to read. */
const maxLogPages = 50;
/** How long Discord adds deletions to an existing audit log entry, in ms, plus a margin. */
const countingTime = 10 * 60_000;

/**
 * Reads back to entries that may have grown since `since`, in ms. Entries about other channels may lie between, in any
 * number.
 */
async function deletionsIn(
  rest: REST,
  guild: string,
  how: 'one' | 'many',
  since: number,
  isOurs: (entry: Logged) => boolean,
): Promise<Deletion[]> {
  const action = how === 'one' ? AuditLogEvent.MessageDelete : AuditLogEvent.MessageBulkDelete;
  const found: Deletion[] = [];
  let before: string | undefined;
  for (let page = 0; page < maxLogPages; page += 1) {
    const query = new URLSearchParams({ action_type: String(action), limit: String(logPage) });
    if (before !== undefined) query.set('before', before);
    const answer = auditLog.parse(await rest.get(Routes.guildAuditLog(guild), { query }));
    for (const { id, user_id, options } of answer.audit_log_entries.filter(isOurs)) {
      const by = answer.users.find((each) => each.id === user_id);
      if (by !== undefined)
        found.push({ id, by: { id: by.id, name: by.username, roles: [] }, count: Number(options?.count ?? 1) });
    }
    before = answer.audit_log_entries.at(-1)?.id;
    const isLast = answer.audit_log_entries.length < logPage;
    if (before === undefined || isLast || madeAt(before) < since - countingTime) break;
  }
  return found;
}
