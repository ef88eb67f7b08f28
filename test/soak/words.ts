/** How a change looks on the wire: its method, and its path below `/servers/ID`. */
interface Wire {
  method: string;
  path: RegExp;
}

const firewall = (word: string): Wire => ({ method: 'POST', path: new RegExp(`^/firewall/\\w+/${word}(\\?|$)`) });
const power = (word: string): Wire => ({ method: 'POST', path: new RegExp(`^/power/${word}$`) });

/** Commands that change something, and their requests. The panel's document says so, not the bot. */
export const wires: Readonly<Record<string, Wire>> = {
  'firewall.disable': firewall('disable'),
  'firewall.enable': firewall('enable'),
  'firewall.sync': { method: 'GET', path: /^\/firewall\/\w+\?.*sync=true/ },
  'firewall.replace': firewall('rules'),
  'firewall.flush': firewall('rules'),
  'whitelist.add': { method: 'POST', path: /^\/networkWhitelist$/ },
  'whitelist.remove': { method: 'DELETE', path: /^\/networkWhitelist$/ },
  'ipv4.assign': { method: 'POST', path: /^\/ipv4Qty$/ },
  'ipv4.add': { method: 'POST', path: /^\/ipv4$/ },
  'ipv4.remove': { method: 'DELETE', path: /^\/ipv4$/ },
  'power.boot': power('boot'),
  'power.shutdown': power('shutdown'),
  'power.restart': power('restart'),
  'power.poweroff': power('poweroff'),
  'traffic.add': { method: 'POST', path: /^\/traffic\/blocks$/ },
  'backup.restore': { method: 'POST', path: /^\/backupManager\/restore$/ },
  'cpu.throttle': { method: 'PUT', path: /^\/modify\/cpuThrottle(\?|$)/ },
  'vlan.set': { method: 'PUT', path: /^\/interfaces\/\w+\/vlans\/\d+$/ },
};

/** Commands of the danger `write`, which the example policy lets an on-call engineer run. */
const writes = [
  'firewall.enable',
  'firewall.sync',
  'ipv4.assign',
  'ipv4.add',
  'power.boot',
  'power.shutdown',
  'power.restart',
  'power.poweroff',
  'cpu.throttle',
];

/** Who may change what by policy.example.yaml, said a second time, without asking the bot. */
export function may(who: string, command: string, server: number): boolean {
  if (who === 'alice') return true;
  return who === 'bob' && writes.includes(command) && server >= 100 && server <= 199;
}

/** The words of an invocation or of a follow-up's end, worst first: a card of several servers begins with the worst. */
export const gravest = [
  'unknown',
  'failed',
  'rejected',
  'unavailable',
  'blocked',
  'not-sent',
  'denied',
  'invalid',
  'expired',
  'cancelled',
  'accepted',
  'finished',
  'succeeded',
] as const;

/** Outcomes that say that nothing was sent. */
export const unsent: readonly string[] = [
  'not-sent',
  'unavailable',
  'blocked',
  'denied',
  'invalid',
  'expired',
  'cancelled',
];

/** Words that say that something was done or is under way. */
export const proud: readonly string[] = ['succeeded', 'accepted', 'finished'];

export const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';
