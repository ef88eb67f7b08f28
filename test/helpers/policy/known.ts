import { commands } from '../../../commands/index.ts';
import { type Deciding, deciding, type Subject } from '../../../src/policy/decide.ts';
import { inventory } from '../../../src/policy/inventory.ts';
import { readPolicy } from '../../../src/policy/load.ts';
import type { Policy } from '../../../src/policy/schema.ts';
import { serversOf } from '../../../src/policy/server.ts';
import { atOnce } from '../../../src/walk.ts';

export const guild = '1100000000000000001';
export const known = {
  commands,
  limited: { 'ipv4.assign': 'amount', 'traffic.add': 'amount', 'whitelist.add': 'prefix' },
  several: ['backup.restore', 'firewall.flush', 'firewall.replace'],
  guild,
} as const;

/** One of the commands, by id. */
export function command(id: string): Subject {
  const found = commands.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no command ${id}`);
  return found;
}

/** A policy that must be right. */
export function policyOf(text: string): Policy {
  const read = readPolicy(text, known);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.policy;
}

/** One decision of a policy. */
export const decide = (policy: Policy, ask: Parameters<Deciding['decide']>[0]): ReturnType<Deciding['decide']> =>
  deciding(policy, atOnce(inventory(atOnce(serversOf(policy))))).decide(ask);

export const viewer = '1200000000000000001';
export const onCall = '1200000000000000002';
export const lead = '1200000000000000003';

/** The design's own example, with one server more that on-call reaches by range and one that it does not reach. */
export const example = `channels: ["1300000000000000001"]
roles:
  - { role: "${viewer}", name: viewer,  allow: [read] }
  - { role: "${onCall}", name: on-call, allow: [read, write, "power.*"], servers: ["web-*", 100-199] }
  - { role: "${lead}", name: lead,    allow: ["*"] }
commands:
  - { match: [ipv4.assign], confirm: true }
  - { match: [backup.restore], typed: true, reason: required }
servers:
  - { id: 101, name: web-1, tier: production, ips: ["192.0.2.101"], group: 1 }
  - { id: 111, name: db-1 }
  - { id: 201, name: lab-1 }
  - { id: 301, name: web-far }
unlisted: nothing
limits: { ipv4.assign: 8 }
`;

/** What is wrong with a policy, one "place: rule" each. */
export function wrongIn(text: string, more: { guild?: string } = {}): string[] {
  const read = readPolicy(text, { ...known, ...more });
  return 'problems' in read ? read.problems.map(({ place, rule }) => `${place}: ${rule}`) : [];
}

/** The example with one piece exchanged; what is not in it cannot be exchanged. */
export function changed(from: string, to: string, text = example): string {
  if (!text.includes(from)) throw new Error(`not in the example: ${from}`);
  return text.replace(from, to);
}
