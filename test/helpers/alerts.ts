import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { type IntakeParts, startIntake } from '../../src/alerts/intake.ts';
import { createReceive } from '../../src/alerts/receive.ts';
import { LedgerUnavailable } from '../../src/outcome.ts';
import { alerts as alertRules } from '../../src/policy/alerts.ts';
import { openAlerts } from '../../src/runs/alerts.ts';
import type { NewEntry } from '../../src/runs/entry.ts';
import { forThis } from './lives.ts';
import { quietLog } from './messages.ts';
import { examplePolicy, openWorld, type World, type WorldOptions } from './world.ts';

/** The token of `alertmanager`; `scripts` has another. */
export const token = 'a-token-of-the-night-shift';
export const scriptsToken = 'another-token-of-scripts';

/** Where alerts come in from these two. */
export const intakeOf = (more: Partial<IntakeParts> = {}) =>
  startIntake({
    ...{ host: '127.0.0.1', port: 0, log: quietLog, observe: () => undefined },
    tokens: [
      { name: 'alertmanager', token },
      { name: 'scripts', token: scriptsToken },
    ],
    ...more,
  });

/** One for the test, closed with it. */
export const openIntake = (more?: Partial<IntakeParts>) => forThis(intakeOf(more));

type Send = (body: unknown, how?: { to?: string; bearer?: string }) => Promise<number>;

/** A bot that takes alerts, and what sends them to it: the status. `more`: keys of `alerts` in the policy. */
export async function openNight(options: WorldOptions = {}, more = ''): Promise<{ world: World; send: Send }> {
  const intake = await openIntake();
  const world = await openWorld({ policy: alertsPolicy(more), alerts: { ...intake, pause: 0 }, ...options });
  return { world, send: sendTo(intake.url) };
}

export const sendTo =
  (url: string): Send =>
  async (body, { to = 'generic', bearer = token } = {}) => {
    const answer = await fetch(`${url}/alerts/${to}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    await answer.text();
    return answer.status;
  };

/** The example, with all without which some command is not there. */
export const policyOfEveryCommand = (): string => `${examplePolicy}
on-call:
  - { name: primary, ical-file: /nowhere/primary, match: attendee, role: on-call, people: { "a@example.com": "1400000000000000001" } }
`;

/** The example, with these keys of `alerts`, and no suggestion. */
const alertsPolicy = (more = ''): string =>
  examplePolicy.replace(/^alerts: \{.*\}$/m, `alerts: { channel: "1300000000000000001"${more} }`);

/** What `/alerts/generic` takes. */
export const fires = {
  key: 'web-1 down',
  status: 'firing',
  title: 'HostDown',
  severity: 'critical',
  server: 'web-1',
};

/** One alert of Alertmanager's or Grafana's webhook, and the body with some of them. */
export const webhookAlert = (labels: Record<string, string>, more: Record<string, unknown> = {}) => ({
  status: 'firing',
  labels: { alertname: 'HostDown', severity: 'critical', ...labels },
  annotations: { summary: 'no answer for 2 minutes', runbook_url: 'https://runbooks.example.com/host-down' },
  startsAt: '2026-11-27T02:00:00.000Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'http://prometheus.example.com:9090/graph?g0.expr=up+%3D%3D+0',
  fingerprint: `f${Object.values(labels).join('-')}`,
  ...more,
});
export const webhook = (alerts: readonly unknown[], more: Record<string, unknown> = {}) => ({
  version: '4',
  groupKey: '{}:{alertname="HostDown"}',
  truncatedAlerts: 0,
  status: 'firing',
  receiver: 'panelops',
  groupLabels: { alertname: 'HostDown' },
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'http://alertmanager.example.com:9093',
  alerts,
  ...more,
});

const channel = '1300000000000000001';
export type News = Extract<NewEntry, { kind: 'alert'; step: 'received' }>['news'];

/** Where alerts come in, and what the ledger has of them. */
export async function openReceiver(rules: Record<string, unknown> = {}, patience?: number, pause = 0) {
  const alerts = openAlerts();
  const entries: News[] = [];
  const seen: string[] = [];
  const state = {
    held: true,
    broken: false,
    appending: false,
    asked: 0,
    /** Of how many alerts something is remembered; 0: of those that came. */
    remembered: 0,
    /** When each append began, in ms. */
    begun: [] as number[],
    until: Promise.resolve(),
    at: Date.parse('2026-11-27T02:00:00Z'),
  };
  const receiver = createReceive({
    ledger: {
      alerts: { ...alerts, size: (source) => state.remembered || alerts.size(source) },
      isHeld: () => state.held,
      async append(all) {
        state.appending = true;
        state.begun.push(performance.now());
        await state.until;
        state.appending = false;
        if (state.broken) return Promise.reject(new LedgerUnavailable('the disk is full'));
        for (const entry of all) {
          if (entry.kind !== 'alert' || entry.step !== 'received') continue;
          entries.push(entry.news);
          const seq = entries.length;
          const sealed = { ...entry, seq, time: new Date(state.at).toISOString(), prev: '', hash: '' };
          alerts.take(sealed);
        }
        return [];
      },
    },
    rules() {
      state.asked += 1;
      return alertRules.parse({ channel, ...rules });
    },
    // Any number may be the id of a server that is in no list.
    find: (text) =>
      [
        { id: 101, name: 'web-1' },
        { id: 111, name: 'db-1' },
      ].find(({ id, name }) => text === name || text === String(id)) ??
      (/^\d+$/.test(text) ? { id: Number(text) } : undefined),
    now: () => state.at,
    log: quietLog,
    pause,
  });
  const observe = (source: string | undefined, outcome: string) => void seen.push(`${source} ${outcome}`);
  const intake = await openIntake({ observe, ...(patience === undefined ? {} : { patience }) });
  intake.take(receiver.receive);
  onTestFinished(() => receiver.close());
  return { url: intake.url, send: sendTo(intake.url), entries, seen, state };
}

/** What comes back to bytes as they are, until the connection closes. */
export function raw(url: string, ...pieces: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}
