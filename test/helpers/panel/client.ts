import { onTestFinished } from 'vitest';
import { createPanel, type PanelOptions } from '../../../src/panel/client.ts';
import type { EndpointName, Input } from '../../../src/panel/endpoints.ts';
import { startPanel } from '../../../src/sandbox/panel/index.ts';
import { type Said, serve } from './server.ts';

export const bot = { kind: 'confirmed' } as const;
export const alice = { kind: 'person', id: '1400000000000000001' } as const;
export const bob = { kind: 'person', id: '1400000000000000002' } as const;

/** A client that is closed after the test, and does not really wait before it sends again. */
export function connect(url: string, options: Partial<PanelOptions> = {}) {
  const panel = createPanel({ url, token: 'secret-token', wait: () => Promise.resolve(), ...options });
  onTestFinished(() => panel.close());
  return panel;
}

/** The sandbox's panel and a client of it. */
export async function sandbox(options: Partial<PanelOptions> = {}) {
  const panel = await startPanel();
  onTestFinished(() => panel.close());
  return { panel, client: connect(panel.url, { token: panel.token, ...options }) };
}

const server = { serverId: 101 };
/** What each endpoint may be asked. */
const inputs = {
  connect: {},
  groups: {},
  group: { hypervisorGroupId: 9 },
  resources: { hypervisorGroupId: 9 },
  traffic: server,
  firewall: { ...server, interface: 'primary' },
  firewallEnable: { ...server, interface: 'primary' },
  ipv4Add: { ...server, ip: ['192.0.2.7'] },
  powerBoot: server,
  backupRestore: { ...server, disks: ['0'] },
  vlanSet: { ...server, interfaceRef: 'primary', vlanId: 7, trunk: 1 },
} satisfies Partial<Record<EndpointName, object>>;
export type Asked = keyof typeof inputs;

/** What the client makes of an answer, and what the server heard. */
export async function answerTo(endpoint: Asked, said: Said) {
  const { url, heard } = await serve(said);
  // Each input fits its own endpoint; the type of the union cannot say so.
  const answer = await connect(url).call(endpoint, inputs[endpoint] as Input<typeof endpoint>, bot);
  return { answer, heard, requests: heard.length };
}
