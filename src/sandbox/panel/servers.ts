import { createTraffic, type Traffic } from './periods.ts';
import { type Rule, rule } from './rules.ts';

type InterfaceName = 'primary' | 'secondary';

interface FirewallSettings {
  enabled: boolean;
  rules: Rule[];
}

export interface NetworkInterface {
  /** Ten digits; also the device's name on the hypervisor. */
  tag: string;
  /** Changes are stored; `sync` copies them to `applied`. */
  firewall: { stored: FirewallSettings; applied: FirewallSettings };
  trunk: number;
  vlans: { id: number; vlanId: number; nativeMode: number }[];
}

interface WhitelistEntry {
  interface: InterfaceName;
  ip: string;
  cidr: number;
}

/** How a restore ends: done in time, an error half-way, stuck at 40 %, or a job that is unknown half-way. */
export type RestoreFate = 'finishes' | 'fails' | 'sticks' | 'vanishes';

export interface Server {
  id: number;
  name: string;
  groupId: number;
  hypervisorId: number;
  power: 'running' | 'stopped';
  /** Destruction protection: restores get 409. */
  protected: boolean;
  suspended?: boolean;
  /** Changes get 423. */
  pendingTasks: boolean;
  /** Changes get 503. */
  maintenance: boolean;
  /** Percent of the allocated CPU, 0 for no throttle: as stored, and as applied to the running server. */
  cpuThrottle: { stored: number; applied: number };
  interfaces: { primary: NetworkInterface; secondary?: NetworkInterface };
  ipv4: string[];
  whitelist: WhitelistEntry[];
  traffic: Traffic;
  /** Chain ids by disk number; empty: no backups. */
  backups: Record<string, number[]>;
  restores: RestoreFate;
  /** A shutdown stays unfinished until the power is cut. */
  ignoresShutdown: boolean;
  /** Why it cannot start; missing: it can. */
  bootProblem?: string;
}

interface Sketch {
  id: number;
  name: string;
  /** Missing: it has none. */
  ip: string | undefined;
  groupId: number;
  hypervisorId: number;
}

const sketches: Sketch[] = [
  { id: 101, name: 'web-1', ip: '192.0.2.101', groupId: 1, hypervisorId: 1 },
  { id: 102, name: 'web-2', ip: '192.0.2.102', groupId: 1, hypervisorId: 2 },
  { id: 103, name: 'web-3', ip: '192.0.2.103', groupId: 1, hypervisorId: 3 },
  { id: 111, name: 'db-1', ip: '192.0.2.111', groupId: 1, hypervisorId: 7 },
  { id: 112, name: 'db-2', ip: '192.0.2.112', groupId: 1, hypervisorId: 7 },
  { id: 121, name: 'mail-1', ip: '192.0.2.121', groupId: 2, hypervisorId: 11 },
  { id: 131, name: 'cache-1', ip: '192.0.2.131', groupId: 2, hypervisorId: 11 },
  { id: 141, name: 'build-1', ip: '192.0.2.141', groupId: 2, hypervisorId: 12 },
  { id: 151, name: 'legacy-1', ip: '192.0.2.151', groupId: 2, hypervisorId: 13 },
  { id: 161, name: 'vpn-1', ip: '192.0.2.161', groupId: 2, hypervisorId: 12 },
  { id: 201, name: 'lab-1', ip: '198.51.100.201', groupId: 3, hypervisorId: 21 },
  { id: 202, name: 'lab-2', ip: '198.51.100.202', groupId: 3, hypervisorId: 22 },
];

function fewRules(serverId: number): Rule[] {
  return [rule(serverId * 1000 + 1, 'tcp', '22', '192.0.2.0/24'), rule(serverId * 1000 + 2, 'icmp', '')];
}

function networkInterface(tag: number, vlanEntry: number, rules: Rule[]): NetworkInterface {
  return {
    tag: String(tag),
    firewall: { stored: { enabled: true, rules }, applied: { enabled: true, rules } },
    trunk: 0,
    vlans: [{ id: vlanEntry, vlanId: 100, nativeMode: 0 }],
  };
}

/** One without anything peculiar. */
export function createServer({ ip, ...sketch }: Sketch, now: Date): Server {
  return {
    ...sketch,
    power: 'running',
    protected: false,
    pendingTasks: false,
    maintenance: false,
    cpuThrottle: { stored: 0, applied: 0 },
    interfaces: { primary: networkInterface(4_000_000_000 + sketch.id, sketch.id * 10, fewRules(sketch.id)) },
    ipv4: ip === undefined ? [] : [ip],
    whitelist: [],
    traffic: createTraffic(now),
    backups: { '0': [sketch.id * 10 + 7] },
    restores: 'finishes',
    ignoresShutdown: false,
  };
}

const setFirewall = (server: Server, settings: FirewallSettings): void => {
  server.interfaces.primary.firewall = { stored: settings, applied: settings };
};

/** What makes individual servers worth trying, by id. */
const peculiarities: Record<number, (server: Server) => void> = {
  101: (server) => {
    setFirewall(server, {
      enabled: true,
      rules: [
        rule(101_001, 'tcp', '22', '192.0.2.0/24'),
        rule(101_002, 'tcp', '80'),
        rule(101_003, 'tcp', '443'),
        rule(101_004, 'icmp', ''),
      ],
    });
    server.interfaces.primary.vlans = [
      { id: 7, vlanId: 100, nativeMode: 0 },
      { id: 8, vlanId: 200, nativeMode: 1 },
    ];
    server.interfaces.secondary = networkInterface(4_000_001_101, 9, fewRules(1101));
    server.ipv4.push('203.0.113.5');
    server.whitelist.push({ interface: 'primary', ip: '203.0.113.128', cidr: 28 });
    server.backups = { '0': [17], '1': [18] };
  },
  102: (server) => {
    server.interfaces.secondary = networkInterface(4_000_001_102, 1021, fewRules(1102));
    server.ignoresShutdown = true;
  },
  103: (server) => {
    const rules = Array.from({ length: 200 }, (_, index) => rule(103_001 + index, 'tcp', String(20_000 + index)));
    setFirewall(server, { enabled: true, rules });
  },
  111: (server) => {
    server.interfaces.secondary = networkInterface(4_000_001_111, 1111, fewRules(1111));
  },
  112: (server) => {
    server.interfaces.secondary = networkInterface(4_000_001_112, 1121, fewRules(1112));
    server.backups = { '0': [27], '1': [28] };
  },
  121: (server) => {
    server.restores = 'fails';
  },
  131: (server) => {
    server.restores = 'sticks';
  },
  141: (server) => {
    server.restores = 'vanishes';
  },
  151: (server) => {
    server.backups = {};
  },
  161: (server) => {
    setFirewall(server, { enabled: false, rules: fewRules(161) });
  },
  202: (server) => {
    server.protected = true;
    server.bootProblem = 'The disk image could not be opened: No space left on device.';
  },
};

/** A new copy of the twelve servers. */
export function createServers(now: Date): Server[] {
  return sketches.map((sketch) => {
    const server = createServer(sketch, now);
    peculiarities[sketch.id]?.(server);
    return server;
  });
}
