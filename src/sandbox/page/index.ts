import type { AddressInfo } from 'node:net';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SandboxDiscord } from '../discord/index.ts';
import { type SandboxPanel, stockOrder } from '../panel/index.ts';
import { addActs, shapeProblem } from './act.ts';
import { entryRows, type FollowUp, followUpRows, type LedgerEntry, requestRows } from './behind.ts';
import { openEvents } from './events.ts';
import { addAttachments, addBundle } from './files.ts';
import { guardPage } from './guard.ts';
import { createLive, type Pace } from './live.ts';
import type { Behind } from './protocol.ts';
import { type Lever, leversOf, type TakesAlerts } from './switches.ts';

export type { Behind, View } from './protocol.ts';

export interface PageOptions {
  /** 0: any free port. Always on 127.0.0.1. */
  port: number;
  discord: SandboxDiscord;
  /** Missing: the bot uses another panel, which can be neither watched nor broken. */
  panel?: SandboxPanel;
  /** The built page: a folder with an index.html. */
  bundle: string;
  /** The bot's state, for the side panel. */
  bot: {
    entries(): readonly LedgerEntry[];
    followUps(): Promise<readonly FollowUp[]>;
    /** Missing: the Redis is not ours to kill. */
    killRedis?: () => void;
    /** The bot posts its ledger in #audit. */
    trail?: true;
    /** Where it takes alerts of others. Missing: it takes none. */
    alerts?: TakesAlerts | undefined;
  };
  /** `look`: how often to query the bot while the side panel is open. All in ms. */
  pace?: Partial<Pace & { look: number }>;
}

export interface Page {
  /** `http://127.0.0.1:8137` */
  url: string;
  close(): Promise<void>;
}

/** The close code for a page that asks for an unknown person; the client knows it too, and goes on as the one of the reason. */
const NOBODY = 4400;

const usual = { events: 50, heartbeat: 15_000, look: 1000 };

/** Serves the sandbox's Discord to browsers on this machine. Rejects with EADDRINUSE if the port is taken. */
export async function startPage(options: PageOptions): Promise<Page> {
  const { discord, panel, bot } = options;
  const pace = { ...usual, ...options.pace };
  const live = createLive(pace);
  const levers = leversOf({ discord, ...(panel && { panel }), ...bot });
  const followUps = followUpsOf(bot);
  const behind = (): Behind => ({
    requests: requestRows(panel?.requests ?? []),
    entries: entryRows(bot.entries()),
    followUps: followUpRows(followUps.known()),
    switches: levers.map(({ id, label, watch, kind, isOn }) => ({ id, label, watch, kind, on: isOn() })),
    ...(panel && {
      servers: panel.state.servers.map(({ id, name, suspended = false }) => ({ id, name, suspended })),
    }),
  });

  const app = fastify({ bodyLimit: 64 * 1024, forceCloseConnections: true, exposeHeadRoutes: false });
  // A server on a TCP port has an AddressInfo.
  const port = () => (app.server.address() as AddressInfo).port;
  guardPage(app, port);
  addBundle(app, options.bundle);
  addAttachments(app, discord);
  addActs(app, discord);
  addSwitches(app, levers, live.changed);
  if (panel) addStock(app, panel);
  addErrors(app);
  openEvents(app.server, (socket, asked) => {
    const as = asked.get('as') ?? '';
    if (!Object.hasOwn(discord.people, as)) {
      return socket.close(NOBODY, Object.keys(discord.people)[0]);
    }
    const isOpen = asked.get('behind') === '1';
    live.connect(socket, [['view', () => discord.screen(as)], ...(isOpen ? [['behind', behind] as const] : [])]);
  });
  await app.listen({ host: '127.0.0.1', port: options.port });

  const stops = [discord.changed(live.changed), panel?.changed(live.changed)];
  const looking = setInterval(() => {
    if (live.isWatched('behind')) void followUps.look().then(live.changed);
  }, pace.look);
  return {
    url: `http://127.0.0.1:${port()}`,
    async close() {
      clearInterval(looking);
      for (const stop of stops) stop?.();
      live.close();
      await app.close();
    },
  };
}

const order = z.strictObject({ id: z.string(), on: z.boolean().optional() });

function addSwitches(app: FastifyInstance, levers: readonly Lever[], changed: () => void): void {
  app.post('/switch', async ({ body }, reply) => {
    const read = order.safeParse(body);
    if (!read.success) return reply.code(400).send({ problem: shapeProblem(order, body) });
    const lever = levers.find(({ id }) => id === read.data.id);
    if (!lever) return reply.code(409).send({ problem: `${read.data.id}: there is no such switch.` });
    await lever.turn(lever.kind === 'once' || (read.data.on ?? !lever.isOn()));
    changed();
    return { result: null };
  });
}

function addStock(app: FastifyInstance, panel: SandboxPanel): void {
  app.post('/stock', ({ body }, reply) => {
    const read = stockOrder.safeParse(body);
    if (!read.success) return reply.code(400).send({ problem: shapeProblem(stockOrder, body) });
    const problem = panel.stock(read.data);
    return problem === undefined ? { result: null } : reply.code(409).send({ problem });
  });
}

function addErrors(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ problem: 'There is nothing here.' }));
  app.setErrorHandler((error: FastifyError, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ problem: error.message }),
  );
}

/** Polls with one query at a time: while Redis is down, an answer takes seconds. */
function followUpsOf(bot: PageOptions['bot']) {
  let known: readonly FollowUp[] = [];
  let asking: Promise<void> | undefined;
  return {
    known: () => known,
    look(): Promise<void> {
      asking ??= bot
        .followUps()
        .then((found) => {
          known = found;
        })
        // Keep showing the last answer.
        .catch(() => undefined)
        .finally(() => {
          asking = undefined;
        });
      return asking;
    },
  };
}
