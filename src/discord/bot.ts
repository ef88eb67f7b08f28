import {
  Client,
  DefaultRestOptions,
  DiscordAPIError,
  DiscordjsErrorCodes,
  Events,
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
import type { Messages } from '../cards/messages.ts';
import type { Command } from '../command.ts';
import type { PinnedMessages } from '../handover/pin.ts';
import { DiscordUnavailable, type Log, NotInGuild } from '../outcome.ts';
import type { Runner } from '../run/index.ts';
import type { AuditChannel, ChannelWatch } from '../trail/channel.ts';
import type { Channels } from './answers.ts';
import { openAuditChannel } from './audit-channel.ts';
import { isLost } from './errors.ts';
import { type IncidentThreads, incidentThreads } from './incident-threads.ts';
import { listen } from './interactions.ts';
import { messagesOf } from './messages.ts';
import { leaveOthers } from './other-guilds.ts';
import { pinnedMessages } from './pinned-messages.ts';
import { type IsGiven, register } from './register.ts';
import { isRefused, watchToken } from './token.ts';
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
  /** Usable after `connect` or `connectRest`, as pinned messages are. */
  messages: Messages;
  pinnedMessages: PinnedMessages;
  /** Usable after `connect`. */
  incidentThreads: IncidentThreads;
  /** The audit channel, if there is one. Usable at once. */
  trail?: { channel: AuditChannel; watch: ChannelWatch };
  /** Logs in; resolves when the gateway is ready and the commands are registered. */
  connect(): Promise<void>;
  /** In the place of `connect`: cards can be edited, and nothing is heard of Discord. */
  connectRest(): Promise<void>;
  /** Which of these ids the guild does not have. Usable after `connect`. */
  missing(named: Named): Named;
  /** From here on interactions are handled. */
  serve(runner: Pick<Runner, 'command' | 'click' | 'suggest'>): void;
  close(): Promise<void>;
}

const identified = z.object({ id: z.string() });

/** Gateway close codes after which discord.js does not come back: a live process that does nothing. */
const refusals: Readonly<Record<number, string>> = {
  4004: 'the token is not valid',
  4010: 'invalid shard',
  4011: 'sharding required',
  4012: 'invalid gateway version',
  4013: 'invalid intents',
  4014: 'disallowed intents',
};

/** Why a login cannot work, if the fault is in the token or the intents. */
async function refusalOf(error: unknown, options: BotOptions): Promise<string | undefined> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === DiscordjsErrorCodes.TokenInvalid)
    return (await isRefused(options, Routes.gatewayBot())) ? 'the token is not valid' : undefined;
  return code === DiscordjsErrorCodes.DisallowedIntents || code === DiscordjsErrorCodes.InvalidIntents
    ? 'disallowed intents'
    : undefined;
}

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

/** Says how the connection is, and whether Discord refuses the bot. */
function watchConnection(client: Client, { log, onRefused }: Pick<BotOptions, 'log' | 'onRefused'>): void {
  client.on(Events.Error, (error) => log.warn({ problem: error.message }, 'the gateway met an error'));
  client.on(Events.ShardError, (error) => log.warn({ problem: error.message }, 'the gateway met an error'));
  client.on(Events.ShardReconnecting, () => log.warn({}, 'the connection to Discord is gone'));
  client.on(Events.ShardResume, () => log.info({}, 'Discord is back'));
  client.on(Events.ShardDisconnect, ({ code }) => {
    const problem = refusals[code];
    if (problem !== undefined) onRefused(problem);
  });
  client.on(Events.Invalidated, () => onRefused('the session was invalidated'));
}

/** Resolves when the gateway is ready. */
async function login(client: Client, options: BotOptions): Promise<void> {
  const { token, onRefused } = options;
  const ready = new Promise<void>((resolve) => client.once(Events.ClientReady, () => resolve()));
  await client.login(token).catch(async (error: unknown) => {
    const problem = await refusalOf(error, options);
    if (problem !== undefined) onRefused(problem);
    throw problem !== undefined || error instanceof DiscordAPIError ? error : new DiscordUnavailable(error);
  });
  await ready;
}

export function createBot(options: BotOptions): Bot {
  const { token, guild: guildId, log, note } = options;
  const api = options.apiUrl === undefined ? {} : { api: options.apiUrl };
  const client = createClient(api);
  // Discord does not count interactions towards the bot's 50 requests a second; discord.js would.
  const interactions = new REST({ ...api, globalRequestsPerSecond: 10_000, timeout: 10_000 });
  let [application, user] = ['', ''];
  const channels = (): Channels => ({ application, user, interactions, bot: client.rest, note });
  watchConnection(client, options);
  watchToken(client.rest, options);
  leaveOthers(client, guildId, log);

  return {
    messages: messagesOf(channels),
    pinnedMessages: pinnedMessages(channels),
    incidentThreads: incidentThreads({ channels, mayIn: (id) => mayIn(client, id), log }),
    ...(options.audit === undefined ? {} : { trail: trailOf(client, options, options.audit) }),
    async connect() {
      await login(client, options);
      application = client.application?.id ?? client.user?.id ?? '';
      user = client.user?.id ?? '';
      if (!options.register) return;
      await register(client.rest, application, guildId, options).catch((error: unknown) => {
        throw isLost(error) ? new NotInGuild(error) : error;
      });
    },
    async connectRest() {
      client.rest.setToken(token);
      ({ id: application } = identified.parse(await client.rest.get(Routes.currentApplication())));
      ({ id: user } = identified.parse(await client.rest.get(Routes.user())));
    },
    missing({ roles, channels: named }) {
      const guild = client.guilds.cache.get(guildId);
      return {
        roles: roles.filter((id) => !guild?.roles.cache.has(id)),
        channels: named.filter((id) => !guild?.channels.cache.has(id)),
      };
    },
    serve(runner) {
      client.on(Events.InteractionCreate, listen(runner, options.commands, channels, log));
    },
    async close() {
      // discord.js would say so of its own goodbye too.
      client.removeAllListeners(Events.ShardReconnecting);
      await client.destroy();
    },
  };
}
