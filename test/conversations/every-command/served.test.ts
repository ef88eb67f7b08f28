import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../../commands/index.ts';
import type { Command } from '../../../src/command.ts';
import { policyOfEveryCommand } from '../../helpers/alerts.ts';
import { rowOf } from '../../helpers/every-command/lines.ts';
import type { Row } from '../../helpers/every-command/row.ts';
import { startWorld, type World } from '../../helpers/world.ts';

/** What Discord keeps of a command or option. */
interface Registered {
  name: string;
  type?: number;
  required?: boolean;
  options?: Registered[];
}

const subcommand = 1;
const inMenu = 3;
/** The command that is registered by a label, and not by its id. */
const idOfMenu = (label: string): string | undefined => commands.find(({ menu }: Command) => menu === label)?.id;
const sorted = (names: readonly string[]): string[] => [...names].sort();

/** What a command's line is tried as, by what the command is. */
function kindOf({ danger, local }: Command): readonly Row['kind'][] {
  if (danger === 'read') return ['reading'];
  if (danger === 'audit') return ['looking'];
  return local ? ['deciding', 'recording'] : ['changing'];
}

describe('the list of commands', () => {
  it('has each command once', () => {
    const ids = commands.map(({ id }) => id);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  });

  it('is tried whole: each command has a line, as what it is', () => {
    const otherwise = commands
      .filter((command) => !kindOf(command).includes(rowOf(command.id).kind))
      .map((command) => `${command.id} is tried as ${rowOf(command.id).kind}, not as ${kindOf(command)}`);
    expect(otherwise).toEqual([]);
  });

  it('has every command that undoes another, or that is offered for stuck jobs', () => {
    const known: readonly string[] = commands.map(({ id }) => id);
    const named = commands.flatMap(({ id, undoneBy, ifStuck }) =>
      [undoneBy, ifStuck?.command].flatMap((other) => (other === undefined ? [] : [{ id, other }])),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(({ other }) => !known.includes(other))).toEqual([]);
  });
});

describe('what Discord has registered', () => {
  let world: World;
  let registered: Map<string, Registered[]>;

  beforeAll(async () => {
    world = await startWorld({ policy: policyOfEveryCommand() });
    const { apiUrl, applicationId, guildId, token } = world.discord;
    const path = `/v10/applications/${applicationId}/guilds/${guildId}/commands`;
    const answer = await fetch(`${apiUrl}${path}`, { headers: { authorization: `Bot ${token}` } });
    // Discord's own form of a list of commands, of which only these fields are looked at.
    registered = byId((await answer.json()) as Registered[]);
  });
  afterAll(() => world.stop());

  it('is each command and nothing else', () => {
    expect(sorted([...registered.keys()])).toEqual(sorted(commands.map(({ id }) => id)));
  });

  it.each(commands)('is $id with its options', ({ id, options }) => {
    expect(sorted((registered.get(id) ?? []).map(({ name }) => name))).toEqual(sorted(Object.keys(options)));
  });
});

/** The options by a command's id: "power.boot" where it is a subcommand. */
function byId(top: Registered[]): Map<string, Registered[]> {
  return new Map(
    top.flatMap(({ name, type, options = [] }) =>
      type === inMenu
        ? [[idOfMenu(name) ?? name, options] as [string, Registered[]]]
        : options.some(({ type }) => type === subcommand)
          ? options.map((sub): [string, Registered[]] => [`${name}.${sub.name}`, sub.options ?? []])
          : [[name, options] as [string, Registered[]]],
    ),
  );
}
