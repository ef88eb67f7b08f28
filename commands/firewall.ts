import { count, list, type Markup, md, quote, serverName, trusted } from '../src/card.ts';
import {
  type Done,
  defineChange,
  defineRead,
  type Effects,
  type Look,
  type Option,
  type Read,
} from '../src/command.ts';
import type { RawOptions, Server } from '../src/outcome.ts';
import type { Effect } from '../src/runs/effects.ts';
import {
  lookWith,
  type NetworkInterface,
  networkInterface,
  pieces,
  reason,
  remind,
  server,
  servers,
  sync,
  whenApplied,
} from './options.ts';
import { shownOf, slice } from './pages.ts';

const rulesAPart = 10;

const rulesets: Option<readonly number[]> = {
  type: 'string',
  description: 'Ids of the rulesets to set, with commas: 1,2',
  required: true,
  max: 200,
  read(raw, { refuse }) {
    const ids = pieces(String(raw)).map((piece) =>
      /^[1-9]\d{0,14}$/.test(piece) ? Number(piece) : refuse('ids with commas, such as 1,2'),
    );
    if (ids.length === 0) refuse('list at least one ruleset. To remove all rules use /firewall flush');
    if (new Set(ids).size < ids.length) refuse('a ruleset is listed twice');
    return ids;
  },
  write: (value) => value.join(','),
};

/** What is set now: it must still be so when the change is sent. */
async function look(target: Server, input: { interface: NetworkInterface }, read: Read<'firewall'>): Promise<Look> {
  const { enabled, rules } = await read('firewall', { serverId: target.id, interface: input.interface });
  return {
    facts: { enabled, rules: rules.length },
    says: [
      trusted(
        `${count(rules.length, 'rule is', 'rules are')} set now. The firewall is ${enabled ? 'enabled' : 'disabled'}.`,
      ),
    ],
  };
}

const on = (target: Server, networkInterface: NetworkInterface): Markup =>
  md`${serverName(target)}, ${trusted(networkInterface)} interface`;

const untouched = (networkInterface: NetworkInterface): Markup =>
  trusted(
    `Not touched: the ${networkInterface === 'primary' ? 'secondary' : 'primary'} interface, and every other server.`,
  );

/** What a yes means: done on that interface, or stored for it. */
const done = ({ sync: now, interface: networkInterface }: Apply, what: Markup): Done =>
  now
    ? { outcome: 'succeeded', says: md`${trusted(capital(networkInterface))} interface: ${what}` }
    : {
        outcome: 'accepted',
        says: trusted(`${capital(networkInterface)} interface: stored, not applied. The running server is as it was.`),
      };

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

interface Apply {
  sync: boolean;
  interface: NetworkInterface;
}

/** What was only stored is applied by the panel's sync of that interface. */
const applyBySync = (
  targets: readonly Server[],
  { sync: now, interface: networkInterface }: Apply,
): { command: string; options: RawOptions } | undefined =>
  now
    ? undefined
    : { command: 'firewall.sync', options: { server: servers.write(targets) ?? '', interface: networkInterface } };

/** What is switched off, and what is stored and not applied. */
const off = ({ interface: networkInterface }: Apply): Effect => ({ kind: 'firewall-off', interface: networkInterface });
const unapplied = ({ interface: networkInterface }: Apply): Effect => ({
  kind: 'unapplied',
  what: 'firewall',
  interface: networkInterface,
});

/** Beside what a change opens and closes by itself: to apply applies all that is stored for the interface. */
const effects = (input: Apply, { opens = [], closes = [] }: Effects = {}): Effects =>
  input.sync ? { opens, closes: [...closes, unapplied(input)] } : { opens: [...opens, unapplied(input)], closes };

const manualCheck = (target: Server, { interface: networkInterface }: Apply): Markup =>
  lookWith(`/firewall show server:${target.name ?? target.id} interface:${networkInterface}`);

const noUndo = (): Markup => trusted('There is no undo for this.');

const lines = (targets: readonly Server[], looks: readonly Look[], sentence: (target: Server) => Markup): Markup[] =>
  targets.map((target, i) => list([sentence(target), ...(looks[i]?.says ?? [])], ' '));

const disable = defineChange({
  id: 'firewall.disable',
  danger: 'destructive',
  description: 'Switch the firewall of an interface off',
  example: '/firewall disable server:web-1 reason:"locked out by rule 7"',
  options: { server: servers, interface: networkInterface, sync, reason, remind },
  endpoint: 'firewallDisable',
  servers: (input) => input.server,
  reads: ['firewall'],
  look,
  question: (input, looks) => [
    ...lines(input.server, looks, (target) => md`The firewall of ${on(target, input.interface)}, will be disabled.`),
    whenApplied(input.sync),
    untouched(input.interface),
  ],
  request: (target, input) => ({ serverId: target.id, interface: input.interface, sync: input.sync }),
  done: (_target, input) => done(input, trusted('the firewall is disabled.')),
  apply: (input) => applyBySync(input.server, input),
  effects: (input) => effects(input, { opens: [off(input)] }),
  undo: {
    command: 'firewall.enable',
    options: (target, { interface: networkInterface, sync: now }) => ({
      server: String(target.id),
      interface: networkInterface,
      sync: now,
    }),
  },
  manualCheck,
  remind: (input) => input.remind,
});

const enable = defineChange({
  id: 'firewall.enable',
  danger: 'write',
  description: 'Switch the firewall of an interface on',
  example: '/firewall enable server:web-1',
  options: { server: servers, interface: networkInterface, sync, reason },
  endpoint: 'firewallEnable',
  servers: (input) => input.server,
  question: (input) => [
    ...input.server.map((target) => md`The firewall of ${on(target, input.interface)}, will be enabled.`),
    whenApplied(input.sync),
    untouched(input.interface),
  ],
  request: (target, input) => ({ serverId: target.id, interface: input.interface, sync: input.sync }),
  done: (_target, input) => done(input, trusted('the firewall is enabled.')),
  apply: (input) => applyBySync(input.server, input),
  effects: (input) => effects(input, { closes: [off(input)] }),
  manualCheck,
});

const show = defineRead({
  id: 'firewall.show',
  description: 'Show whether the firewall is on, and its rules',
  example: '/firewall show server:web-1',
  options: { server, interface: networkInterface },
  reads: ['firewall'],
  servers: (input) => [input.server],
  async view({ server: target, interface: networkInterface }, { read, part, options }) {
    const { enabled, rules } = await read('firewall', { serverId: target.id, interface: networkInterface });
    const shown = slice(rules, part, rulesAPart, options);
    return {
      body: [
        md`The firewall of ${on(target, networkInterface)}, is **${trusted(enabled ? 'enabled' : 'disabled')}** with ${trusted(count(rules.length, 'rule'))}.`,
        ...shown.items.map((rule, i) => md`${shown.from + i}. ${quote(written(rule), 160)}`),
        ...shownOf(shown, 'rules'),
      ],
      ...shown.positions,
    };
  },
});

/** A rule as data: the panel does not document its fields. `port=22 source=192.0.2.0/24` is shorter than JSON on a phone. */
function written(rule: unknown): string {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return JSON.stringify(rule);
  return Object.entries(rule)
    .map(([name, value]) => `${name}=${isPlain(value) ? value : JSON.stringify(value)}`)
    .join(' ');
}

const isPlain = (value: unknown): value is string => typeof value === 'string' && /^[\w.:/*-]+$/.test(value);

const applySync = defineChange({
  id: 'firewall.sync',
  danger: 'write',
  description: 'Apply what is stored for the firewall now',
  example: '/firewall sync server:web-1',
  options: { server: servers, interface: networkInterface, reason },
  endpoint: 'firewall',
  servers: (input) => input.server,
  question: (input) => [
    ...input.server.map(
      (target) =>
        md`What is stored for the firewall of ${on(target, input.interface)}, will be applied to the running server.`,
    ),
    untouched(input.interface),
  ],
  request: (target, input) => ({ serverId: target.id, interface: input.interface, sync: true }),
  done: (_target, input, data) =>
    done(
      { ...input, sync: true },
      data === undefined
        ? trusted('applied. The details of the answer could not be read.')
        : trusted(
            `applied. The firewall is ${data.enabled ? 'enabled' : 'disabled'} with ${count(data.rules.length, 'rule')}.`,
          ),
    ),
  effects: (input) => effects({ ...input, sync: true }),
  manualCheck: () =>
    trusted(
      'Whether it was applied cannot be read: `/firewall show` shows what is stored. Syncing again does no harm.',
    ),
});

/** "ruleset 1", "rulesets 1, 2 and 5" */
const named = (ids: readonly number[]): Markup =>
  md`${trusted(ids.length === 1 ? 'ruleset' : 'rulesets')} ${list(ids.map((id) => trusted(String(id))))}`;

const replace = defineChange({
  id: 'firewall.replace',
  danger: 'destructive',
  description: 'Remove all rules, then set the listed rulesets',
  example: '/firewall replace server:web-1 rulesets:1,2',
  options: { server, interface: networkInterface, rulesets, sync, reason },
  endpoint: 'firewallRules',
  servers: (input) => [input.server],
  reads: ['firewall'],
  look,
  question: (input, looks) => [
    ...lines(
      [input.server],
      looks,
      (target) =>
        md`All firewall rules of ${on(target, input.interface)}, will be removed, and ${named(input.rulesets)} set instead.`,
    ),
    whenApplied(input.sync),
    untouched(input.interface),
  ],
  request: (target, input) => ({
    serverId: target.id,
    interface: input.interface,
    sync: input.sync,
    rulesets: [...input.rulesets],
  }),
  done: (_target, input) => done(input, md`the rules were removed, and ${named(input.rulesets)} set.`),
  apply: (input) => applyBySync([input.server], input),
  effects: (input) => effects(input),
  noUndo,
  manualCheck,
});

const flush = defineChange({
  id: 'firewall.flush',
  danger: 'destructive',
  description: 'Remove all rules: none is left',
  example: '/firewall flush server:web-1',
  options: { server, interface: networkInterface, sync, reason },
  endpoint: 'firewallRules',
  servers: (input) => [input.server],
  reads: ['firewall'],
  look,
  question: (input, looks) => [
    ...lines(
      [input.server],
      looks,
      (target) => md`All firewall rules of ${on(target, input.interface)}, will be removed.`,
    ),
    whenApplied(input.sync),
    untouched(input.interface),
  ],
  request: (target, input) => ({ serverId: target.id, interface: input.interface, sync: input.sync, rulesets: [] }),
  done: (_target, input) => done(input, trusted('all rules were removed.')),
  apply: (input) => applyBySync([input.server], input),
  effects: (input) => effects(input),
  noUndo,
  manualCheck,
});

export const firewall = [disable, enable, show, applySync, replace, flush];
