import { AuditLogEvent, DiscordAPIError, MessageFlags, REST, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import type { Message } from '../trail/compare.ts';
import type { Deletion, TrailDesk } from '../trail/desk.ts';

export interface TrailDeskOptions {
  token: string;
  /** Ends in `/api`; Discord's own when left out. */
  apiUrl?: string;
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
});
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

async function unlessRefused<T>(asked: Promise<T>): Promise<T | 'closed'> {
  try {
    return await asked;
  } catch (error) {
    if (isRefused(error)) return 'closed';
    throw error;
  }
}

/** The audit channel by REST alone, on a connection of its own: the trail tries again by itself, and waits for nobody else. */
export function openTrailDesk({ token, apiUrl, guild, channel, onRefused }: TrailDeskOptions): TrailDesk {
  const rest = new REST({ ...(apiUrl === undefined ? {} : { api: apiUrl }), retries: 0, timeout: 10_000 });
  rest.setToken(token);
  rest.on('response', (_request, response) => {
    if (response.status === 401) onRefused?.('the token is not valid');
  });
  let asked: Promise<string> | undefined;
  const user = (): Promise<string> => {
    asked ??= rest.get(Routes.user()).then((me) => identified.parse(me).id);
    asked.catch(() => {
      asked = undefined;
    });
    return asked;
  };
  const read = (me: string, { id, content, edited_timestamp, author }: z.infer<typeof wire>): Message => ({
    ...{ id, content, edited: edited_timestamp != null, own: author.id === me },
  });

  /** Without Read Message History Discord shows no messages, as if there were none. */
  async function isEmpty(): Promise<boolean> {
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

  return {
    async page(before) {
      const me = await user();
      const query = new URLSearchParams({ limit: '100', ...(before === undefined ? {} : { before }) });
      const answer = await unlessRefused(rest.get(Routes.channelMessages(channel), { query }));
      if (answer === 'closed') return answer;
      const messages = z.array(wire).parse(answer);
      if (messages.length > 0 || before !== undefined) return messages.map((each) => read(me, each));
      const empty = await unlessRefused(isEmpty());
      if (empty === false) throw new Error('the audit channel has messages, and Discord showed none');
      return empty === 'closed' ? empty : [];
    },
    async around(message) {
      const me = await user();
      const query = new URLSearchParams({ limit: '100', around: message });
      const answer = await unlessRefused(rest.get(Routes.channelMessages(channel), { query }));
      return answer === 'closed'
        ? answer
        : z
            .array(wire)
            .parse(answer)
            .map((each) => read(me, each));
    },
    async post(text, nonce) {
      const me = await user();
      const body = {
        content: text,
        allowed_mentions: { parse: [] },
        flags: MessageFlags.SuppressNotifications | MessageFlags.SuppressEmbeds,
        nonce,
        enforce_nonce: true,
      };
      const answer = await unlessRefused(rest.post(Routes.channelMessages(channel), { body }));
      return answer === 'closed' ? answer : read(me, wire.parse(answer));
    },
    async deletions(how) {
      const me = await user();
      const action = how === 'one' ? AuditLogEvent.MessageDelete : AuditLogEvent.MessageBulkDelete;
      const query = new URLSearchParams({ action_type: String(action), limit: '50' });
      const answer = await unlessRefused(rest.get(Routes.guildAuditLog(guild), { query }));
      if (answer === 'closed') return undefined;
      const { users, audit_log_entries: entries } = auditLog.parse(answer);
      return entries.flatMap(({ id, user_id, target_id, options }): Deletion[] => {
        const ours = how === 'one' ? target_id === me && options?.channel_id === channel : target_id === channel;
        const by = users.find((each) => each.id === user_id);
        const count = Number(options?.count ?? 1);
        return ours && by !== undefined ? [{ id, by: { id: by.id, name: by.username, roles: [] }, count }] : [];
      });
    },
  };
}
