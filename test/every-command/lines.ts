import { contract } from '../panel/contract.ts';

/** A request as the panel receives it, below its base URL. */
interface Sent {
  method: string;
  path: string;
  body: unknown;
}

/** What is typed for a command that reads, and what the panel is then asked for. */
export interface Reading {
  line: string;
  reads: readonly string[];
  /** A piece of its card. */
  says: string;
}

/** What is typed for a command that changes something, and the one request that comes of it. */
export interface Changing {
  line: string;
  /** How it is asked about. */
  asks: 'no' | 'button' | 'typed';
  /** Held back when what is set now cannot be read. */
  looks?: true;
  /** The endpoint, as numbered in the panel's document. */
  number: number;
  sends: Sent;
  outcome: 'succeeded' | 'accepted';
  /** What is followed to its end once the panel has accepted it. */
  follows?: 'restore' | 'power';
  /** A piece of its last card. */
  says: string;
  /** The path when `sync:false` is typed too. */
  stored?: string;
}

/** What is typed for a command that decides about a follow-up, and never reaches the panel. */
export interface Deciding {
  /** Typed before it. */
  first?: string;
  line: string;
  /** The steps of the follow-up that are recorded for it. */
  steps: readonly string[];
  /** A piece of its card. */
  says: string;
}

/** The document's own sample of an endpoint, where `other` does not say otherwise. */
function row(number: number, other: Partial<Sent> = {}): Pick<Changing, 'number' | 'sends'> {
  const found = contract.find((each) => each.number === number);
  if (found === undefined) throw new Error(`the contract has no row ${number}`);
  return { number, sends: { method: found.method, path: found.sample, body: found.body, ...other } };
}

export const readings: Readonly<Record<string, Reading>> = {
  'panel.check': {
    line: '/panel check',
    reads: ['GET /connect', 'GET /compute/hypervisors/groups?results=1'],
    says: 'real read works',
  },
  'hypervisors.groups': {
    line: '/hypervisors groups results:5 page:2',
    reads: ['GET /compute/hypervisors/groups?results=5&page=2'],
    says: 'Showing 6–10 of 24 groups.',
  },
  'hypervisors.group': {
    line: '/hypervisors group group:1',
    reads: ['GET /compute/hypervisors/groups/1'],
    says: 'Distribution type',
  },
  'hypervisors.resources': {
    line: '/hypervisors resources group:1 results:7 page:1',
    reads: ['GET /compute/hypervisors/groups/1/resources?results=7&page=1'],
    says: 'Largest free IPv4 pool',
  },
  'firewall.show': {
    line: '/firewall show server:web-1',
    reads: ['GET /servers/101/firewall/primary'],
    says: 'enabled** with 4 rules',
  },
  'traffic.show': {
    line: '/traffic show server:web-1',
    reads: ['GET /servers/101/traffic/blocks'],
    says: 'Current billing period: 1',
  },
  'follow-ups.list': { line: '/follow-ups list server:web-1', reads: [], says: 'There are no follow-ups.' },
  handover: { line: '/handover', reads: [], says: 'Nothing is loose.' },
  help: { line: '/help', reads: [], says: '`/panel check`' },
  can: { line: '/can command:power.poweroff server:web-1', reads: [], says: 'you may' },
};

export const changings: Readonly<Record<string, Changing>> = {
  'firewall.disable': {
    line: '/firewall disable server:web-1',
    asks: 'button',
    looks: true,
    ...row(5),
    outcome: 'succeeded',
    says: 'the firewall is disabled.',
    stored: '/servers/101/firewall/primary/disable?sync=false',
  },
  'firewall.enable': {
    line: '/firewall enable server:web-1 interface:secondary',
    asks: 'no',
    ...row(6, { path: '/servers/101/firewall/secondary/enable?sync=true' }),
    outcome: 'succeeded',
    says: 'the firewall is enabled.',
    stored: '/servers/101/firewall/secondary/enable?sync=false',
  },
  'firewall.sync': {
    line: '/firewall sync server:web-1',
    asks: 'no',
    ...row(7, { path: '/servers/101/firewall/primary?sync=true' }),
    outcome: 'succeeded',
    says: 'enabled with 4 rules',
  },
  'firewall.replace': {
    line: '/firewall replace server:web-1 rulesets:1,2',
    asks: 'button',
    looks: true,
    ...row(8),
    outcome: 'succeeded',
    says: 'the rules were removed',
    stored: '/servers/101/firewall/primary/rules?sync=false',
  },
  'firewall.flush': {
    line: '/firewall flush server:web-1',
    asks: 'button',
    looks: true,
    ...row(8, { body: { rulesets: [] } }),
    outcome: 'succeeded',
    says: 'all rules were removed.',
    stored: '/servers/101/firewall/primary/rules?sync=false',
  },
  'whitelist.add': {
    line: '/whitelist add server:web-1 network:2001:db8:101::/48',
    asks: 'button',
    ...row(9),
    outcome: 'succeeded',
    says: 'may send from `2001:db8:101::/48`',
  },
  'whitelist.remove': {
    line: '/whitelist remove server:web-1 address:203.0.113.128',
    asks: 'button',
    ...row(10),
    outcome: 'succeeded',
    says: 'may no longer send from',
  },
  'ipv4.assign': {
    line: '/ipv4 assign server:web-1 quantity:2',
    asks: 'button',
    ...row(11),
    outcome: 'succeeded',
    says: '`203.0.113.10` and `203.0.113.11`',
  },
  'ipv4.add': {
    line: '/ipv4 add server:web-1 addresses:203.0.113.20,203.0.113.21',
    asks: 'no',
    ...row(12),
    outcome: 'succeeded',
    says: '`203.0.113.20` and `203.0.113.21`',
  },
  'ipv4.remove': {
    line: '/ipv4 remove server:web-1 addresses:203.0.113.5',
    asks: 'button',
    ...row(13),
    outcome: 'succeeded',
    says: '`203.0.113.5`',
  },
  'power.boot': {
    line: '/power boot server:web-1',
    asks: 'no',
    ...row(14),
    outcome: 'accepted',
    follows: 'power',
    says: 'Queued is not done',
  },
  'power.shutdown': {
    line: '/power shutdown server:web-1',
    asks: 'button',
    ...row(15),
    outcome: 'accepted',
    follows: 'power',
    says: 'Queued is not done',
  },
  'power.restart': {
    line: '/power restart server:web-1',
    asks: 'button',
    ...row(16),
    outcome: 'accepted',
    follows: 'power',
    says: 'Queued is not done',
  },
  'power.poweroff': {
    line: '/power poweroff server:web-1',
    asks: 'button',
    ...row(17),
    outcome: 'accepted',
    follows: 'power',
    says: 'Queued is not done',
  },
  'traffic.add': {
    line: '/traffic add server:web-1 month:3 amount:500',
    asks: 'button',
    ...row(18),
    outcome: 'succeeded',
    says: 'for billing period 3.',
  },
  'backup.restore': {
    // The document's sample has a time that is in the future for a machine whose clock is behind; this one is past for all.
    line: '/backup restore server:web-1 disks:0,1 chains:0=17 until:1=1700000000 reason:"lost update"',
    asks: 'typed',
    ...row(20, { body: { disks: ['0', '1'], diskChains: { '0': 17 }, diskUntils: { '1': 1_700_000_000 } } }),
    outcome: 'accepted',
    follows: 'restore',
    says: 'Started is not finished',
  },
  'cpu.throttle': {
    line: '/cpu throttle server:web-1 percent:50',
    asks: 'no',
    ...row(21),
    outcome: 'succeeded',
    says: '50 % of its allocated CPU',
    stored: '/servers/101/modify/cpuThrottle?sync=false',
  },
  'vlan.set': {
    line: '/vlan set server:web-1 vlan:7 interface:4000000101 native-mode:1 trunk:2',
    asks: 'button',
    ...row(22),
    outcome: 'succeeded',
    says: 'native mode 1',
  },
};

/** What is done about incidents and findings, which are in the ledger alone: a line, or what is picked from the menu of a message. */
export const records: Readonly<Record<string, { line: string } | { menu: string }>> = {
  'audit.acknowledge': { line: '/audit acknowledge finding:all reason:seen' },
  'incident.start': { line: '/incident start title:"web-1 does not answer"' },
  'incident.end': { line: '/incident end' },
  'incident.note': { menu: 'Add to incident timeline' },
};

/** What is looked up after web-1 was booted, whose run's id stands for RUN. */
export const lookings: Readonly<Record<string, Pick<Reading, 'line' | 'says'>>> = {
  'audit.history': { line: '/audit history server:web-1', says: '**ACCEPTED** /power boot · web-1 (101)' },
  'audit.run': { line: '/audit run id:RUN', says: '**SENT**' },
  'audit.export': { line: '/audit export server:web-1 format:csv', says: '.csv' },
  'audit.verify': { line: '/audit verify', says: 'The ledger is whole' },
};

/** About the restore of web-1 that is followed. */
export const decidings: Readonly<Record<string, Deciding>> = {
  'follow-ups.stop': {
    line: '/follow-ups stop server:web-1',
    steps: ['ended', 'announced'],
    says: 'is not followed any more; nobody is pinged at its end.',
  },
  'follow-ups.ended': {
    first: '/follow-ups stop server:web-1',
    line: '/follow-ups ended server:web-1 how:failed',
    steps: ['ended'],
    says: '**failed**: its card says so, and that you say it.',
  },
  'follow-ups.hand-over': {
    line: '/follow-ups hand-over server:web-1 user:@bob',
    steps: ['handed-over'],
    says: '@bob is pinged in place of @alice.',
  },
};
