import type { AddressInfo } from 'node:net';
import type { StateFile } from '../file.ts';
import { announceRights } from './announce-rights.ts';
import { addFaultRoutes, addFiles, fileOf } from './fault-routes.ts';
import { type DiscordFault, type Faults, makeFaults } from './faults.ts';
import { type Gateway, openGateway } from './gateway.ts';
import { APPLICATION_ID, makeGuild, type Person } from './guild.ts';
import { directory, humanSide } from './human.ts';
import { deliverAgain } from './interactions.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { noMemory, remember } from './memory.ts';
import type { Modal } from './modals.ts';
import { personOf } from './people.ts';
import { type GuildPlan, type NameOf, type UsualGuild, usualGuild } from './plan.ts';
import type { View } from './protocol.ts';
import { announceGuild, readyEvents } from './ready.ts';
import { makeRest, type RestRequest } from './rest/server.ts';
import { screenOf } from './screen.ts';
import type { SeenMessage } from './seen.ts';
import { makeSessions, type Sessions } from './sessions.ts';
import { idAfter } from './snowflake.ts';
import { viewChannel } from './view.ts';
import { makeWatch } from './watch.ts';
import { type Dispatch, INTENTS, type StoredFile, type World } from './world.ts';

export type { DiscordFault } from './faults.ts';

export type { Modal } from './modals.ts';
export { ClientRefusal } from './refusal.ts';
export type { SeenMessage } from './seen.ts';

export interface DiscordOptions<P extends GuildPlan = UsualGuild> {
  /** Default 0: any free port. Always on 127.0.0.1. */
  port?: number;
  /** In ms. Deadlines, ids and times follow it; rate limits follow the machine's clock. */
  now?: () => number;
  token?: string;
  heartbeatMs?: number;
  deadlines?: {
    /** How long a first answer to an interaction may take, in ms; default 3000. */
    answerMs?: number;
    /** How long an interaction's token is valid, in ms; default 900000. */
    tokenMs?: number;
  };
  limits?: Limits;
  /** Privileged intents of the application; default none. Requesting any other closes the gateway with 4014. */
  privileged?: ('members' | 'presences' | 'content')[];
  /** Where the state is stored, except faults and limits; a restart continues from it. Missing: nowhere. */
  kept?: StateFile;
  /** Missing: the guild of policy.example.yaml. */
  guild?: P;
}

/** A running Discord for one guild: its server side (`apiUrl`) and its human side. A thread is a channel. */
export interface SandboxDiscord<P extends GuildPlan = UsualGuild> {
  /** The `rest.api` option of discord.js; ends in /api. */
  apiUrl: string;
  token: string;
  guildId: string;
  applicationId: string;
  botUserId: string;
  channels: Record<NameOf<P, 'channels'>, string>;
  roles: Record<NameOf<P, 'roles'>, string>;
  people: Record<NameOf<P, 'people'>, Person>;
  /** REST requests of the bot, oldest first. */
  requests: RestRequest[];
  /**
   * Types a line. `/firewall flush server:web-1 reason:"two words"` becomes an interaction, whose id is returned;
   * anything else becomes a message. Throws ClientRefusal for what a real client would not send.
   */
  type(who: string, channel: string, line: string): Promise<string>;
  /** Posts a message in any form that Discord documents, by the members of its wire form. Returns its id. */
  post(who: string, channel: string, wire: Record<string, unknown>): string;
  /** Uses an entry of a message's "Apps" menu. Returns the interaction's id. */
  menu(who: string, messageId: string, commandName: string): Promise<string>;
  /** The choices the bot offers for an option of an unfinished line. Throws ClientRefusal if it does not answer. */
  autocomplete(
    who: string,
    channel: string,
    line: string,
    option: string,
  ): Promise<{ name: string; value: string | number }[]>;
  /** Presses a button. Returns the interaction's id. */
  click(who: string, messageId: string, customId: string): Promise<string>;
  /** Fills in and submits the person's open modal: a text for its only field, or texts by custom id. */
  submit(who: string, text: string | Record<string, string>): Promise<string>;
  /** A click, or with `fields` a submission, that no honest client would send. Returns the interaction's id. */
  forge(who: string, messageId: string, customId: string, fields?: Record<string, string>): Promise<string>;
  modalOf(who: string): Modal | undefined;
  messages(who: string, channel: string, from?: string): SeenMessage[];
  view(who: string, channel: string): string;
  viewMessage(who: string, message: SeenMessage): string;
  /** Everything a person's client draws, in wire form; files by paths below `/attachments`. */
  screen(who: string): View;
  file(id: string): StoredFile | undefined;
  dismiss(who: string): void;
  setRoles(who: string, roles: readonly string[]): void;
  /** Puts somebody, or the bot by its name, into time-out until then, in ms; without a time ends it. */
  timeOut(who: string, until?: number): void;
  deleteMessage(who: string, messageId: string): void;
  /** Deletes several at once, as moderation tools do: one event per channel. */
  deleteMessages(who: string, messageIds: readonly string[]): void;
  /** Closes a thread, with `lock` also locks it. Throws ClientRefusal if the person may not. */
  closeThread(who: string, thread: string, how?: { lock?: boolean }): void;
  openThread(who: string, thread: string): void;
  /** Starts a thread in a channel and returns its id. Members and moderators see a private one. */
  startThread(who: string, channel: string, name: string, how?: { private?: boolean }): string;
  /** Adds somebody, or the bot by its name, to a thread, as a mention in it does. */
  addToThread(who: string, thread: string, whom: string): void;
  removeFromThread(who: string, thread: string, whom: string): void;
  /** Deletes a channel with everything in it, or a thread. A deleted channel reads as empty. */
  deleteChannel(name: string): void;
  /** Somebody invites the bot to another guild. Returns its id. */
  inviteElsewhere(name: string): string;
  /** The names of the other guilds that the bot is in. */
  elsewhere(): string[];
  /** Oldest first; `parent` is its channel's name. */
  threads(): { id: string; name: string; parent: string; archived: boolean; locked: boolean }[];
  /** Ids of the pinned messages, newest pin first. */
  pins(channel: string): string[];
  editMessage(who: string, messageId: string, content: string): void;
  order(fault: DiscordFault): void;
  clear(): void;
  /** Whether this very object is active and lasts until it is cancelled. */
  isOrdered(fault: DiscordFault): boolean;
  /** Cancels one order, identified by the object that was given. */
  cancel(fault: DiscordFault): void;
  /** Calls the listener after every visible change. Returns a function that stops it. */
  changed(listener: () => void): () => void;
  /** Waits for something that can be seen; 30 seconds unless said otherwise. */
  until<T>(look: () => T | undefined | false, ms?: number): Promise<T>;
  close(): Promise<void>;
}

/** Starts a Discord on loopback. */
export async function startDiscord<const P extends GuildPlan = UsualGuild>(
  options: DiscordOptions<P> = {},
): Promise<SandboxDiscord<P>> {
  const plan: GuildPlan = options.guild ?? usualGuild;
  const now = options.now ?? Date.now;
  const token = options.token ?? usualToken;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const granted = (options.privileged ?? []).reduce((all, name) => all | INTENTS[name], 0);
  const sessions = makeSessions(now);
  const timers = makeTimers();
  const requests: RestRequest[] = [];
  let gateway: Gateway | undefined;

  const watch = makeWatch(() => describe(world));
  const faults: Faults = makeFaults(
    (fault) => disturb(world, fault, { gateway, sessions }),
    (lifted) => settle(world, lifted),
  );
  const contentGranted = (granted & INTENTS.content) !== 0;
  // During an outage of the guild, or without the bot in it, its events are dropped.
  const dispatch = (event: Dispatch): boolean =>
    (faults.guildAway() && !['INTERACTION_CREATE', 'GUILD_DELETE'].includes(event.t)) || sessions.dispatch(event);
  const hooks = { dispatch, changed: watch.changed, later: timers.later };
  const nextId = (): string => {
    world.newestId = idAfter(world.newestId, now());
    return world.newestId;
  };
  const world: World = { ...emptyWorld(plan, options.deadlines, now), ...hooks, nextId, token, faults, contentGranted };
  if (options.kept) world.memory = remember(world, options.kept);

  const app = makeRest({ world, limits, record: (request) => void requests.push(request) });
  addFaultRoutes(app, faults);
  addFiles(app, world);
  await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  // A server on a TCP port has an AddressInfo.
  const { port } = app.server.address() as AddressInfo;
  world.origin = `http://127.0.0.1:${port}`;
  gateway = openGateway(app.server, {
    sessions,
    token,
    heartbeatMs: options.heartbeatMs ?? 41_250,
    granted,
    outage: faults.outage,
    readyEvents: (session) => readyEvents(world, session),
    changed: watch.changed,
  });

  return {
    apiUrl: `${world.origin}/api`,
    token,
    guildId: world.guild.id,
    applicationId: APPLICATION_ID,
    botUserId: world.guild.bot.id,
    ...directory<P>(world),
    requests,
    ...humanSide(world, watch.until),
    screen: (who) => screenOf(world, personOf(world, who), sessions.online()),
    file: (id) => fileOf(world, id),
    order: faults.order,
    clear: faults.clear,
    isOrdered: faults.isOrdered,
    cancel: faults.cancel,
    changed: watch.listen,
    until: (look, ms = 30_000) => watch.until(look, ms),
    async close() {
      watch.close();
      timers.clear();
      gateway?.close();
      await app.close();
      world.memory.close();
    },
  };
}

const emptyWorld = (plan: GuildPlan, deadlines: DiscordOptions['deadlines'], now: () => number) => ({
  guild: makeGuild(plan),
  elsewhere: [],
  now,
  newestId: '0',
  messages: new Map(),
  interactions: new Map(),
  modals: new Map(),
  commands: [],
  origin: '',
  memory: noMemory,
  answerMs: deadlines?.answerMs ?? 3000,
  tokenMs: deadlines?.tokenMs ?? 900_000,
});

/** The immediate effect of an order. */
function disturb(
  world: World,
  fault: DiscordFault,
  { gateway, sessions }: { gateway: Gateway | undefined; sessions: Sessions },
): void {
  if (fault.kind === 'drop-gateway') gateway?.drop(fault.code ?? 4000);
  if (fault.kind === 'outage') gateway?.drop(1006);
  if (fault.kind === 'reconnect') gateway?.reconnect();
  if (fault.kind === 'forget-sessions') {
    sessions.endAll();
    // Op 9: whoever is connected has to identify again.
    gateway?.write({ op: 9, d: false });
  }
  if (fault.kind === 'guild-outage') announceGuild(world, 'away');
  if (fault.kind === 'packet') gateway?.write(fault.packet);
  if (fault.kind === 'kick') {
    world.commands = [];
    world.memory.touch('commands', '');
    announceGuild(world, 'removed');
  }
  if (fault.kind === 'deliver-again') deliverAgain(world);
  announceRights(world, fault);
}

/** The immediate effect of clearing orders. */
function settle(world: World, lifted: readonly DiscordFault[]): void {
  if (lifted.some(({ kind }) => kind === 'guild-outage' || kind === 'kick')) announceGuild(world, 'back');
  for (const fault of lifted) announceRights(world, fault);
}

/** Runs actions later, unless stopped before. */
function makeTimers() {
  const timers = new Set<NodeJS.Timeout>();
  return {
    later(ms: number, run: () => void) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        run();
      }, ms).unref();
      timers.add(timer);
    },
    clear() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

const usualToken = `${Buffer.from(APPLICATION_ID).toString('base64url')}.U0FORA.sandbox-of-panelops-0000000000000`;

function describe(world: World): string {
  const views = world.guild.people.flatMap((person) =>
    [...world.guild.channels, ...world.guild.threads].map((channel) => ({
      person,
      channel,
      text: viewChannel(world, person, channel),
    })),
  );
  const seen = views.filter(({ text }) => text !== '');
  if (seen.length === 0) return 'The channels are empty.';
  return seen.map(({ person, channel, text }) => `#${channel.name} as ${person.name}:\n${text}`).join('\n\n');
}
