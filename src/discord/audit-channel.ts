import {
  type Client,
  Events,
  GatewayDispatchEvents,
  type GatewayMessageCreateDispatchData,
  type GatewayMessageDeleteBulkDispatchData,
  type GatewayMessageDeleteDispatchData,
  type GatewayMessageUpdateDispatchData,
  MessageFlags,
  type REST,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import type { AuditChannel, ChannelWatch, Message } from '../trail/channel.ts';
import { type ChannelRight, lacked } from './channel-rights.ts';
import { isCode, open as openOr } from './errors.ts';
import { type TokenOptions, watchToken } from './login.ts';
import { createRest, fetchFile } from './rest.ts';

export interface AuditChannelOptions extends TokenOptions {
  channel: string;
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

const { MissingAccess, MissingPermissions, UnknownChannel, UnknownMessage } = RESTJSONErrorCodes;

/** Discord denies the bot access. */
const open = <T>(asked: Promise<T>): Promise<T> => openOr(asked, UnknownChannel, MissingAccess, MissingPermissions);

/** The audit channel, through a REST client of its own: the trail retries by itself and queues behind nothing. */
export function openAuditChannel(options: AuditChannelOptions): AuditChannel {
  const { token, channel } = options;
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
      const page = await read(before === undefined ? {} : { before });
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
  return { id, content, edited: edited_timestamp != null, own, file };
}

/** Larger than anything the bot posts. */
const maxFileBytes = 10 * 1024 * 1024;
/** The timeout of a download, in ms. */
const fileTime = 30_000;

/** Undefined if the file no longer exists. Rejects if a retry may help. */
async function download(url: string, size: number): Promise<Uint8Array | undefined> {
  const answer = await fetchFile(url, fileTime);
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
    if (isCode(error, UnknownMessage)) return true;
    throw error;
  }
}

const needed: readonly ChannelRight[] = ['View Channel', 'Send Messages', 'Read Message History'];

/** Events that may take a permission from the bot. */
const changes = [
  Events.ChannelUpdate,
  Events.ChannelDelete,
  Events.GuildRoleUpdate,
  Events.GuildRoleDelete,
  Events.GuildMemberUpdate,
] as const;

/** Gateway events of the audit channel. Needs the intents Guilds and GuildMessages. */
export function watchTrail(client: Client, guild: string, channel: string): ChannelWatch {
  const watch: ChannelWatch = {
    hindrance() {
      const home = client.guilds.cache.get(guild);
      // Unknown before the login and during an outage of the guild.
      if (home === undefined || !home.available) return undefined;
      const place = home.channels.cache.get(channel);
      const me = home.members.me;
      if (place === undefined) return { kind: 'gone' };
      const lacks = me === null ? [] : lacked(place.permissionsFor(me), needed);
      return lacks.length === 0 ? undefined : { kind: 'lacks', rights: lacks };
    },
    listen(events) {
      const { ws } = client;
      ws.on(
        GatewayDispatchEvents.MessageCreate,
        ({ channel_id, author, id, content }: GatewayMessageCreateDispatchData) => {
          if (channel_id === channel && author.id === client.user?.id)
            events.posted({ id, content, edited: false, own: true });
        },
      );
      ws.on(GatewayDispatchEvents.MessageDelete, ({ channel_id, id }: GatewayMessageDeleteDispatchData) => {
        if (channel_id === channel) events.deleted([id]);
      });
      ws.on(GatewayDispatchEvents.MessageDeleteBulk, ({ channel_id, ids }: GatewayMessageDeleteBulkDispatchData) => {
        if (channel_id === channel) events.deleted(ids);
      });
      ws.on(
        GatewayDispatchEvents.MessageUpdate,
        ({ channel_id, id, edited_timestamp }: GatewayMessageUpdateDispatchData) => {
          // Without an edit time this is not an edit: Discord resolved a link, or somebody pinned the message.
          if (channel_id === channel && typeof edited_timestamp === 'string') events.edited(id);
        },
      );
      client.on(Events.ShardReady, () => events.ready());
      for (const change of changes)
        client.on(change, () => {
          if (watch.hindrance() === undefined) events.opened();
          else events.closed();
        });
    },
  };
  return watch;
}
