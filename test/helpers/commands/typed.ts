import fc from 'fast-check';
import { type CommandId, commands } from '../../../commands/index.ts';
import type { Command, OptionSpec, ParseContext, PreparedChange } from '../../../src/command.ts';
import type { RawOptions, Server } from '../../../src/outcome.ts';
import { changings } from '../every-command/lines.ts';
import { team } from '../team.ts';

type RawValue = RawOptions[string];

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

export const at = (ms: number): ParseContext => ({ now: ms, team, find });

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

const id = fc.oneof(
  fc.integer({ min: 1000, max: 5000 }),
  fc.maxSafeInteger().map((n) => Math.max(1000, Math.abs(n))),
);
const aServer = fc.oneof(fc.constantFrom('web-1', ' 101', 'web-2 ', 'db-1.internal.example'), id.map(String));
const someServers = fc
  .uniqueArray(aServer, { minLength: 1, maxLength: 10, selector: (text) => find(text.trim())?.id })
  .map((texts) => texts.join(','));
const ip4 = fc.ipV4().filter((text) => /^\d+(\.\d+){3}$/.test(text) && !/(^|\.)0\d/.test(text));
/** Not in the ranges that stand for IPv4. */
const ip6 = fc
  .ipV6()
  .filter((text) => !text.includes('%') && Number.parseInt(text, 16) > 0xff && !/^2002:|^2001:0*:/.test(text));
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 12 });

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

/** What is typed for an option that is text, by the option's name. */
const texts: Readonly<Record<string, fc.Arbitrary<string>>> = {
  server: aServer,
  reason: fc.constantFrom('lost update', '  two  words ', 'why: 7'),
  rulesets: ids.map((all) => all.join(' , ')),
  network: fc.oneof(
    ip4.map((ip) => `${ip}/32`),
    ip6.map((ip) => `${ip}/128`),
  ),
  address: fc.oneof(ip4, ip6),
  addresses: fc.uniqueArray(ip4, { minLength: 1, maxLength: 50, size: 'max' }).map((all) => all.join(', ')),
};

/** What of each command is typed otherwise: options that depend on each other, and names with a meaning of their own. */
const otherwise: Readonly<Partial<Record<CommandId, fc.Arbitrary<RawOptions>>>> = {
  'backup.restore': fc.tuple(aServer, restore).map(([server, disks]) => ({ server, reason: 'lost update', ...disks })),
  'vlan.set': fc
    .tuple(
      fc.record({ server: aServer, vlan: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) }),
      fc.constantFrom<RawOptions>(
        { 'native-mode': 0 },
        { 'native-mode': 1 },
        { trunk: 2 },
        { 'native-mode': 2, trunk: 1 },
      ),
      fc.constantFrom<RawOptions>(
        {},
        { interface: 'primary' },
        { interface: 'secondary' },
        { interface: '4000000101' },
      ),
      fc.constantFrom<RawOptions>({}, { reason: 'why: 7' }),
    )
    .map(([must, ...may]): RawOptions => Object.assign(must, ...may)),
};

/** Values of an option, in every form that people type them. */
function valuesOf(command: string, name: string, option: OptionSpec, several: boolean): fc.Arbitrary<RawValue> {
  const { type, choices, min, max } = option;
  if (choices !== undefined) return fc.constantFrom(...choices.map(({ value }) => value));
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer')
    return fc.integer({ ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) });
  const typed = name === 'server' && several ? someServers : texts[name];
  if (typed === undefined)
    throw new Error(`${command} has the option ${name}: say in test/helpers/commands/typed.ts what is typed for it`);
  return typed;
}

/** Options that a command takes. A reminder is left out: it is for what is still open, and no part of the request. */
function optionsOf({ id: command, options }: Command, several: boolean): fc.Arbitrary<RawOptions> {
  const all = Object.entries(options).filter(([name]) => name !== 'remind');
  const values = Object.fromEntries(
    all.map(([name, option]) => [name, valuesOf(command, name, option, several)] as const),
  );
  const required = all.filter(([, option]) => option.required).map(([name]) => name);
  return fc.record(values, { requiredKeys: required });
}

/** Options that each changing command takes. */
export const taken: readonly [id: CommandId, options: fc.Arbitrary<RawOptions>][] = changings.map(([id, row]) => [
  id,
  otherwise[id] ?? optionsOf(commandOf(id), row.several === true),
]);
