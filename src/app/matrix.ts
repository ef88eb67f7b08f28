import { shortened } from '../../commands/help.ts';
import { commands } from '../../commands/index.ts';
import type { Command } from '../command.ts';
import type { Rules } from '../decide/rules.ts';
import type { Server } from '../outcome.ts';
import { approval } from '../policy/decide.ts';
import { shiftOf } from '../policy/on-call.ts';
import type { Policy } from '../policy/schema.ts';
import { wrapped } from '../terminal/text.ts';
import { cells } from '../view/csv.ts';
import { rulesOf } from './rules.ts';

type Reach = 'yes' | 'some' | 'no';

/** What the holders of one role alone may do with one command, on the servers of one tier. */
interface Row {
  role: string;
  /** Left out: approving what others confirmed, which is a right and no command. */
  command?: Command;
  tier: string;
  may: Reach;
  asks: '' | 'confirm' | 'typed';
  reason: '' | 'required';
  approvals: number;
  breakGlass: Reach;
  /** The entries of the role's `allow` and `allow-in-emergency` that give it. */
  by: string;
}

/** Those without a tier stand last; a command that is about no server has this place alone. */
interface Place {
  tier: string;
  servers: readonly Server[];
}
const nowhere: Place = { tier: '', servers: [] };

function placesOf({ servers, team: { tiers } }: Rules): Place[] {
  const rest = servers.filter(({ tier }) => tier === undefined);
  const places = [
    ...tiers.map((tier) => ({ tier, servers: servers.filter((each) => each.tier === tier) })),
    ...(rest.length === 0 ? [] : [{ tier: 'no tier', servers: rest }]),
  ];
  return places.length === 0 ? [nowhere] : places;
}

/** Who may what, by the decisions of `/can`: a row for each role, command and tier. */
function matrixOf(policy: Policy): Row[] {
  const rules = rulesOf({ current: () => policy });
  const [places, schedules] = [placesOf(rules), (policy.onCall ?? []).map(({ name }) => name)];
  /** The entry that gives it to somebody with that role alone. Undefined: they may not. */
  function by(role: string, command: Command | undefined, server?: Server, emergency = false): string | undefined {
    if (command === undefined) {
      const may = !emergency && rules.approvers(server === undefined ? [] : [server]).includes(role);
      return may ? approval.id : undefined;
    }
    const alone = rules.decide([role], command, server, emergency);
    if (alone.allowed) return alone.by;
    const onShift = rules.decide([role, ...schedules.map(shiftOf)], command, server, emergency);
    return onShift.allowed ? `${onShift.by} with the shift of ${alone.shift?.of}` : undefined;
  }
  function rowOf(role: string, command: Command | undefined, { tier, servers }: Place): Row {
    const over = (emergency: boolean): { reach: Reach; entries: string[] } => {
      const all = (servers.length === 0 ? [undefined] : servers).map((each) => by(role, command, each, emergency));
      const entries = [...new Set(all.flatMap((each) => each ?? []))];
      return { reach: entries.length === 0 ? 'no' : all.includes(undefined) ? 'some' : 'yes', entries };
    };
    const [usual, emergency] = [over(false), over(true)];
    const held = servers.length === 0 ? [{ id: 0, tier }] : servers;
    const asked = command && rules.requirements(command, tier === '' ? undefined : held);
    return {
      ...{ role, tier, ...(command && { command }) },
      may: usual.reach,
      asks: asked?.typed ? 'typed' : asked?.confirm ? 'confirm' : '',
      reason: asked?.reason ? 'required' : '',
      approvals: asked?.approvals ?? 0,
      breakGlass: emergency.reach,
      by: [...new Set([...usual.entries, ...emergency.entries])].join(', '),
    };
  }
  const rated = commands.filter(({ everyone }: Command) => everyone !== true);
  return [...new Set(policy.roles.map(({ role }) => role))].flatMap((role) => [
    ...rated.flatMap((command: Command) =>
      ('server' in command.options ? places : [nowhere]).map((place) => rowOf(role, command, place)),
    ),
    ...places.map((place) => rowOf(role, undefined, place)),
  ]);
}

/** A Discord role may have several rows. */
const nameOf = ({ roles }: Policy, id: string): string =>
  [...new Set(roles.flatMap(({ role, name }) => (role === id ? [name] : [])))].join(', ');

const head = ['role_id', 'role', 'command', 'tier', 'may', 'asks', 'reason', 'approvals', 'break_glass', 'by'];

export const matrixCsv = (policy: Policy): string =>
  cells([
    head,
    ...matrixOf(policy).map(({ role, command = approval, approvals, breakGlass, ...row }) => [
      ...[role, nameOf(policy, role), command.id, row.tier, row.may, row.asks, row.reason],
      ...[String(approvals), breakGlass, row.by],
    ]),
  ]);

/** "yes, asks first, reason required, 1 approval, by power.*" */
function verdict({ may, asks, reason, approvals, breakGlass, by }: Row): string {
  if (may === 'no' && breakGlass === 'no') return 'no';
  return [
    { yes: 'yes', some: 'on some of the servers', no: 'only with break-glass' }[may],
    ...(asks === '' ? [] : [asks === 'typed' ? 'asks first, name typed' : 'asks first']),
    ...(reason === '' ? [] : ['reason required']),
    ...(approvals === 0 ? [] : [`${approvals} ${approvals === 1 ? 'approval' : 'approvals'}`]),
    ...(may === 'no' || breakGlass === 'no' ? [] : ['or with break-glass']),
    `by ${by}`,
  ].join(', ');
}

/** The items that have the same key, in the order of the first of each. */
function grouped<T>(items: readonly T[], keyOf: (item: T) => string): [key: string, items: T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups];
}

const no = '    no';

/** Tiers with the same verdict share a line; where all have it, none is named. */
function linesOf(rows: readonly Row[]): string {
  const verdicts = grouped(rows, verdict);
  const placed = ([said, of]: (typeof verdicts)[number]): string =>
    `    ${verdicts.length === 1 ? '' : `${of.map(({ tier }) => tier).join(', ')}: `}${said}`;
  return verdicts.flatMap((each) => wrapped(placed(each), '      ')).join('\n');
}

function named(all: readonly (Command | undefined)[]): string {
  const typed = all.flatMap((each) => each ?? []);
  const words = [typed.length === 0 ? '' : shortened(typed), all.includes(undefined) ? 'approving' : ''];
  return wrapped(`  ${words.filter((each) => each !== '').join('; ')}`).join('\n');
}

/** The same for people, in 80 columns: commands with the same verdicts stand together, and last what they may not. */
export function matrixText(policy: Policy): string {
  const sections = grouped(matrixOf(policy), ({ role }) => role).map(([role, rows]) => {
    const ofCommands = grouped(rows, ({ command }) => command?.id ?? '').map(([, of]) => of);
    const alike = grouped(ofCommands, linesOf).toSorted(([one], [other]) => Number(one === no) - Number(other === no));
    const lines = alike.map(([said, all]) => `${named(all.map(([row]) => row?.command))}\n${said}`);
    return [`${nameOf(policy, role)} (${role})`, ...lines].join('\n');
  });
  return `${sections.join('\n\n')}\n`;
}
