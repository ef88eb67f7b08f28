import {
  Client,
  Events,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Options,
  type PermissionsBitField,
  type REST,
  Routes,
  Status,
} from 'discord.js';
import type { Threads } from '../cards/closed-thread.ts';
import type { Messages } from '../cards/messages.ts';
import type { Command } from '../command.ts';
import type { PinnedMessages } from '../handover/pin.ts';
import type { Observe } from '../metrics/observe.ts';
import type { Log } from '../outcome.ts';
import type { Runner } from '../shell/index.ts';
import type { AuditChannel, ChannelWatch } from '../trail/channel.ts';
import { createWaits } from '../waits.ts';
import type { Channels } from './answers.ts';
import { openAuditChannel, watchTrail } from './audit-channel.ts';
import { isTextChannel } from './channel-rights.ts';
import { gatewayStrategy, guardQueue, tunnelGateway } from './gateway.ts';
import { closedThreads, commandMentions, guildDescription, isPermanent, leaveOthers, rolesOf } from './guild.ts';
import { type IncidentThreads, incidentThreads } from './incident-threads.ts';
import { listen } from './interactions.ts';
import { login, type TokenOptions, watchConnection, watchToken } from './login.ts';
import { messagesOf } from './messages.ts';
import { pinnedMessages } from './pinned-messages.ts';
import { keepRegistering, type Wanted } from './register.ts';
import { createLimits, createRest, type Limits } from './rest.ts';

export interface BotOptions extends Wanted, TokenOptions {
  guild: string;
  register: boolean;
  audit?: string;
  /** Shown on every card. */
  note: string;
  observe?: Pick<Observe, 'acknowledged'>;
  log: Log;
  /** Discord refused the token or the intents, and nothing works until somebody fixes that. */
  onRefused(problem: string): void;
}

/** Ids of roles and channels of the guild. */
interface GuildIds {
  roles: readonly string[];
  channels: readonly string[];
}

export interface Bot {
  /** Usable after `connect`, like `threads` and `pinnedMessages`. */
  messages: Messages;
  threads: Threads;
  pinnedMessages: PinnedMessages;
  /** Usable after `connect`. */
  incidentThreads: IncidentThreads;
  /** The audit channel, if there is one. Usable at once. */
  trail?: { channel: AuditChannel; watch: ChannelWatch };
  /** Logs in, with retries. Resolves when interactions can be answered. Rejects with NotInGuild. */
  connect(): Promise<void>;
  /** Registers the commands again after the policy changed: those that nobody may run are hidden. */
  register(): Promise<void>;
  /** Which of these ids the guild lacks; for channels, as text channels. Waits until Discord has described it. */
  missing(ids: GuildIds): Promise<GuildIds>;
  /** The roles that a person of the guild has now; none if they left it. */
  rolesOf(person: string): Promise<readonly string[]>;
  isConnected(): boolean;
  /** A link that types the command into the input box. Undefined while the command's id is unknown. */
  mention(command: Command): string | undefined;
  serve(runner: Pick<Runner, 'command' | 'click' | 'suggest'>): void;
  close(): Promise<void>;
}

/** Interactions arrive even while a guild is missing because of an outage. */
const connected: readonly Status[] = [Status.Ready, Status.WaitingForGuilds, Status.Nearly];

/** discord.js destroys a client whose first connection fails. This one lives until `end`, and reconnects by itself. */
class LastingClient extends Client {
  end(): Promise<void> {
    return super.destroy();
  }
  override destroy(): Promise<void> {
    return Promise.resolve();
  }
}

/** Keeps the bot itself, whose permissions are read from there. */
const alone = { maxSize: 0, keepOverLimit: ({ id, client }: { id: string; client: Client }) => id === client.user?.id };

function createClient(
  { apiUrl, token, limits, log }: BotOptions & { limits: Limits },
  signal: AbortSignal,
): LastingClient {
  const client = new LastingClient({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages],
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      // Who acts comes with each interaction, and who may act is asked when it matters.
      ...{ UserManager: alone, GuildMemberManager: alone, ThreadMemberManager: 0, MessageManager: 0 },
    }),
    allowedMentions: { parse: [], repliedUser: false },
    enforceNonce: true,
    ws: { buildStrategy: gatewayStrategy({ log, signal }) },
    rest: { ...(apiUrl === undefined ? {} : { api: apiUrl }), ...limits },
  });
  // What is asked before the login, too.
  client.rest.setToken(token);
  guardQueue(client, log);
  return client;
}

/** Calls back when the guild is described again: after a break of the connection, or because the bot was invited again. */
function onReturn(client: Client, guild: string, log: Log, back: () => Promise<void>): void {
  let isKnown = false;
  client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }) => {
    if (id !== guild) return;
    if (isKnown) void back().catch((error) => log.error({ problem: String(error) }, 'the commands are not registered'));
    isKnown = true;
  });
  client.ws.on(GatewayDispatchEvents.GuildDelete, ({ id, unavailable }) => {
    if (id === guild && unavailable !== true)
      log.error({ guild }, 'the bot was removed from its guild; invite it again with the link in docs/install.md');
  });
}

/** The bot's permissions in a channel or thread, as far as known. */
function mayIn(client: Client, id: string): Readonly<PermissionsBitField> | undefined {
  const channel = client.channels.cache.get(id);
  const me = client.user;
  return channel === undefined || channel.isDMBased() || me === null
    ? undefined
    : (channel.permissionsFor(me) ?? undefined);
}

export function createBot(given: BotOptions): Bot {
  const options = { limits: createLimits(createWaits(given.log).add), ...given };
  const { guild: guildId, log, note, audit } = options;
  const shutdown = new AbortController();
  const closeTunnel = tunnelGateway();
  const client = createClient(options, shutdown.signal);
  // Discord does not count interactions towards the bot's 50 requests a second, but discord.js would.
  const interactions = createRest(options, { globalRequestsPerSecond: 10_000 });
  const home = guildDescription(client, guildId);
  let [application, user] = ['', ''];
  let registering: (() => Promise<void>) | undefined;
  const { learn, mention } = commandMentions();
  /** For `register: false`: reads the ids of what is registered. If that fails, /help has no links. */
  const learnFrom = (rest: Pick<REST, 'get'>): Promise<void> =>
    rest.get(Routes.applicationGuildCommands(application, guildId)).then(learn, () => undefined);
  const channels = (): Channels => ({ application, user, interactions, bot: client.rest, note });
  watchConnection(client, options);
  watchToken(client.rest, options);
  leaveOthers(client, guildId, log);
  onReturn(client, guildId, log, async () => registering?.());

  return {
    messages: messagesOf(channels, {
      onUpdate: (told) => client.ws.on(GatewayDispatchEvents.MessageUpdate, told),
      onBegin: (begun) => client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }) => id === guildId && begun()),
    }),
    threads: closedThreads(channels, (told) => client.ws.on(GatewayDispatchEvents.ThreadUpdate, told)),
    pinnedMessages: pinnedMessages(channels),
    incidentThreads: incidentThreads({ channels, mayIn: (id) => mayIn(client, id), log }),
    trail:
      audit === undefined
        ? undefined
        : { channel: openAuditChannel({ ...options, channel: audit }), watch: watchTrail(client, guildId, audit) },
    async connect() {
      const ready = await login(client, { ...options, signal: shutdown.signal });
      application = ready.application.id;
      user = ready.user.id;
      const { rest } = client;
      if (!options.register) return void learnFrom(rest);
      const isFinal = (error: unknown): Promise<boolean> => isPermanent(error, ready, guildId, home);
      registering = keepRegistering({ ...options, rest, application, isFinal, learn, signal: shutdown.signal });
      await registering();
    },
    register: async () => registering?.(),
    mention,
    async missing({ roles, channels: named }) {
      const guild = await home;
      return {
        roles: roles.filter((id) => !guild.roles.cache.has(id)),
        channels: named.filter((id) => !isTextChannel(guild.channels.cache.get(id)?.type)),
      };
    },
    rolesOf: (person) => rolesOf(client.rest, guildId, person),
    isConnected: () => client.ws.shards.some(({ status }) => connected.includes(status)),
    serve(runner) {
      client.ws.on(GatewayDispatchEvents.InteractionCreate, listen(runner, options.commands, channels, options));
    },
    async close() {
      shutdown.abort();
      // discord.js would also report its own disconnect.
      client.removeAllListeners(Events.ShardReconnecting);
      await client.end();
      closeTunnel();
    },
  };
}
