import type { AddressInfo } from 'node:net';
import type { Kept } from '../file.ts';
import { type DiscordFault, type Faults, makeFaults } from './faults.ts';
import { tellLifted, tellRights } from './forbid.ts';
import { type Gateway, openGateway } from './gateway.ts';
import { APPLICATION_ID, makeGuild, type Person } from './guild.ts';
import { directory, humanSide } from './human.ts';
import { deliverAgain } from './interactions.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { forgetful, remember } from './memory.ts';
import type { Modal } from './modals.ts';
import { addFiles, addOrders, fileOf } from './orders.ts';
import { personOf } from './people.ts';
import { type GuildPlan, type NameOf, type UsualGuild, usualGuild } from './plan.ts';
import type { View } from './protocol.ts';
import { makeRest, type RestRequest } from './rest/server.ts';
import { screenOf } from './screen.ts';
import type { SeenMessage } from './seen.ts';
import { makeSessions, type Sessions } from './sessions.ts';
import { idAfter } from './snowflake.ts';
import { viewChannel } from './view.ts';
import { makeWatch } from './watch.ts';
import { tellGuild, welcome } from './welcome.ts';
import { type Dispatch, INTENTS, type StoredFile, type World } from './world.ts';

export type { DiscordFault } from './faults.ts';

export type { Modal } from './modals.ts';
export { ClientRefusal } from './refusal.ts';
export type { RestRequest } from './rest/server.ts';
export type { SeenMessage } from './seen.ts';

export interface DiscordOptions<P extends GuildPlan = UsualGuild> {
  /** 0, the default, takes a free one. Always on 127.0.0.1. */
  port?: number;
  /** Milliseconds. Deadlines, ids and times follow it; rate limits follow the machine's clock. */
  now?: () => number;
  token?: string;
  heartbeatMs?: number;
  deadlines?: {
    /** Until the first answer to an interaction; 3000. */
    answerMs?: number;
    /** How long an interaction's token is good; 900000. */
    tokenMs?: number;
  };
  limits?: Limits;
  /** Privileged intents that the application has; none. Asking the gateway for another closes with 4014. */
  privileged?: ('members' | 'presences' | 'content')[];
  /** Where everything is remembered, but for faults and limits: started again on it, it is the same Discord. Left out: nowhere. */
  kept?: Kept;
  /** Left out: the guild of policy.example.yaml. */
  guild?: P;
}

/** A running Discord for one guild, with its server side (`apiUrl`) and the human side (the functions). A thread goes wherever a channel goes. */
export interface SandboxDiscord<P extends GuildPlan = UsualGuild> {
  /** What discord.js takes as `rest.api`: ends in /api. */
  apiUrl: string;
  token: string;
  guildId: string;
  applicationId: string;
  botUserId: string;
  channels: Record<NameOf<P, 'channels'>, string>;
  roles: Record<NameOf<P, 'roles'>, string>;
  people: Record<NameOf<P, 'people'>, Person>;
  /** REST requests that the bot made, oldest first. */
  requests: RestRequest[];
  /**
   * Types a line. `/firewall flush server:web-1 reason:"two words"` becomes an interaction, whose id is the answer; anything
   * else is posted as a message. Throws ClientRefusal for what a person's app would not send.
   */
  type(who: string, channel: string, line: string): Promise<string>;
  /** Picks one of the "Apps" in a message's menu by its name; answers the interaction's id. */
  menu(who: string, messageId: string, commandName: string): Promise<string>;
  /** The choices that the bot offers for one option of an unfinished line. Throws ClientRefusal if it does not answer. */
  autocomplete(
    who: string,
    channel: string,
    line: string,
    option: string,
  ): Promise<{ name: string; value: string | number }[]>;
  /** Presses a button; answers the interaction's id. */
  click(who: string, messageId: string, customId: string): Promise<string>;
  /** Fills in and sends the person's open modal: the text of its only field, or texts by custom id. */
  submit(who: string, text: string | Record<string, string>): Promise<string>;
  /** A click, or with `fields` a submission, that no honest app would send; answers the interaction's id. */
  forge(who: string, messageId: string, customId: string, fields?: Record<string, string>): Promise<string>;
  modalOf(who: string): Modal | undefined;
  messages(who: string, channel: string): SeenMessage[];
  view(who: string, channel: string): string;
  viewMessage(who: string, message: SeenMessage): string;
  /** All that a person's app has to draw, in wire form; files by paths below `/attachments`. */
  screen(who: string): View;
  /** A file of a message, by its id. */
  file(id: string): StoredFile | undefined;
  /** Closes the person's open modal, if there is one. */
  dismiss(who: string): void;
  /** Role names or ids. */
  setRoles(who: string, roles: readonly string[]): void;
  deleteMessage(who: string, messageId: string): void;
  /** Several at once, as a moderator's tools do it: one event for each channel. */
  deleteMessages(who: string, messageIds: readonly string[]): void;
  /** Closes a thread, and locks it where that is said. Throws ClientRefusal for who may not. */
  closeThread(who: string, thread: string, how?: { lock?: boolean }): void;
  /** Opens it again, and takes the lock off. */
  openThread(who: string, thread: string): void;
  /**
   * Starts a thread in a channel, and answers its id. A private one is seen by those who are in it, and by moderators.
   */
  startThread(who: string, channel: string, name: string, how?: { private?: boolean }): string;
  /** Lets somebody into a thread, or the bot by its name, as a mention in it does. */
  addToThread(who: string, thread: string, whom: string): void;
  removeFromThread(who: string, thread: string, whom: string): void;
  /** A channel with everything in it, or a thread. Looked at afterwards, a deleted channel is empty. */
  deleteChannel(name: string): void;
  /** Somebody invites the bot to a guild of theirs; answers that guild's id. */
  inviteElsewhere(name: string): string;
  /** The names of the guilds that the bot is in beside this one. */
  elsewhere(): string[];
  /** Oldest first; `parent` is the name of its channel. */
  threads(): { id: string; name: string; parent: string; archived: boolean; locked: boolean }[];
  /** Ids of the pinned messages, the newest pin first. */
  pins(channel: string): string[];
  editMessage(who: string, messageId: string, content: string): void;
  order(fault: DiscordFault): void;
  clear(): void;
  /** Whether this very object is on order, and lasts until it is taken back. */
  isOrdered(fault: DiscordFault): boolean;
  /** Takes one order back, the same object that was given. */
  cancel(fault: DiscordFault): void;
  /** Calls the listener after every change of what can be seen; answers how to stop that. */
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
  // During an outage of the guild its events do not come.
  const dispatch = (event: Dispatch): boolean =>
    faults.guildAway() && !['INTERACTION_CREATE', 'GUILD_DELETE'].includes(event.t) ? true : sessions.dispatch(event);
  const heard = { dispatch, changed: watch.changed, later: timers.later };
  const nextId = (): string => {
    world.newestId = idAfter(world.newestId, now());
    return world.newestId;
  };
  const world: World = { ...emptyWorld(plan, options.deadlines, now), ...heard, nextId, token, faults, contentGranted };
  if (options.kept) world.memory = remember(world, options.kept);

  const app = makeRest({ world, limits, record: (request) => void requests.push(request) });
  addOrders(app, faults);
  addFiles(app, world);
  await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = app.server.address() as AddressInfo;
  world.origin = `http://127.0.0.1:${port}`;
  gateway = openGateway(app.server, {
    sessions,
    token,
    heartbeatMs: options.heartbeatMs ?? 41_250,
    granted,
    outage: faults.outage,
    welcome: (session) => welcome(world, session),
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

/** A guild in which nothing was said yet. */
const emptyWorld = (plan: GuildPlan, deadlines: DiscordOptions['deadlines'], now: () => number) => ({
  guild: makeGuild(plan),
  elsewhere: [],
  now,
  newestId: '0',
  messages: new Map(),
  interactions: new Map(),
  modals: new Map(),
  auditLog: [],
  commands: [],
  origin: '',
  memory: forgetful,
  answerMs: deadlines?.answerMs ?? 3000,
  tokenMs: deadlines?.tokenMs ?? 900_000,
});

/** What an order does at once. */
function disturb(
  world: World,
  fault: DiscordFault,
  { gateway, sessions }: { gateway: Gateway | undefined; sessions: Sessions },
): void {
  if (fault.kind === 'drop-gateway') gateway?.drop(fault.code ?? 4000);
  if (fault.kind === 'outage') gateway?.drop(1006);
  if (fault.kind === 'reconnect') gateway?.reconnect();
  if (fault.kind === 'forget-sessions') sessions.endAll();
  if (fault.kind === 'guild-outage') tellGuild(world, 'away');
  if (fault.kind === 'deliver-again') deliverAgain(world);
  tellRights(world, fault);
}

/** What the end of orders does at once. */
function settle(world: World, lifted: readonly DiscordFault[]): void {
  if (lifted.some(({ kind }) => kind === 'guild-outage')) tellGuild(world, 'back');
  tellLifted(world, lifted);
}

/** What is done later, unless all ends before. */
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

/** The bot's token where none is given. */
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
