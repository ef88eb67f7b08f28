import { application, channels, guild } from '../protocol.ts';
import type { Answers } from './answers.ts';
import { createFiles, read } from './bodies.ts';
import { createBuckets, type Taken } from './buckets.ts';
import { nextId } from './payloads.ts';

/** An answer of Discord. No body: 204. */
export interface Sent {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

interface Draft {
  content?: string;
  embeds?: object[];
  components?: object[];
  flags?: number;
  nonce?: string;
}

const ephemeral = 64;
const thinking = 5;
const author = { id: application, username: 'panelops', discriminator: '0001', avatar: null, bot: true };

function messageOf(id: string, channel: string, { content = '', embeds = [], components = [], flags = 0 }: Draft) {
  return {
    ...{ id, type: 0, channel_id: channel, author, content, embeds, components, flags, attachments: [] as object[] },
    ...{ timestamp: new Date().toISOString(), edited_timestamp: null as string | null, tts: false, pinned: false },
    ...{ mention_everyone: false, mentions: [], mention_roles: [] },
  };
}
type Message = ReturnType<typeof messageOf>;

const isPrivate = ({ flags = 0 }: Draft): boolean => (flags & ephemeral) !== 0;
const textOf = ({ content = '', embeds = [] }: Draft): string => `${content}${JSON.stringify(embeds)}`;
const tooMany = ({ headers, after }: Taken): Sent => ({
  ...{ status: 429, headers },
  body: { message: 'You are being rate limited.', retry_after: after, global: false },
});

/** The messages of all channels, and the answers to interactions. Only those of the audit channel are kept. */
export function createMessages(dispatch: (t: string, d: unknown) => void, answers: Answers, origin: () => string) {
  const files = createFiles(origin);
  /** The audit channel's, oldest first. */
  const trail: Message[] = [];
  const limited = createBuckets();
  const event = (message: Message) => ({ ...message, guild_id: guild });

  function edit(id: string, channel: string, draft: Draft, isForOne = false): Message {
    const message = { ...messageOf(id, channel, draft), edited_timestamp: new Date().toISOString() };
    if (!isForOne) dispatch('MESSAGE_UPDATE', event(message));
    return message;
  }

  function post(channel: string, body: Buffer, type: string): Sent {
    const taken = limited(`post-${channel}`);
    if (taken.refused) return tooMany(taken);
    const draft = read(body, type) as Draft;
    const attachments = files.keep(body, type);
    const message = {
      ...messageOf(nextId(), channel, draft),
      attachments,
      nonce: draft.nonce,
    };
    if (channel === channels.audit) trail.push(message);
    dispatch('MESSAGE_CREATE', event(message));
    return { status: 200, headers: taken.headers, body: message };
  }

  function page(query: string): Sent {
    const asked = new URLSearchParams(query);
    const before = asked.get('before');
    const older = before === null ? trail : trail.filter(({ id }) => BigInt(id) < BigInt(before));
    return { status: 200, body: older.slice(-Number(asked.get('limit') ?? 50)).reverse() };
  }

  return {
    file: files.get,
    callback(token: string, body: Buffer, type: string): Sent {
      const { type: kind, data = {} } = read(body, type) as { type: number; data?: Draft };
      const id = nextId();
      const sent = answers.first(token, id, kind === thinking ? undefined : textOf(data), isPrivate(data));
      if (sent === undefined)
        return { status: 400, body: { message: 'Interaction has already been acknowledged.', code: 40060 } };
      if (kind === 8) return { status: 204 };
      const message = messageOf(id, channels.ops, data);
      if (!isPrivate(data)) dispatch('MESSAGE_CREATE', event(message));
      return { status: 200, body: { interaction: { id: sent.id, type: 2 }, resource: { type: kind, message } } };
    },
    webhook(method: string, [, token = '', , message = '']: string[], body: Buffer, type: string): Sent {
      if (method === 'POST') return { status: 200, body: messageOf(nextId(), channels.ops, read(body, type) as Draft) };
      if (method === 'GET')
        return { status: 200, body: messageOf(answers.messageOf(token) ?? message, channels.ops, {}) };
      const draft = read(body, type) as Draft;
      const of = answers.edited(message.endsWith('original') ? { token } : { message }, textOf(draft));
      return { status: 200, body: edit(of.message ?? message, channels.ops, draft, of.isPrivate) };
    },
    channel(method: string, [channel = '', what, id]: string[], query: string, body: Buffer, type: string): Sent {
      if (what === undefined)
        return {
          status: 200,
          body: { id: channel, type: 0, guild_id: guild, last_message_id: trail.at(-1)?.id ?? null },
        };
      if (id === undefined && method === 'GET') return page(query);
      if (id === undefined) return post(channel, body, type);
      if (method !== 'PATCH')
        return { status: 200, body: trail.find((one) => one.id === id) ?? messageOf(id, channel, {}) };
      const taken = limited(`edit-${channel}`);
      if (taken.refused) return tooMany(taken);
      const draft = read(body, type) as Draft;
      answers.edited({ message: id }, textOf(draft));
      return { status: 200, headers: taken.headers, body: edit(id, channel, draft) };
    },
  };
}
