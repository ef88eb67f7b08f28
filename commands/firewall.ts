import { count, list, type Markup, md, serverName, shortNames, trusted, typedAs } from '../src/card.ts';
import { type Done, defineChange, defineRead, type Effects } from '../src/command.ts';
import type { RawOptions, Server } from '../src/outcome.ts';
import type { Effect } from '../src/runs/effects.ts';
import {
  firewallCheck,
  flushedCheck,
  look,
  lookToKeep,
  readBack,
  replacedCheck,
  setNow,
  staysOn,
  switchedCheck,
} from './firewall-look.ts';
import { firewallOpen, openSource, wayBack, withWayBack } from './firewall-open.ts';
import { type Named, nameOf } from './named.ts';
import {
  lookWith,
  type NetworkInterface,
  networkInterface,
  reason,
  remind,
  reminderNote,
  server,
  servers,
  serversWhereAllowed,
  sync,
  whenApplied,
} from './options.ts';
import { direction, port, rulesView, source } from './rules.ts';
import { rulesets } from './rulesets.ts';

const on = (targets: readonly Server[], networkInterface: NetworkInterface): Markup =>
  md`${list(targets.map(serverName))}, ${trusted(networkInterface)} interface`;

/** "web-1 · primary" */
const where = (targets: readonly Server[], { interface: networkInterface }: Pick<Apply, 'interface'>): Markup =>
  trusted(`${shortNames(targets)} · ${networkInterface}`);

/** Says when a change is not applied at once. */
const stored = ({ sync: now }: Pick<Apply, 'sync'>): Markup => trusted(now ? '' : ', stored only');

const untouched = (networkInterface: NetworkInterface): Markup =>
  trusted(
    `Not touched: the ${networkInterface === 'primary' ? 'secondary' : 'primary'} interface, and every other server.`,
  );

const explained = ({ sync: now, interface: networkInterface }: Apply): Markup[] => [
  ...(now ? [whenApplied(now)] : []),
  untouched(networkInterface),
];

/** What is only stored does not change what runs: that belongs to what will happen. */
const ifStored = (now: boolean): Markup[] => (now ? [] : [whenApplied(now)]);

/** What a yes means: applied to that interface, or only stored. */
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

/** Stored changes are applied by the panel's sync of that interface. */
const applyBySync = (
  targets: readonly Server[],
  { sync: now, interface: networkInterface }: Apply,
): { command: string; options: RawOptions } | undefined =>
  now
    ? undefined
    : {
        command: 'firewall.sync',
        options: { server: targets.map(({ id }) => id).join(','), interface: networkInterface },
      };

/** The effects: a firewall that is off, or without rules, and changes that are stored but not applied. */
const off = ({ interface: networkInterface }: Apply): Effect => ({ kind: 'firewall-off', interface: networkInterface });
const empty = ({ interface: networkInterface }: Apply): Effect => ({ kind: 'no-rules', interface: networkInterface });
const unapplied = ({ interface: networkInterface }: Apply): Effect => ({
  kind: 'unapplied',
  what: 'firewall',
  interface: networkInterface,
});

/** In addition to a change's own effects: applying one change applies everything that is stored for the interface. */
const effects = (input: Apply, { opens = [], closes = [] }: Effects = {}): Effects =>
  input.sync ? { opens, closes: [...closes, unapplied(input)] } : { opens: [...opens, unapplied(input)], closes };

const manualCheck = (target: Server, { interface: networkInterface }: Apply): Markup =>
  lookWith(`/firewall show server:${typedAs(target)} interface:${networkInterface}`);

/** How an unknown run is checked, by the bot and by hand. */
const checks = (judge: Parameters<typeof firewallCheck>[0]) => ({
  manualCheck,
  checkedBy: 'firewall.show',
  checkNow: firewallCheck(judge),
});

const disable = defineChange({
  id: 'firewall.disable',
  danger: 'destructive',
  description: 'Switch the firewall of an interface off',
  example: '/firewall disable server:web-1 reason:"locked out by rule 7"',
  options: { server: servers, interface: networkInterface, sync, reason, remind },
  endpoint: 'firewallDisable',
  reads: ['firewall'],
  look,
  label: (input) => `Disable firewall of ${shortNames(input.server)}`,
  fullLabel: (input) => md`Disable the firewall of ${where(input.server, input)}${stored(input)}`,
  question: (input, looks, team) => [
    md`The firewall of ${on(input.server, input.interface)}, will be disabled.`,
    ...setNow(input.server, looks),
    ...ifStored(input.sync),
    ...reminderNote(input.remind, team),
  ],
  details: explained,
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
  ...checks(switchedCheck(false)),
  remind: (input) => input.remind?.ms,
});

const enable = defineChange({
  id: 'firewall.enable',
  danger: 'write',
  description: 'Switch the firewall of an interface on',
  example: '/firewall enable server:web-1',
  options: { server: servers, interface: networkInterface, sync, reason },
  endpoint: 'firewallEnable',
  label: (input) => `Enable firewall of ${shortNames(input.server)}`,
  fullLabel: (input) => md`Enable the firewall of ${where(input.server, input)}${stored(input)}`,
  question: (input) => [
    md`The firewall of ${on(input.server, input.interface)}, will be enabled.`,
    ...ifStored(input.sync),
  ],
  details: explained,
  request: (target, input) => ({ serverId: target.id, interface: input.interface, sync: input.sync }),
  done: (_target, input) => done(input, trusted('the firewall is enabled.')),
  apply: (input) => applyBySync(input.server, input),
  effects: (input) => effects(input, { closes: [off(input)] }),
  reads: ['firewall'],
  ...checks(switchedCheck(true)),
});

const show = defineRead({
  id: 'firewall.show',
  description: 'Show whether the firewall is on, and its rules',
  example: '/firewall show server:web-1 port:22',
  options: { server, interface: networkInterface, port, source, direction },
  reads: ['firewall'],
  gathers: [openSource],
  title: (input) => md`Firewall of ${where([input.server], input)}`,
  async view({ server: target, interface: networkInterface, ...wanted }, { read, part, options, access, tools }) {
    const { enabled, rules } = await read('firewall', { serverId: target.id, interface: networkInterface });
    const view = rulesView(rules, wanted, part, options);
    const known = firewallOpen({ target, networkInterface, enabled }, { access, tools });
    return {
      ...view,
      ...known,
      body: [...known.body, ...view.body],
      fact: md`The firewall of ${on([target], networkInterface)}, is ${trusted(enabled ? 'enabled' : 'disabled')} ${trusted(rules.length === 0 ? 'and has no rules' : `with ${count(rules.length, 'rule')}`)}.`,
    };
  },
});

const applySync = defineChange({
  id: 'firewall.sync',
  danger: 'write',
  description: 'Apply what is stored for the firewall now',
  example: '/firewall sync server:web-1',
  options: { server: servers, interface: networkInterface, reason },
  endpoint: 'firewall',
  label: (input) => `Apply firewall of ${shortNames(input.server)}`,
  fullLabel: (input) => md`Apply what is stored for the firewall of ${where(input.server, input)}`,
  question: (input) => [
    md`What is stored for the firewall of ${on(input.server, input.interface)}, will be applied to the running server.`,
  ],
  details: (input) => [untouched(input.interface)],
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

/** "ruleset ssh-only (1)", "rulesets 1, 2 and 5" */
const named = (all: readonly Named[]): Markup =>
  md`${trusted(all.length === 1 ? 'ruleset' : 'rulesets')} ${list(all.map((each) => trusted(nameOf(each))))}`;

const replace = defineChange({
  id: 'firewall.replace',
  danger: 'destructive',
  description: 'Remove all rules, then set the listed rulesets',
  example: '/firewall replace server:web-1 rulesets:1,2',
  options: { server: serversWhereAllowed, interface: networkInterface, rulesets, sync, reason },
  endpoint: 'firewallRules',
  reads: ['firewall'],
  look: lookToKeep,
  label: (input) => `Replace rules of ${shortNames(input.server)}`,
  fullLabel: (input) =>
    md`Replace the rules of ${where(input.server, input)} with ${named(input.rulesets)}${stored(input)}`,
  question: (input, looks) => [
    md`All firewall rules of ${on(input.server, input.interface)}, will be removed, and ${named(input.rulesets)} set instead.`,
    ...withWayBack(input.server, looks, ifStored(input.sync)),
  ],
  details: explained,
  request: (target, input) => ({
    serverId: target.id,
    interface: input.interface,
    sync: input.sync,
    rulesets: input.rulesets.map(({ id }) => id),
  }),
  done: (_target, input) => done(input, md`the rules were removed, and ${named(input.rulesets)} set.`),
  apply: (input) => applyBySync(input.server, input),
  effects: (input) => effects(input, { closes: [empty(input)] }),
  ...wayBack('No rule was set before it: `/firewall flush` is the way back.'),
  readBack,
  ...checks(replacedCheck),
});

const flush = defineChange({
  id: 'firewall.flush',
  danger: 'destructive',
  description: 'Remove all rules: none is left',
  example: '/firewall flush server:web-1',
  options: { server: serversWhereAllowed, interface: networkInterface, sync, reason },
  endpoint: 'firewallRules',
  reads: ['firewall'],
  look: lookToKeep,
  label: (input) => `Flush ${shortNames(input.server)}`,
  fullLabel: (input) => md`Flush the rules of ${where(input.server, input)}${stored(input)}`,
  question: (input, looks) =>
    looks.length > 0 && looks.every(({ facts }) => facts?.['rules'] === 0)
      ? [
          md`Nothing to remove: no firewall rules are stored for ${on(input.server, input.interface)}.`,
          input.sync
            ? trusted('Rules that the running server still has go, too: the bot cannot read those.')
            : whenApplied(false),
          ...staysOn(looks.flatMap(({ facts }) => (facts === undefined ? [] : [facts]))),
        ]
      : [
          md`All firewall rules of ${on(input.server, input.interface)}, will be removed.`,
          ...withWayBack(input.server, looks, ifStored(input.sync)),
        ],
  details: (input, found) => [...staysOn(found), ...explained(input)],
  request: (target, input) => ({ serverId: target.id, interface: input.interface, sync: input.sync, rulesets: [] }),
  done: (_target, input) => done(input, trusted('all rules were removed.')),
  apply: (input) => applyBySync(input.server, input),
  effects: (input) => effects(input, { opens: [empty(input)] }),
  leaves: (input, found) =>
    input.sync && staysOn(found).length > 0
      ? trusted('The firewall stays on. If nothing gets through: `/firewall disable` switches it off.')
      : undefined,
  ...wayBack('Nothing to undo: no rule was set before it.'),
  ...checks(flushedCheck),
});

export const firewall = [disable, enable, show, applySync, replace, flush];
