import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createCertificate } from '../../src/sandbox/panel/certificate.ts';
import { eachTurnsItsLine, type Fault } from '../helpers/check/faults.ts';
import { examplePolicy, type Scene } from '../helpers/check/scene.ts';
import { describeWithRedisServer } from '../helpers/redis-server.ts';

/** A panel whose certificate ended long ago. */
async function expired(scene: Scene): Promise<Record<string, string>> {
  const { cert, key, ca } = createCertificate('an old CA', '210101000000Z');
  const server = createServer({ cert, key }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  onTestFinished(() => void server.close());
  // A server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo;
  return { PANEL_URL: `https://127.0.0.1:${port}`, PANEL_CA_FILE: scene.file('old.pem', ca) };
}

const fromPanel = 'inventory: { source: panel, preset: virtfusion }\n';
const withoutRows = examplePolicy.replace(/\nservers:\n(?: {2}- .*\n)+/, '\n');
const late = { date: new Date(Date.now() - 120_000).toUTCString() };
const panelSkips = ['panel-token', 'budget', 'restore-status', 'backup-list'];

const faults: Fault[] = [
  {
    what: 'a panel that is down',
    order: ({ panel }) => panel.order({ kind: 'refuse' }),
    bad: ['wrong panel'],
    skipped: ['certificate', ...panelSkips],
    says: 'The panel could not be reached: it refused the connection.',
  },
  {
    what: 'a panel that never answers',
    order: ({ panel }) => panel.order({ kind: 'hang-before', times: 0 }),
    bad: ['wrong panel'],
    skipped: panelSkips,
    says: 'The panel did not answer in time.',
  },
  {
    what: 'something else in place of the panel',
    order: ({ panel }) => panel.order({ kind: 'html', times: 0 }),
    bad: ['wrong panel'],
    skipped: panelSkips,
    says: "What answers at this address is not the panel's API.",
  },
  {
    what: 'a panel that meets an error',
    order: ({ panel }) => panel.order({ kind: 'status-before', status: 500, times: 0 }),
    bad: ['wrong panel'],
    skipped: panelSkips,
    says: 'The panel, or a proxy in front of it, failed with a server error.',
  },
  {
    what: 'a certificate of another CA',
    order: ({ panel }) => panel.order({ kind: 'wrong-certificate' }),
    bad: ['wrong certificate'],
    skipped: ['panel', ...panelSkips],
    says: "The panel's certificate comes from a CA that is not trusted here.",
  },
  {
    what: 'a certificate that has expired',
    order: expired,
    bad: ['wrong certificate'],
    skipped: ['panel', ...panelSkips],
    says: "The panel's certificate has expired.",
  },
  {
    what: 'a certificate that ends soon',
    order: () => undefined,
    options: { bounds: { certificateMs: 40 * 365 * 86_400_000 } },
    bad: ['warning certificate'],
    says: "The panel's certificate ends on 2049-12-31.",
  },
  {
    what: 'a panel token that is refused',
    order: () => ({ PANEL_TOKEN: 'another-panel-token' }),
    bad: ['wrong panel-token'],
    skipped: ['budget', 'restore-status', 'backup-list'],
    says: "The panel did not accept the bot's token (401)",
  },
  {
    what: 'a panel token that connects and may not read',
    order: ({ panel }) =>
      panel.order({ kind: 'status-before', status: 403, body: { errors: [] }, match: { path: '/groups' } }),
    bad: ['wrong panel-token'],
    skipped: ['restore-status', 'backup-list'],
    says: 'it may not read the hypervisor groups (403)',
  },
  {
    what: "a panel's clock that is off",
    order: ({ panel }) => panel.order({ kind: 'delay', ms: 0, times: 0, headers: late }),
    bad: ['warning clock'],
    says: "ahead of the panel's.",
  },
  {
    what: "this machine's clock that is off",
    order: () => undefined,
    options: { now: () => Date.now() - 90_000 },
    bad: ['warning clock', 'warning clock'],
    says: "seconds behind Discord's.",
  },
  {
    what: 'requests that are nearly used up',
    order: ({ panel }) => panel.order({ kind: 'delay', ms: 0, times: 0, headers: { 'x-ratelimit-remaining': '100' } }),
    bad: ['warning budget'],
    says: "of the token's 600 requests of this minute are left.",
  },
  {
    what: 'requests that are used up',
    order: ({ panel }) => panel.exhaust(),
    bad: ['warning budget'],
    skipped: ['panel-token', 'restore-status', 'backup-list'],
    says: "0 of the token's 600 requests of this minute are left.",
  },
  {
    what: 'a restore-status that is not there',
    order: ({ panel }) =>
      panel.order({ kind: 'status-before', status: 404, body: { errors: ['?'] }, match: { path: '/jobs/' }, times: 0 }),
    bad: ['wrong restore-status'],
    says: 'The panel does not know job 91 of server 101 at the path of restore-status (404).',
  },
  {
    what: 'a restore-status that points elsewhere',
    order: ({ policy }) => policy(examplePolicy.replace('status: /data/status', 'status: /data/elsewhere')),
    bad: ['wrong restore-status'],
    says: "The panel's answer about job 91 of server 101 has no status where the policy points.",
  },
  {
    what: 'a backup-list that is not there',
    order: ({ panel }) =>
      panel.order({ kind: 'status-before', status: 404, body: { errors: ['?'] }, match: { path: '/backups/' } }),
    bad: ['warning backup-list'],
    says: 'The panel knows nothing at the path of backup-list for server 101 (404).',
  },
  {
    what: 'a backup-list that points elsewhere',
    order: ({ policy }) => policy(examplePolicy.replace('list: /data', 'list: /backups')),
    bad: ['wrong backup-list'],
    says: "The panel's answer about server 101 has no backups with dates where the policy points.",
  },
  {
    what: 'an inventory that the panel does not give',
    order({ panel, policy }) {
      panel.order({ kind: 'status-before', status: 403, body: { errors: [] }, match: { path: '/servers?' } });
      return policy(`${examplePolicy}\n${fromPanel}`);
    },
    bad: ['wrong inventory'],
    says: "The panel's list of servers: /servers cannot be read (",
  },
  {
    what: 'no inventory: it says what each role gains by it',
    order: ({ policy }) =>
      policy(
        `${withoutRows}\nservers: [{ id: 101, name: web-1 }]\ntiers: [{ group: 2, tier: internal }]\n${fromPanel}`,
      ),
    bad: [],
    says: 'Of these, roles reach: `viewer` 11, `on-call` 9 and `lead` 11.',
  },
];

describeWithRedisServer('panelops check of the panel', () => eachTurnsItsLine(faults));
