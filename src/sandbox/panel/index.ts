import fastify from 'fastify';
import type { StateFile } from '../file.ts';
import { addGuard } from '../guard.ts';
import { createCertificate } from './certificate.ts';
import type { World } from './endpoint.ts';
import { addFaultRoutes } from './fault-routes.ts';
import { type Fault, faultProblems } from './faults.ts';
import { createGate } from './gate.ts';
import { createInjector } from './injector.ts';
import { endRunning } from './jobs.ts';
import { createJournal, type Effect, type Journal, type RecordedRequest } from './journal.ts';
import { createListener } from './listener.ts';
import { type Memory, noMemory, remember } from './memory.ts';
import { goOn } from './power.ts';
import { prefix, servePanel } from './serving.ts';
import { createState, type PanelState } from './state.ts';
import { addServers, changeStock, type StockOrder } from './stock.ts';
import { createTimers } from './timers.ts';

export type { Fault } from './faults.ts';
export type { Effect, RecordedRequest } from './journal.ts';
export { stockOrder } from './stock.ts';

export interface PanelOptions {
  port?: number;
  token?: string;
  now?: () => Date;
  tls?: boolean;
  requestsPerMinute?: number;
  /** How long a restore takes, in ms of the panel's clock. */
  restoreMs?: number;
  /** How long after its answer a power action takes effect, in ms. */
  powerMs?: number;
  /** Whether `GET /queue/{id}` exists; default true. Otherwise 404, as from a panel without it. */
  queueReads?: boolean;
  /** Where the state is stored; a restart continues from it. Missing: nowhere. */
  kept?: StateFile;
  /** Servers that it has beside its own. */
  servers?: readonly { id: number; name?: string; ips?: readonly string[] }[] | undefined;
}

/** The running panel. `requests` and `effects` grow; `state` is live. */
export interface SandboxPanel {
  /** Base URL, with /api/v1. */
  url: string;
  token: string;
  /** PEM of the certificate's CA, with TLS. */
  ca?: string;
  requests: RecordedRequest[];
  effects: Effect[];
  state: PanelState;
  /** Orders a fault; throws an error that names the wrong key if it is invalid. */
  order(fault: Fault): void;
  /** Cancels all faults; hung requests continue. Resolves when the port, if it was closed, is open again. */
  clear(): Promise<void>;
  /** Changes the panel's servers, as in its own pages. Why it cannot; undefined: it is done. */
  stock(order: StockOrder): string | undefined;
  /** Whether this very object is active. */
  isOrdered(fault: Fault): boolean;
  /** Cancels one fault, identified by the object that was ordered; requests already affected continue with it. */
  cancel(fault: Fault): Promise<void>;
  /** Starts a minute in which the token has no requests left. */
  exhaust(): void;
  /** Whether the token has no requests left. */
  isExhausted(): boolean;
  /** Ends running restores now, except those that never end. */
  endRestores(): void;
  changed: Journal['changed'];
  until: Journal['until'];
  close(): Promise<void>;
}

/** Starts the panel on 127.0.0.1. */
export async function startPanel(options: PanelOptions = {}): Promise<SandboxPanel> {
  const { token = 'sandbox-panel-token', now = () => new Date() } = options;
  const certificate = options.tls ? createCertificate('panelops sandbox CA') : undefined;
  const state = createState(now());
  const memory: Memory = options.kept ? remember(state, options.kept, now()) : noMemory;
  addServers(state, options.servers ?? [], now());
  const listener = createListener(options.port ?? 0, certificate, state.port);
  const journal = createJournal();
  const news = () => {
    memory.save();
    journal.notify();
  };
  const timers = createTimers(news);
  const injector = createInjector(listener, certificate, timers);
  const url = () => `${certificate ? 'https' : 'http'}://127.0.0.1:${listener.port()}${prefix}`;
  const world: World = {
    state,
    now,
    url,
    restoreMs: options.restoreMs ?? 20_000,
    powerMs: options.powerMs ?? 300,
    queueReads: options.queueReads ?? true,
    later: timers.later,
    effect({ method, path, body }, { id }, what) {
      journal.effects.push({ at: now(), serverId: id, what, method, path, body });
      news();
    },
  };
  goOn(world);
  const app = fastify({ serverFactory: listener.serve, exposeHeadRoutes: false });
  addGuard(app);
  const gate = createGate(token, options.requestsPerMinute ?? 600, now);
  servePanel(app, { gate, faults: injector.faults, journal, world, listening: listener.listening });
  addFaultRoutes(app, injector);
  await app.ready();
  await listener.listen();
  state.port = listener.port();
  memory.save();
  return {
    url: url(),
    token,
    ...(certificate && { ca: certificate.ca }),
    requests: journal.requests,
    effects: journal.effects,
    state: world.state,
    order(fault) {
      const problems = faultProblems(fault) ?? injector.order(fault);
      if (problems) throw new Error(`no such fault: ${JSON.stringify(problems)}`);
    },
    clear: injector.clear,
    isOrdered: injector.faults.has,
    cancel: injector.cancel,
    exhaust: gate.exhaust,
    isExhausted: gate.isExhausted,
    stock: (order) => changeStock(world, order, news),
    endRestores() {
      endRunning(world);
      memory.save();
    },
    changed: journal.changed,
    until: journal.until,
    async close() {
      timers.stop();
      await listener.close();
      await app.close();
    },
  };
}
