import { describe, expect, it } from 'vitest';
import { commands } from '../../../commands/index.ts';
import type { Command } from '../../../src/command.ts';
import { rowOf } from '../../helpers/every-command/lines.ts';
import type { Row } from '../../helpers/every-command/row.ts';

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
