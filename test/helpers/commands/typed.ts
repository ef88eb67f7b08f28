import fc from 'fast-check';
import { commands } from '../../../commands/index.ts';
import type { Command, ParseContext, PreparedChange } from '../../../src/command.ts';
import type { RawOptions, Server } from '../../../src/outcome.ts';

/** 2026-11-19 22:00 UTC. */
export const now = Date.UTC(2026, 10, 19, 22);

const listed: readonly Server[] = [
  { id: 101, name: 'web-1', tier: 'production', group: 1 },
  { id: 102, name: 'web-2' },
  { id: 111, name: 'db-1.internal.example', tier: 'staging' },
];

/** Three listed servers; any other id is a server without a name. */
function find(text: string): Server | undefined {
  const named = listed.find(({ id, name }) => name === text || String(id) === text);
  return named ?? (/^[1-9]\d{3,15}$/.test(text) ? { id: Number(text) } : undefined);
}

export const at = (ms: number): ParseContext => ({ now: ms, find });

export function commandOf(id: string): Command {
  const found = commands.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no command ${id}`);
  return found;
}

/** What a change would be, typed at `ms`. */
export function prepared(id: string, raw: RawOptions, ms = now): PreparedChange {
  const ready = commandOf(id).prepare(raw, at(ms));
  if (ready.kind !== 'change') throw new Error(`${id} changes nothing`);
  return ready;
}

/** The rule that options break, with the option's name; fails when they break none. */
export function brokenBy(id: string, raw: RawOptions): string {
  try {
    commandOf(id).prepare(raw, at(now));
  } catch (error) {
    if (error instanceof Error && error.name === 'Invalid') return error.message;
    throw error;
  }
  throw new Error(`taken: ${JSON.stringify(raw)}`);
}

const largest = Number.MAX_SAFE_INTEGER;
const id = fc.oneof(
  fc.integer({ min: 1000, max: 5000 }),
  fc.maxSafeInteger().map((n) => Math.max(1000, Math.abs(n))),
);
const aServer = fc.oneof(fc.constantFrom('web-1', ' 101', 'web-2 ', 'db-1.internal.example'), id.map(String));
const someServers = fc
  .uniqueArray(aServer, { minLength: 1, maxLength: 10, selector: (text) => find(text.trim())?.id })
  .map((texts) => texts.join(','));
const side = fc.constantFrom('primary', 'secondary');
const sync = fc.boolean();
const reason = fc.constantFrom('lost update', '  two  words ', 'why: 7');
const ip4 = fc.ipV4().filter((text) => /^\d+(\.\d+){3}$/.test(text) && !/(^|\.)0\d/.test(text));
/** Not in the ranges that stand for IPv4. */
const ip6 = fc
  .ipV6()
  .filter((text) => !text.includes('%') && Number.parseInt(text, 16) > 0xff && !/^2002:|^2001:0*:/.test(text));
const ids = (most: number) => fc.uniqueArray(fc.integer({ min: 1, max: most }), { minLength: 1, maxLength: 12 });
const modes = fc.constantFrom(0, 1, 2);
const amount = (most: number) => fc.integer({ min: 1, max: most });

/** Disks, each with a chain, a time (three forms) or neither. */
const restore = fc
  .uniqueArray(
    fc.tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 9999 })),
    {
      minLength: 1,
      maxLength: 12,
      selector: ([disk]) => disk,
    },
  )
  .map((disks) => {
    const time = { 1: (n: number) => `-${n}m`, 2: (n: number) => `${1_790_000_000 - n}`, 3: when };
    const until = disks.flatMap(([disk, kind, n]) =>
      kind === 1 || kind === 2 || kind === 3 ? [`${disk}=${time[kind](n)}`] : [],
    );
    const chains = disks.flatMap(([disk, kind, n]) => (kind === 4 ? [`${disk} = ${n}`] : []));
    return {
      disks: disks.map(([disk]) => disk).join(', '),
      ...(chains.length === 0 ? {} : { chains: chains.join(',') }),
      ...(until.length === 0 ? {} : { until: until.join(',') }),
    };
  });

/** "2026-11-19 21:59", so many minutes ago. */
function when(minutes: number): string {
  return new Date(now - minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ');
}

const many = { server: someServers };
const one = { server: aServer };
const optional = <T extends Record<string, fc.Arbitrary<string | number | boolean>>>(
  required: T,
  also: Record<string, fc.Arbitrary<string | number | boolean>>,
): fc.Arbitrary<RawOptions> =>
  fc
    .tuple(
      fc.record<Record<string, string | number | boolean>>(required),
      fc.record({ ...also, reason }, { requiredKeys: [] }),
    )
    .map(([must, may]) => ({ ...must, ...may }));

/** Options that each changing command takes, in every form that people type them. */
export const taken: Readonly<Record<string, fc.Arbitrary<RawOptions>>> = {
  'firewall.disable': optional(many, { interface: side, sync }),
  'firewall.enable': optional(many, { interface: side, sync }),
  'firewall.sync': optional(many, { interface: side }),
  'firewall.replace': optional(
    { ...one, rulesets: ids(1_000_000).map((all) => all.join(' , ')) },
    { interface: side, sync },
  ),
  'firewall.flush': optional(one, { interface: side, sync }),
  'whitelist.add': optional(
    {
      ...one,
      network: fc.oneof(
        ip4.map((ip) => `${ip}/32`),
        ip6.map((ip) => `${ip}/128`),
      ),
    },
    { interface: side },
  ),
  'whitelist.remove': optional({ ...one, address: fc.oneof(ip4, ip6) }, { interface: side }),
  'ipv4.assign': optional({ ...one, quantity: amount(256) }, { interface: side }),
  'ipv4.add': optional(
    {
      ...one,
      addresses: fc.uniqueArray(ip4, { minLength: 1, maxLength: 50, size: 'max' }).map((all) => all.join(',')),
    },
    {},
  ),
  'ipv4.remove': optional(
    {
      ...one,
      addresses: fc.uniqueArray(ip4, { minLength: 1, maxLength: 50, size: 'max' }).map((all) => all.join(', ')),
    },
    {},
  ),
  'power.boot': optional(many, {}),
  'power.shutdown': optional(many, {}),
  'power.restart': optional(many, {}),
  'power.poweroff': optional(many, {}),
  'traffic.add': optional({ ...one, month: amount(largest), amount: amount(1_000_000) }, {}),
  'backup.restore': fc.tuple(aServer, restore).map(([server, disks]) => ({ server, reason: 'lost update', ...disks })),
  'cpu.throttle': optional({ ...many, percent: fc.integer({ min: 0, max: 100 }) }, { sync }),
  'vlan.set': fc.oneof(
    ...[{ 'native-mode': modes }, { trunk: modes }, { 'native-mode': modes, trunk: modes }].map((set) =>
      optional(
        { ...one, vlan: amount(largest), ...set },
        { interface: fc.oneof(side, fc.integer({ min: 4_000_000_000, max: 4_999_999_999 }).map(String)) },
      ),
    ),
  ),
};
