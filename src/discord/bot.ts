import {
  Client,
  DefaultRestOptions,
  Events,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Options,
  Partials,
  type PermissionsBitField,
  REST,
  RESTJSONErrorCodes,
  type RESTOptions,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import type { Threads } from '../cards/closed-thread.ts';
import type { Messages } from '../cards/messages.ts';
import type { Command } from '../command.ts';
import type { PinnedMessages } from '../handover/pin.ts';
import type { Log } from '../outcome.ts';
import type { Runner } from '../run/index.ts';
import type { AuditChannel, ChannelWatch } from '../trail/channel.ts';
import type { Channels } from './answers.ts';
import { openAuditChannel } from './audit-channel.ts';
import { closedThreads } from './closed-threads.ts';
import { described, isForGood } from './guild.ts';
import { type IncidentThreads, incidentThreads } from './incident-threads.ts';
import { listen } from './interactions.ts';
import { login, watchConnection } from './login.ts';
import { messagesOf } from './messages.ts';
import { leaveOthers } from './other-guilds.ts';
import { pinnedMessages } from './pinned-messages.ts';
import { type IsGiven, keepRegistering } from './register.ts';
import { watchToken } from './token.ts';
import { watchTrail } from './trail-watch.ts';

export interface BotOptions {
  token: string;
  guild: string;
  /** Ends in `/api`; Discord's own when left out. */
  apiUrl?: string;
  commands: readonly Command[];
  isGiven: IsGiven;
  register: boolean;
  /** The id of the audit channel. */
  audit?: string;
  /** Said on every card. */
  note: string;
  log: Log;
  /** Discord refused the token or the intents: nothing will work until somebody changes that. */
  onRefused(problem: string): void;
}

/** Ids of roles and channels of the guild. */
interface Named {
  roles: readonly string[];
  channels: readonly string[];
}

export interface Bot {
  /** Usable after `connect` or `connectRest`, as pinned messages and threads are. */
  messages: Messages;
  threads: Threads;
  pinnedMessages: PinnedMessages;
  /** Usable after `connect`. */
  incidentThreads: IncidentThreads;
  /** The audit channel, if there is one. Usable at once. */
  trail?: { channel: AuditChannel; watch: ChannelWatch };
  /**
   * Logs in; resolves when interactions can be answered. Commands that cannot be registered yet are registered later.
   * Rejects with NotInGuild.
   */
  connect(): Promise<void>;
  /** In the place of `connect`: cards can be edited, and nothing is heard of Discord. */
  connectRest(): Promise<void>;
  /**
   * Which of these ids the guild does not have, once Discord has told what it has: during an outage of the guild that
   * is later.
   */
  missing(named: Named): Promise<Named>;
  /** From here on interactions are handled. */
  serve(runner: Pick<Runner, 'command' | 'click' | 'suggest'>): void;
  close(): Promise<void>;
}

const identified = z.object({ id: z.string() });

/**
 * discord.js waits on every 429 and asks again. "Maximum number of edits to messages older than 1 hour" comes as one too, and
 * waiting does not help: it is made an ordinary refusal, which is thrown.
 */
const makeRequest: RESTOptions['makeRequest'] = async (url, init) => {
  const response = await DefaultRestOptions.makeRequest(url, init);
  if (response.status !== 429) return response;
  const body = await response.text();
  const code = RESTJSONErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached;
  const final = new RegExp(`"code":\\s*${code}\\b`).test(body);
  return new Response(body, { status: final ? 400 : 429, headers: response.headers });
};

const trailOf = (client: Client, options: BotOptions, channel: string): NonNullable<Bot['trail']> => ({
  channel: openAuditChannel({ ...options, channel }),
  watch: watchTrail(client, options.guild, channel),
});

const createClient = (api: Partial<Pick<RESTOptions, 'api'>>): Client =>
  new Client({
    // Deleted and edited messages of the trail are heard of, whether this process knew them or not.
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages],
    partials: [Partials.Message],
    makeCache: Options.cacheWithLimits({ ...Options.DefaultMakeCacheSettings, MessageManager: 0 }),
    allowedMentions: { parse: [], repliedUser: false },
    enforceNonce: true,
    rest: { ...api, makeRequest },
  });

/** What the bot may do in a channel or thread, as far as it is known. */
function mayIn(client: Client, id: string): Readonly<PermissionsBitField> | undefined {
  const channel = client.channels.cache.get(id);
  const me = client.user;
  return channel === undefined || channel.isDMBased() || me === null
    ? undefined
    : (channel.permissionsFor(me) ?? undefined);
}

export function createBot(options: BotOptions): Bot {
  const { token, guild: guildId, log, note } = options;
  const api = options.apiUrl === undefined ? {} : { api: options.apiUrl };
  const client = createClient(api);
  // Discord does not count interactions towards the bot's 50 requests a second; discord.js would.
  const interactions = new REST({ ...api, globalRequestsPerSecond: 10_000, timeout: 10_000 });
  const ending = new AbortController();
  const home = described(client, guildId);
  let [application, user] = ['', ''];
  const channels = (): Channels => ({ application, user, interactions, bot: client.rest, note });
  watchConnection(client, options);
  watchToken(client.rest, options);
  leaveOthers(client, guildId, log);

  return {
    messages: messagesOf(channels, {
      onUpdate: (told) => client.ws.on(GatewayDispatchEvents.MessageUpdate, told),
      onBegin: (begun) => client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }) => id === guildId && begun()),
    }),
    threads: closedThreads(channels, (told) => client.ws.on(GatewayDispatchEvents.ThreadUpdate, told)),
    pinnedMessages: pinnedMessages(channels),
    incidentThreads: incidentThreads({ channels, mayIn: (id) => mayIn(client, id), log }),
    ...(options.audit === undefined ? {} : { trail: trailOf(client, options, options.audit) }),
    async connect() {
      const ready = await login(client, options);
      application = ready.application.id;
      user = ready.user.id;
      if (!options.register) return;
      const { rest } = client;
      const isFinal = (error: unknown): Promise<boolean> => isForGood(error, ready, guildId, home);
      await keepRegistering({ ...options, rest, application, isFinal, signal: ending.signal });
    },
    async connectRest() {
      client.rest.setToken(token);
      ({ id: application } = identified.parse(await client.rest.get(Routes.currentApplication())));
      ({ id: user } = identified.parse(await client.rest.get(Routes.user())));
    },
    async missing({ roles, channels: named }) {
      const guild = await home;
      return {
        roles: roles.filter((id) => !guild.roles.cache.has(id)),
        channels: named.filter((id) => !guild.channels.cache.has(id)),
      };
    },
    serve(runner) {
      client.ws.on(GatewayDispatchEvents.InteractionCreate, listen(runner, options.commands, channels, log));
    },
    async close() {
      ending.abort();
      // discord.js would say so of its own goodbye too.
      client.removeAllListeners(Events.ShardReconnecting);
      await client.destroy();
    },
  };
}
