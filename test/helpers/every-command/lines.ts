import type { CommandId } from '../../../commands/index.ts';
import { type Changing, changing, deciding, looking, power, type Row, reading, recording, sends } from './row.ts';

/** Every command once: what is typed for it, and what must come of it. All tests of every command go through this table. */
const lines: Readonly<Record<CommandId, Row>> = {
  'panel.check': reading({
    line: '/panel check',
    reads: ['GET /connect', 'GET /compute/hypervisors/groups?results=1'],
    says: 'real read works',
  }),
  'hypervisors.groups': reading({
    line: '/hypervisors groups results:5 page:2',
    reads: ['GET /compute/hypervisors/groups?results=5&page=2'],
    says: 'Showing 6–10 of 24 groups.',
  }),
  'hypervisors.group': reading({
    line: '/hypervisors group group:1',
    reads: ['GET /compute/hypervisors/groups/1'],
    says: 'Distribution type',
  }),
  'hypervisors.resources': reading({
    line: '/hypervisors resources group:1 results:7 page:1',
    reads: ['GET /compute/hypervisors/groups/1/resources?results=7&page=1'],
    says: 'to assign in the largest pool',
  }),
  'firewall.show': reading({
    line: '/firewall show server:web-1',
    reads: ['GET /servers/101/firewall/primary'],
    says: 'enabled with 4 rules',
  }),
  'server.show': reading({
    line: '/server show server:web-1',
    reads: [
      'GET /servers/101/firewall/primary',
      'GET /servers/101/firewall/secondary',
      'GET /servers/101/traffic/blocks',
    ],
    gathers: true,
    says: 'Firewall, primary: enabled, 4 rules.',
  }),
  'traffic.show': reading({
    line: '/traffic show server:web-1',
    reads: ['GET /servers/101/traffic/blocks'],
    says: 'Current billing period: 1',
  }),
  'follow-ups.list': reading({ line: '/follow-ups list server:web-1', reads: [], says: 'There are no follow-ups.' }),
  'alerts.list': reading({ line: '/alerts list', reads: [], says: 'Nothing that you may see is firing' }),
  handover: reading({ line: '/handover', reads: [], says: 'Nothing is open.' }),
  oncall: reading({ line: '/oncall', reads: [], says: 'Its calendar could not be read yet' }),
  help: reading({ line: '/help', reads: [], says: '/panel check' }),
  can: reading({ line: '/can command:power.poweroff server:web-1', reads: [], says: 'you may' }),

  'firewall.disable': changing({
    line: '/firewall disable server:web-1',
    asks: 'button',
    several: true,
    looks: true,
    ...sends('firewallDisable'),
    would: /\bfirewall of .* will be disabled/,
    outcome: 'succeeded',
    says: 'the firewall is disabled.',
    stored: '/servers/101/firewall/primary/disable?sync=false',
  }),
  'firewall.enable': changing({
    line: '/firewall enable server:web-1 interface:secondary',
    asks: 'no',
    several: true,
    ...sends('firewallEnable', { path: '/servers/101/firewall/secondary/enable?sync=true' }),
    would: /\bfirewall of .* will be enabled/,
    outcome: 'succeeded',
    says: 'the firewall is enabled.',
    stored: '/servers/101/firewall/secondary/enable?sync=false',
  }),
  'firewall.sync': changing({
    line: '/firewall sync server:web-1',
    asks: 'no',
    several: true,
    ...sends('firewall', { path: '/servers/101/firewall/primary?sync=true' }),
    would: /\bstored for the firewall of .* will be applied/,
    outcome: 'succeeded',
    says: 'enabled with 4 rules',
  }),
  'firewall.replace': changing({
    line: '/firewall replace server:web-1 rulesets:1,2',
    asks: 'button',
    looks: true,
    readsBack: true,
    ...sends('firewallRules'),
    would: /\bAll firewall rules of .* will be removed, and rulesets? .* set instead/,
    outcome: 'succeeded',
    says: 'the rules were removed',
    stored: '/servers/101/firewall/primary/rules?sync=false',
  }),
  'firewall.flush': changing({
    line: '/firewall flush server:web-1',
    asks: 'button',
    looks: true,
    ...sends('firewallRules', { body: { rulesets: [] } }),
    would: /\bAll firewall rules of .* will be removed\./,
    outcome: 'succeeded',
    says: 'all rules were removed.',
    several: true,
    stored: '/servers/101/firewall/primary/rules?sync=false',
  }),
  'whitelist.add': changing({
    line: '/whitelist add server:web-1 network:2001:db8:101::/48',
    asks: 'button',
    ...sends('whitelistAdd'),
    would: /will be able to send from/,
    outcome: 'succeeded',
    says: 'may send from `2001:db8:101::/48`',
  }),
  'whitelist.remove': changing({
    line: '/whitelist remove server:web-1 address:203.0.113.128',
    asks: 'button',
    ...sends('whitelistRemove'),
    would: /will no longer be able to send from/,
    outcome: 'succeeded',
    says: 'may no longer send from',
  }),
  'ipv4.assign': changing({
    line: '/ipv4 assign server:web-1 quantity:2',
    asks: 'button',
    ...sends('ipv4Assign'),
    would: /IPv4 address.* will be assigned/,
    outcome: 'succeeded',
    says: '`203.0.113.10` and `203.0.113.11`',
  }),
  'ipv4.add': changing({
    line: '/ipv4 add server:web-1 addresses:203.0.113.20,203.0.113.21',
    asks: 'no',
    ...sends('ipv4Add'),
    would: /\bgets\b/,
    outcome: 'succeeded',
    says: '`203.0.113.20` and `203.0.113.21`',
  }),
  'ipv4.remove': changing({
    line: '/ipv4 remove server:web-1 addresses:203.0.113.5',
    asks: 'button',
    ...sends('ipv4Remove'),
    would: /\bloses\b/,
    outcome: 'succeeded',
    says: '`203.0.113.5`',
  }),
  'power.boot': power('boot', 'powerBoot', 'no', /will be booted/),
  'power.shutdown': power('shutdown', 'powerShutdown', 'button', /shut down/),
  'power.restart': power('restart', 'powerRestart', 'button', /will be restarted/),
  'power.poweroff': power('poweroff', 'powerPoweroff', 'button', /power of .* will be cut/),
  'traffic.add': changing({
    line: '/traffic add server:web-1 month:3 amount:500',
    asks: 'button',
    ...sends('trafficAdd'),
    would: /GB of traffic will be added .* for billing period/,
    outcome: 'succeeded',
    says: 'for billing period 3.',
  }),
  'backup.restore': changing({
    // The document's sample has a time that is in the future for a machine whose clock is behind; this one is past for all.
    line: '/backup restore server:web-1 disks:0,1 chains:0=17 until:1=1700000000 reason:"lost update"',
    asks: 'typed',
    ...sends('backupRestore', {
      body: { disks: ['0', '1'], diskChains: { '0': 17 }, diskUntils: { '1': 1_700_000_000 } },
    }),
    would: /will be overwritten/,
    outcome: 'accepted',
    follows: 'restore',
    says: 'is not finished yet',
  }),
  'cpu.throttle': changing({
    line: '/cpu throttle server:web-1 percent:50',
    asks: 'no',
    several: true,
    ...sends('cpuThrottle'),
    would: /\b(?:is|will be) limited to \d+ % of (?:its|the) allocated CPU|CPU throttle of .* will be removed/,
    outcome: 'succeeded',
    says: '50 % of its allocated CPU',
    stored: '/servers/101/modify/cpuThrottle?sync=false',
  }),
  'vlan.set': changing({
    line: '/vlan set server:web-1 vlan:7 interface:4000000101 native-mode:1 trunk:2',
    asks: 'button',
    ...sends('vlanSet'),
    would: /VLAN entry .* will be changed now/,
    outcome: 'succeeded',
    says: 'native mode 1',
  }),

  'panel.refresh': recording({ line: '/panel refresh' }),
  freeze: recording({ line: '/freeze tier:production reason:"database migration"' }),
  thaw: recording({ line: '/thaw' }),
  hold: recording({ line: '/hold server:web-1 reason:"disk swap"' }),
  release: recording({ line: '/release server:web-1' }),
  'audit.acknowledge': recording({ line: '/audit acknowledge finding:all reason:seen' }),
  'incident.start': recording({ line: '/incident start title:"web-1 does not answer"' }),
  'incident.end': recording({ line: '/incident end' }),
  'incident.note': recording({ menu: 'Add to incident timeline' }),

  'audit.history': looking('/audit history server:web-1', '**ACCEPTED** /power boot web-1 (101)'),
  'audit.run': looking('/audit run id:RUN', '**SENDING**'),
  'audit.export': looking('/audit export server:web-1 format:csv', '.csv'),
  'audit.verify': looking('/audit verify', 'The ledger is whole'),

  // About the restore of web-1 that is followed.
  'follow-ups.stop': deciding({
    line: '/follow-ups stop server:web-1',
    steps: ['ended', 'announced'],
    says: 'is no longer followed; nobody is pinged when it ends.',
  }),
  'follow-ups.ended': deciding({
    first: '/follow-ups stop server:web-1',
    line: '/follow-ups ended server:web-1 how:failed',
    steps: ['ended'],
    says: 'failed: its card now says so, in your name.',
  }),
  'follow-ups.hand-over': deciding({
    line: '/follow-ups hand-over server:web-1 user:@bob',
    steps: ['handed-over'],
    says: 'is handed over to @bob, who is pinged about its end in place of @alice',
  }),
};

export function rowOf(id: CommandId): Row {
  // Where the compiler was not asked.
  const row: Row | undefined = lines[id];
  if (row === undefined) throw new Error(`there is no row for ${id} in test/helpers/every-command/lines.ts`);
  return row;
}

/** The rows of one kind, with their ids. */
const ofKind = <K extends Row['kind']>(kind: K): [id: CommandId, row: Extract<Row, { kind: K }>][] =>
  // The table has no other keys than its type says, and the filter says of what kind the rows are.
  Object.entries<Row>(lines).filter(([, row]) => row.kind === kind) as [CommandId, Extract<Row, { kind: K }>][];

export const readings = ofKind('reading');
export const changings = ofKind('changing');
export const decidings = ofKind('deciding');
export const lookings = ofKind('looking');

/** The row of a command that changes something. */
export function changingOf(id: CommandId): Changing {
  const row = rowOf(id);
  if (row.kind !== 'changing') throw new Error(`${id} changes nothing`);
  return row;
}
