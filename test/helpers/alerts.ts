import { onTestFinished } from 'vitest';
import { type IntakeParts, startIntake } from '../../src/alerts/intake.ts';
import { quietLog } from './messages.ts';
import { examplePolicy, openWorld, type World, type WorldOptions } from './world.ts';

/** The token of `alertmanager`; `scripts` has another. */
export const token = 'a-token-of-the-night-shift';
export const scriptsToken = 'another-token-of-scripts';

/** Where alerts come in from these two. */
export async function openIntake(more: Partial<IntakeParts> = {}) {
  const intake = await startIntake({
    ...{ host: '127.0.0.1', port: 0, log: quietLog, observe: () => undefined },
    tokens: [
      { name: 'alertmanager', token },
      { name: 'scripts', token: scriptsToken },
    ],
    ...more,
  });
  onTestFinished(() => intake.close());
  return intake;
}

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

/** The example, with alerts in #ops. `more`: keys of `alerts`. */
export const policyWithAlerts = (more = ''): string =>
  examplePolicy.replace(/^# alerts: \{.*\}$/m, `alerts: { channel: "1300000000000000001"${more} }`);

/** The example, with alerts in #ops, which bob may acknowledge on his servers. `more`: keys of `alerts`. */
const alertsPolicy = (more = ''): string =>
  policyWithAlerts(more).replace('hold, release],', 'hold, release, alerts.acknowledge],');

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
