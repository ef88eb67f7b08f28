import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { changings, decidings, lookings, readings, records } from '../../helpers/every-command/lines.ts';
import { startWorld, type World } from '../../helpers/world.ts';

/** Id, danger and options as the design's table has them, copied by hand. */
const design: readonly [id: string, danger: string, options: string][] = [
  ['panel.check', 'read', ''],
  ['hypervisors.groups', 'read', 'page results'],
  ['hypervisors.group', 'read', 'group'],
  ['hypervisors.resources', 'read', 'group page results'],
  ['firewall.disable', 'destructive', 'server interface sync reason remind'],
  ['firewall.enable', 'write', 'server interface sync reason'],
  ['firewall.show', 'read', 'server interface'],
  ['firewall.sync', 'write', 'server interface reason'],
  ['firewall.replace', 'destructive', 'server interface rulesets sync reason'],
  ['firewall.flush', 'destructive', 'server interface sync reason'],
  ['whitelist.add', 'destructive', 'server interface network reason remind'],
  ['whitelist.remove', 'destructive', 'server interface address reason'],
  ['ipv4.assign', 'write', 'server interface quantity reason'],
  ['ipv4.add', 'write', 'server addresses reason'],
  ['ipv4.remove', 'destructive', 'server addresses reason'],
  ['power.boot', 'write', 'server reason'],
  ['power.shutdown', 'destructive', 'server reason remind'],
  ['power.restart', 'destructive', 'server reason'],
  ['power.poweroff', 'destructive', 'server reason'],
  ['traffic.add', 'destructive', 'server month amount reason'],
  ['traffic.show', 'read', 'server'],
  ['backup.restore', 'destructive', 'server disks chains until reason'],
  ['follow-ups.list', 'read', 'server'],
  ['follow-ups.stop', 'write', 'server id'],
  ['follow-ups.ended', 'write', 'server how id'],
  ['follow-ups.hand-over', 'write', 'server user id'],
  ['cpu.throttle', 'write', 'server percent sync reason remind'],
  ['vlan.set', 'destructive', 'server interface vlan native-mode trunk reason'],
  ['incident.start', 'write', 'title'],
  ['incident.end', 'write', ''],
  ['incident.note', 'write', ''],
  ['audit.history', 'audit', 'server person command outcome since'],
  ['audit.run', 'audit', 'id'],
  ['audit.export', 'audit', 'format since until server incident'],
  ['audit.verify', 'audit', ''],
  ['audit.acknowledge', 'destructive', 'finding reason'],
  ['handover', 'read', ''],
  ['help', 'read', ''],
  ['can', 'read', 'command server'],
];

/** What Discord keeps of a command or option. */
interface Registered {
  name: string;
  type?: number;
  required?: boolean;
  options?: Registered[];
}

const subcommand = 1;
const inMenu = 3;
/** What is registered by a label, and not by its id. */
const menuOf: Readonly<Record<string, string>> = { 'Add to incident timeline': 'incident.note' };
const sorted = (names: readonly string[]): string[] => [...names].sort();
const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');

describe('the list of commands', () => {
  it('has the commands of the design, each once', () => {
    expect(sorted(commands.map(({ id }) => id))).toEqual(sorted(design.map(([id]) => id)));
    expect(new Set(design.map(([id]) => id)).size).toBe(design.length);
  });

  it.each(design)('has %s as %s with the options (%s)', (id, danger, options) => {
    const command = commands.find((each) => each.id === id);
    expect(command?.danger).toBe(danger);
    expect(sorted(Object.keys(command?.options ?? {}))).toEqual(sorted(words(options)));
  });

  it('is tried whole: each command has a line, as what it is', () => {
    const reads = commands.filter(({ danger }) => danger === 'read').map(({ id }) => id);
    const looks = commands.filter(({ danger }) => danger === 'audit').map(({ id }) => id);
    const others = commands.filter(({ danger }) => danger !== 'read' && danger !== 'audit');
    const [locals, changes] = [others.filter(({ local }) => local), others.filter(({ local }) => !local)];
    expect(sorted(Object.keys(readings))).toEqual(sorted(reads));
    expect(sorted(Object.keys(lookings))).toEqual(sorted(looks));
    expect(sorted([...Object.keys(decidings), ...Object.keys(records)])).toEqual(sorted(locals.map(({ id }) => id)));
    expect(sorted(Object.keys(changings))).toEqual(sorted(changes.map(({ id }) => id)));
  });
});

describe('what Discord has registered', () => {
  let world: World;
  let registered: Map<string, Registered[]>;

  beforeAll(async () => {
    world = await startWorld();
    const { apiUrl, applicationId, guildId, token } = world.discord;
    const path = `/v10/applications/${applicationId}/guilds/${guildId}/commands`;
    const answer = await fetch(`${apiUrl}${path}`, { headers: { authorization: `Bot ${token}` } });
    // Discord's own form of a list of commands, of which only these fields are looked at.
    registered = byId((await answer.json()) as Registered[]);
  });
  afterAll(() => world.stop());

  it('is each command of the design and nothing else', () => {
    expect(sorted([...registered.keys()])).toEqual(sorted(design.map(([id]) => id)));
  });

  it.each(design)('is %s (%s) with the options (%s)', (id, _danger, options) => {
    expect(sorted((registered.get(id) ?? []).map(({ name }) => name))).toEqual(sorted(words(options)));
  });
});

/** The options by a command's id: "power.boot" where it is a subcommand. */
function byId(top: Registered[]): Map<string, Registered[]> {
  return new Map(
    top.flatMap(({ name, type, options = [] }) =>
      type === inMenu
        ? [[menuOf[name] ?? name, options] as [string, Registered[]]]
        : options.some(({ type }) => type === subcommand)
          ? options.map((sub): [string, Registered[]] => [`${name}.${sub.name}`, sub.options ?? []])
          : [[name, options] as [string, Registered[]]],
    ),
  );
}
